// A sample sort of texts: each id goes to the process of its range, which numbers what it gets, each distinct
// id once, and sends the numbers back. Integers travel as eight bytes that compare as they do.
#include "distributed/number_ids.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/phase.h"
#include "distributed/cuts.h"
#include "distributed/exchange.h"
#include "distributed/sort_across.h"
#include "hushwalk/facts.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

std::string key_of_integer(std::int64_t id) {
  const std::uint64_t word = __builtin_bswap64(static_cast<std::uint64_t>(id) ^ sign);
  std::string key(sizeof word, '\0');
  std::memcpy(key.data(), &word, sizeof word);
  return key;
}

std::uint64_t integer_of_key(std::string_view key) {
  std::uint64_t word = 0;
  std::memcpy(&word, key.data(), sizeof word);
  return __builtin_bswap64(word) ^ sign;
}

// The ids of a list in the form in which they are compared.
class Keys {
 public:
  Keys(const NodeList& list, bool integers) : list_(list), integers_(integers) {}
  std::size_t size() const { return list_.size(); }
  std::string operator[](std::size_t i) const {
    const auto node = static_cast<Node>(i);
    return integers_ ? key_of_integer(list_.integer(node)) : list_.name(node);
  }

 private:
  const NodeList& list_;
  bool integers_;
};

// Texts one after another.
struct Texts {
  std::string bytes = {};
  std::vector<std::uint64_t> starts = {0};
  void add(std::span<const std::byte> text) {
    bytes.append(reinterpret_cast<const char*>(text.data()), text.size());
    starts.push_back(bytes.size());
  }
  std::size_t size() const { return starts.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes).substr(starts[i], starts[i + 1] - starts[i]);
  }
};

std::vector<std::string> splitters_of_ids(const Job& job, const Keys& keys) {
  const std::uint64_t stride = sample_stride(job, keys.size());
  Json sample = Json::array();
  for (std::size_t i = 0; i < keys.size(); i += stride) sample.push_back(keys[i]);
  std::vector<std::string> all;
  for (const auto& bytes : job.collect(Json::to_cbor(sample)))
    for (const Json& key : Json::from_cbor(bytes)) all.push_back(key.get<std::string>());
  return splitters_of(std::move(all), static_cast<std::size_t>(job.size()));
}

// What arrives of the keys of all, by sender; `owners` are those who get the keys from here, in their order.
std::vector<Texts> send_keys(const Job& job, const Keys& keys, const std::vector<std::string>& splitters,
                             std::vector<std::uint32_t>& owners) {
  std::vector<Texts> arrived(static_cast<std::size_t>(job.size()));
  owners.reserve(keys.size());
  std::size_t at = 0;
  exchange_in_turns(
      job,
      [&](std::vector<Message>& to) {
        for (std::size_t room = words_in_a_turn(job); at < keys.size() && room > 0; ++at) {
          const std::string key = keys[at];
          owners.push_back(static_cast<std::uint32_t>(part_of_key(splitters, key)));
          pack(to[owners.back()], std::as_bytes(std::span(key)));
          room -= std::min(room, 2 + key.size() / 4);
        }
        return at < keys.size();
      },
      [&](std::size_t sender, Words words) {
        while (!words.empty()) arrived[sender].add(unpack(words));
      });
  return arrived;
}

struct Place {
  std::uint32_t sender, at;
};

// The places of all keys, in the order of the keys.
std::vector<Place> in_order(const std::vector<Texts>& arrived) {
  std::vector<Place> places;
  std::size_t size = 0;
  for (const Texts& texts : arrived) size += texts.size();
  places.reserve(size);
  for (std::uint32_t sender = 0; sender < arrived.size(); ++sender)
    for (std::uint32_t at = 0; at < arrived[sender].size(); ++at) places.push_back({sender, at});
  const auto text = [&](const Place& place) { return arrived[place.sender][place.at]; };
  parallel_sort(places.begin(), places.end(),
                [&](const Place& a, const Place& b) { return text(a) < text(b); });
  return places;
}

// Numbers distinct keys from 0 on, adds them to the sections; returns the numbers by sender and place.
std::vector<std::vector<Node>> number_here(const std::vector<Texts>& arrived, NumberedIds& ids) {
  std::vector<std::vector<Node>> numbers(arrived.size());
  for (std::size_t i = 0; i < arrived.size(); ++i) numbers[i].resize(arrived[i].size());
  std::uint64_t distinct = 0;
  std::string_view last;
  for (const auto& [sender, at] : in_order(arrived)) {
    const std::string_view key = arrived[sender][at];
    if (distinct == 0 || key != last) {
      ids.ids.push_back(ids.integers ? integer_of_key(key) : ids.text.size());
      if (!ids.integers) ids.text += key;
      ++distinct, last = key;
    }
    numbers[sender][at] = static_cast<Node>(distinct - 1);
  }
  return numbers;
}

// The numbers go where the keys came from, in their order.
std::vector<std::vector<Node>> send_numbers(const Job& job, const std::vector<std::vector<Node>>& numbers,
                                            std::uint64_t first) {
  std::vector<std::vector<Node>> answers(numbers.size());
  const std::size_t some = words_in_a_turn(job) / numbers.size() + 1;
  std::size_t at = 0;
  exchange_in_turns(
      job,
      [&](std::vector<Message>& to) {
        bool more = false;
        for (std::size_t p = 0; p < numbers.size(); ++p) {
          const std::size_t end = std::min(numbers[p].size(), at + some);
          for (std::size_t i = at; i < end; ++i) to[p].push_back(static_cast<Node>(first + numbers[p][i]));
          more |= end < numbers[p].size();
        }
        at += some;
        return more;
      },
      [&](std::size_t sender, Words words) {
        answers[sender].insert(answers[sender].end(), words.begin(), words.end());
      });
  return answers;
}

// Texts of the processes before this one stand before its own.
void place_text(const Job& job, NumberedIds& ids) {
  if (ids.integers) return;
  const std::uint64_t before = job.sum_before(ids.text.size()), all = job.sum(ids.text.size());
  for (std::uint64_t& start : ids.ids) start += before;
  if (job.number() + 1 == job.size()) ids.ids.push_back(all);
}

}  // namespace

NumberedIds number_ids(const Job& job, NodeList here) {
  const Phase phase("numbering ids across processes");
  NumberedIds ids{.integers = job.sum(here.are_integers() ? 0 : 1) == 0};
  const Keys keys(here, ids.integers);
  std::vector<std::uint32_t> owners;
  std::vector<Texts> arrived = send_keys(job, keys, splitters_of_ids(job, keys), owners);
  here = NodeList();  // what was sent is not needed any more
  give_memory_back();
  const std::vector<std::vector<Node>> numbers = number_here(arrived, ids);
  std::vector<Texts>().swap(arrived);
  const std::uint64_t first = job.sum_before(ids.ids.size());
  ids.nodes = job.sum(ids.ids.size());
  job.each([&] {
    if (ids.nodes > max_nodes) fail("the input has too many distinct ids (about {})", max_nodes);
  });
  place_text(job, ids);
  const std::vector<std::vector<Node>> answers = send_numbers(job, numbers, first);
  std::vector<std::size_t> next(answers.size());
  ids.node_of.reserve(owners.size());
  for (const std::uint32_t owner : owners) ids.node_of.push_back(answers[owner][next[owner]++]);
  return ids;
}

NumberedIds ids_of_list(const Job& job, const NodeList& list) {
  NumberedIds ids{.integers = list.are_integers(), .nodes = list.size()};
  const Cuts cuts = equal_cuts(list.size(), static_cast<std::size_t>(job.size()));
  const std::uint64_t first = cuts.first(static_cast<std::size_t>(job.number()));
  for (std::uint64_t i = 0; i < cuts.size(static_cast<std::size_t>(job.number())); ++i) {
    const auto node = static_cast<Node>(first + i);
    ids.ids.push_back(ids.integers ? static_cast<std::uint64_t>(list.integer(node)) : ids.text.size());
    if (!ids.integers) ids.text += list.name(node);
  }
  place_text(job, ids);
  return ids;
}

}  // namespace hushwalk
