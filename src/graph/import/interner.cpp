#include "graph/import/interner.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <functional>
#include <tuple>
#include <utility>

#include "base/fail.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/graph_impl.h"
#include "graph/plain_integer.h"

namespace hushwalk {
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

void Interner::drop_index() {
  for (Shard& shard : shards_) {
    shard.index.clear();
    shard.index.rehash(0);  // clear() alone keeps the room
  }
  give_memory_back();
}

Interner::Finished Interner::finish(bool string_ids) {
  drop_index();
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
  finished.nodes = integers ? sort_integers(handles) : sort_texts(handles);
  for (std::size_t i = 0; i < handles.size(); ++i)
    finished.node_of[handles[i] >> index_bits][handles[i] & (shard_size - 1)] = static_cast<Node>(i);
  return finished;
}

NodeList Interner::sort_integers(std::vector<std::uint32_t>& handles) const {
  std::vector<std::pair<std::int64_t, std::uint32_t>> pairs(handles.size());
  for (std::size_t i = 0; i < handles.size(); ++i) pairs[i] = {*plain_integer(text(handles[i])), handles[i]};
  parallel_sort(pairs.begin(), pairs.end(), std::less<>());
  std::vector<std::int64_t> ids(handles.size());
  for (std::size_t i = 0; i < handles.size(); ++i) std::tie(ids[i], handles[i]) = pairs[i];
  return NodeList::integers(std::move(ids));
}

NodeList Interner::sort_texts(std::vector<std::uint32_t>& handles) const {
  parallel_sort(handles.begin(), handles.end(),
                [&](std::uint32_t a, std::uint32_t b) { return text(a) < text(b); });
  return make_text_nodes(handles.size(), [&](std::size_t i) { return text(handles[i]); });
}

}  // namespace hushwalk
