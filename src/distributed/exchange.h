// What everybody has for everybody.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "distributed/job.h"

namespace hushwalk {

using Message = std::vector<std::uint32_t>;  // what goes from one process to another
using Words = std::span<const std::uint32_t>;

// A turn is far below 2^31 words, which MPI counts in int, even if all of it goes to one process.
inline std::size_t words_in_a_turn(const Job& job) {
  return std::min<std::size_t>(std::size_t{1} << 20,
                               (std::size_t{1} << 28) / static_cast<std::size_t>(job.size()));
}

// What arrived, by sender.
class Arrived {
 public:
  explicit Arrived(std::vector<Message> to);  // what everybody sends, by receiver
  std::size_t senders() const noexcept { return starts_.size() - 1; }
  Words from(std::size_t sender) const {
    return Words(words_).subspan(starts_[sender], starts_[sender + 1] - starts_[sender]);
  }

 private:
  Message words_;
  std::vector<std::size_t> starts_;
};

// fill(to) adds some words for others and says whether there are more; take(sender, words) gets what arrived,
// in the order of the senders. Until nobody has more.
template <class Fill, class Take>
void exchange_in_turns(const Job& job, const Fill& fill, const Take& take) {
  for (bool more = true; more;) {
    std::vector<Message> to(static_cast<std::size_t>(job.size()));
    const bool mine = fill(to);
    const Arrived arrived(std::move(to));
    for (std::size_t sender = 0; sender < arrived.senders(); ++sender) take(sender, arrived.from(sender));
    more = job.sum(mine ? 1 : 0) > 0;
  }
}

// What all processes have, in their order.
template <class T>
std::vector<T> collect_all(const Job& job, std::span<const T> mine) {
  std::vector<T> all;
  for (int from = 0; from < job.size(); ++from) {
    std::uint64_t count = mine.size();
    job.share(std::span(&count, 1), from);
    const std::size_t before = all.size();
    all.resize(before + count);
    if (from == job.number()) std::ranges::copy(mine, all.end() - static_cast<std::ptrdiff_t>(count));
    job.share(std::span(all).subspan(before), from);
  }
  return all;
}

// Bytes among words: how many, and they. unpack() takes them off the front.
void pack(Message& to, std::span<const std::byte> bytes);
std::span<const std::byte> unpack(Words& words);

}  // namespace hushwalk
