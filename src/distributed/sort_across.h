// A sample sort (Frazer and McKellar, "Samplesort", JACM 1970): a sample says where to cut, every key goes to
// the process of its range, and each sorts what it got.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "distributed/cuts.h"
#include "distributed/exchange.h"

namespace hushwalk {

inline constexpr std::uint64_t sampled_per_process = 1024;

// Of so many keys here, one in so many belongs to the sample of all.
inline std::uint64_t sample_stride(const Job& job, std::uint64_t here) {
  return job.sum(here) / (sampled_per_process * static_cast<std::uint64_t>(job.size())) + 1;
}

// Gives the memory of a piece back as soon as it is used up, from the last piece on.
template <class T>
class LastFirst {
 public:
  explicit LastFirst(std::vector<std::vector<T>> pieces) : pieces_(std::move(pieces)) { drop_empty(); }

  bool empty() const noexcept { return pieces_.empty(); }
  T take() {
    const T value = pieces_.back().back();
    pieces_.back().pop_back();
    drop_empty();
    return value;
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& piece : pieces_)
      for (const T& value : piece) visit(value);
  }
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const auto& piece : pieces_) sum += piece.size();
    return sum;
  }

 private:
  void drop_empty() {
    while (!pieces_.empty() && pieces_.back().empty()) pieces_.pop_back();
  }
  std::vector<std::vector<T>> pieces_;
};

template <class T, class KeyOf>
std::vector<std::uint64_t> splitters_across(const Job& job, const LastFirst<T>& values, const KeyOf& key_of) {
  const std::uint64_t stride = sample_stride(job, values.size());
  std::vector<std::uint64_t> sample;
  std::uint64_t at = 0;
  values.each([&](const T& value) {
    if (at++ % stride == 0) sample.push_back(key_of(value));
  });
  return splitters_of(collect_all<std::uint64_t>(job, sample), static_cast<std::size_t>(job.size()));
}

// How many of them will arrive here.
template <class T, class ReceiverOf>
std::uint64_t count_arriving(const Job& job, const LastFirst<T>& values, const ReceiverOf& receiver_of) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(job.size()));
  values.each([&](const T& value) { ++counts[receiver_of(value)]; });
  job.add_up(counts);
  return static_cast<std::uint64_t>(counts[static_cast<std::size_t>(job.number())]);
}

// The keys of the values of all processes, ascending: each process has a part, in the order of the processes,
// and equal keys are in the same one.
template <class T, class KeyOf>
std::vector<std::uint64_t> sort_across(const Job& job, std::vector<std::vector<T>> pieces,
                                       const KeyOf& key_of) {
  LastFirst<T> values(std::move(pieces));
  const std::vector<std::uint64_t> splitters = splitters_across(job, values, key_of);
  std::vector<std::uint64_t> keys;
  keys.reserve(
      count_arriving(job, values, [&](const T& value) { return part_of_key(splitters, key_of(value)); }));
  exchange_in_turns(
      job,
      [&](std::vector<Message>& to) {
        for (std::size_t room = words_in_a_turn(job) / 2; room > 0 && !values.empty(); --room) {
          const std::uint64_t key = key_of(values.take());
          Message& words = to[part_of_key(splitters, key)];
          words.push_back(static_cast<std::uint32_t>(key >> 32));
          words.push_back(static_cast<std::uint32_t>(key));
        }
        return !values.empty();
      },
      [&](std::size_t, Words words) {
        for (std::size_t i = 0; i < words.size(); i += 2)
          keys.push_back(std::uint64_t{words[i]} << 32 | words[i + 1]);
      });
  parallel_sort(keys.begin(), keys.end(), std::less<>());
  return keys;
}

}  // namespace hushwalk
