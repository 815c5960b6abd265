#include "graph/import/interner.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/parallel.h"

namespace hushwalk {
namespace {

std::optional<std::int64_t> plain_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.starts_with('0') && text != "0") return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::size_t Interner::hash(std::string_view text) noexcept { return XXH3_64bits(text.data(), text.size()); }

std::uint32_t Interner::intern(std::string_view text) {
  const std::size_t h = hash(text);
  const auto shard_number = static_cast<std::uint32_t>(h >> (64 - 32 + index_bits));
  Shard& shard = shards_[shard_number];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.index.find(text, h);
  if (found != shard.index.end()) return (shard_number << index_bits) | *found;
  const std::size_t next = shard.texts.ends.size();
  if (next >= shard_size) fail("the input has too many distinct ids (about {})", max_nodes);
  shard.texts.bytes += text;
  shard.texts.ends.push_back(shard.texts.bytes.size());
  shard.index.insert(static_cast<std::uint32_t>(next));
  return (shard_number << index_bits) | static_cast<std::uint32_t>(next);
}

Interner::Finished Interner::finish(bool string_ids) const {
  std::vector<std::uint32_t> handles;
  Finished finished;
  finished.node_of.resize(shards_.size());
  bool integers = !string_ids;
  for (std::uint32_t s = 0; s < shards_.size(); ++s) {
    const auto count = static_cast<std::uint32_t>(shards_[s].texts.ends.size());
    finished.node_of[s].resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      handles.push_back((s << index_bits) | i);
      integers = integers && plain_integer(shards_[s].texts[i]);
    }
  }
  parallel_sort(handles.begin(), handles.end(), [&](std::uint32_t a, std::uint32_t b) {
    return integers ? *plain_integer(text(a)) < *plain_integer(text(b)) : text(a) < text(b);
  });
  std::vector<std::int64_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    finished.node_of[handles[i] >> index_bits][handles[i] & (shard_size - 1)] = static_cast<Node>(i);
    if (integers)
      numbers.push_back(*plain_integer(text(handles[i])));
    else
      names.emplace_back(text(handles[i]));
  }
  finished.nodes = integers ? NodeList::integers(std::move(numbers)) : NodeList::names(std::move(names));
  return finished;
}

}  // namespace hushwalk
