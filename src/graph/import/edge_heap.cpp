#include "graph/import/edge_heap.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/system_random.h"

namespace hushwalk {
namespace {

// The same in both directions.
std::uint64_t key_of(EdgeOfNodes edge) noexcept {
  return std::uint64_t{std::min(edge.u, edge.v)} << 32 | std::max(edge.u, edge.v);
}

bool by_key(EdgeOfNodes a, EdgeOfNodes b) noexcept { return key_of(a) < key_of(b); }

constexpr std::uint64_t sampled = 64;  // one of so many distinct edges, with all its repeats

EdgeHeap::Dropped drop_from_sorted(std::vector<EdgeOfNodes>& edges) {
  EdgeHeap::Dropped dropped;
  std::size_t kept = 0;
  for (const EdgeOfNodes edge : edges) {
    if (kept == 0 || key_of(edges[kept - 1]) != key_of(edge))
      edges[kept++] = edge;
    else
      ++(edge.u == edge.v ? dropped.self_loops : dropped.duplicates);
  }
  edges.resize(kept);
  return dropped;
}

}  // namespace

void EdgeHeap::add(std::vector<EdgeOfNodes> edges, bool interned) {
  held_ += edges.size();
  pieces_.push_back(std::move(edges));
  interned_.push_back(interned);
  if (held_ < limit_) return;
  if (!mostly_distinct()) drop_repeats();
  limit_ = std::max<std::size_t>(patience_, 2 * held_);
}

// Sorting costs more than reading, so a sample says whether it is worth it: at least half of what is held.
// The sample is drawn by hash, under a key of its own, so that no text can be made to mislead it; when it is
// far smaller than it should be, a few edges have most of the lines.
bool EdgeHeap::mostly_distinct() const {
  std::uint64_t key = 0;
  fill_random(std::as_writable_bytes(std::span(&key, 1)), "counting repeated edges");
  std::vector<std::vector<std::uint64_t>> samples(pieces_.size());
  parallel_for(pieces_.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (const EdgeOfNodes edge : pieces_[i]) {
        const std::uint64_t pair = key_of(edge);
        if (XXH3_64bits_withSeed(&pair, sizeof pair, key) % sampled == 0) samples[i].push_back(pair);
      }
  });
  std::vector<std::uint64_t> sample;
  for (const auto& part : samples) sample.insert(sample.end(), part.begin(), part.end());
  std::ranges::sort(sample);
  const std::size_t repeats = std::ranges::unique(sample).size();
  return sample.size() > held_ / (2 * sampled) && 2 * repeats <= sample.size();
}

void EdgeHeap::drop_repeats() {
  drop_within_pieces();
  std::vector<EdgeOfNodes> numbers = take_distinct(false), handles = take_distinct(true);
  pieces_.clear();
  interned_ = {false, true};
  held_ = numbers.size() + handles.size();
  pieces_.push_back(std::move(numbers));
  pieces_.push_back(std::move(handles));
}

void EdgeHeap::drop_within_pieces() {
  std::vector<Dropped> dropped(pieces_.size());
  parallel_for(pieces_.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (!std::ranges::is_sorted(pieces_[i], by_key)) std::ranges::sort(pieces_[i], by_key);
      dropped[i] = drop_from_sorted(pieces_[i]);
    }
  });
  for (const Dropped& part : dropped) count(part);
}

std::vector<EdgeOfNodes> EdgeHeap::take_distinct(bool interned) {
  std::vector<EdgeOfNodes> all = concatenate(interned);
  parallel_sort(all.begin(), all.end(), by_key);
  count(drop_from_sorted(all));
  all.shrink_to_fit();
  return all;
}

void EdgeHeap::count(const Dropped& more) noexcept {
  dropped_.self_loops += more.self_loops;
  dropped_.duplicates += more.duplicates;
}

std::vector<EdgeOfNodes> EdgeHeap::concatenate(bool interned) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (interned_[i] == interned) size += pieces_[i].size();
  std::vector<EdgeOfNodes> all;
  all.reserve(size);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (interned_[i] != interned) continue;
    all.insert(all.end(), pieces_[i].begin(), pieces_[i].end());
    std::vector<EdgeOfNodes>().swap(pieces_[i]);
  }
  return all;
}

}  // namespace hushwalk
