// Distinct texts, numbered: the id dictionary while it is being collected by many threads.
#pragma once

#include <tsl/robin_set.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk {

class Interner {
 public:
  // The handle of `text`, the same for equal texts. Handles depend on the timing of threads; what `finish`
  // makes of them does not. Error{failed} when there are too many.
  std::uint32_t intern(std::string_view text);

  struct Finished {
    NodeList nodes;
    std::vector<std::vector<Node>> node_of;  // by shard and index within it
    Node node(std::uint32_t handle) const { return node_of[handle >> index_bits][handle & (shard_size - 1)]; }
  };

  // The sorted node list: integers if every text is one in plain decimal form (no leading zeros, within 64
  // bits) and `string_ids` is not asked for.
  Finished finish(bool string_ids);

 private:
  static constexpr int index_bits = 24;
  static constexpr std::uint32_t shard_size = 1U << index_bits;

  // Texts one after another; entry i ends at ends[i].
  struct Texts {
    std::string bytes;
    std::vector<std::uint64_t> ends;
    std::string_view operator[](std::uint32_t i) const {
      const std::uint64_t start = i == 0 ? 0 : ends[i - 1];
      return std::string_view(bytes).substr(start, ends[i] - start);
    }
  };
  static std::size_t hash(std::string_view text) noexcept;
  struct Hash {
    const Texts* texts;
    std::size_t operator()(std::uint32_t i) const { return hash((*texts)[i]); }
    std::size_t operator()(std::string_view text) const { return hash(text); }
  };
  struct Equal {
    using is_transparent = void;
    const Texts* texts;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::string_view a, std::uint32_t b) const { return a == (*texts)[b]; }
    bool operator()(std::uint32_t a, std::string_view b) const { return (*texts)[a] == b; }
  };
  struct Shard {
    std::mutex mutex;
    Texts texts;
    tsl::robin_set<std::uint32_t, Hash, Equal, std::allocator<std::uint32_t>, /*StoreHash=*/true> index{
        16, Hash{&texts}, Equal{&texts}};
    Shard() { index.max_load_factor(0.8F); }  // the half that it has by itself is most of an id's memory
  };

  std::string_view text(std::uint32_t handle) const {
    return shards_[handle >> index_bits].texts[handle & (shard_size - 1)];
  }

  void drop_index();  // nothing is found any more

  // Sorts the handles by what they stand for.
  NodeList sort_integers(std::vector<std::uint32_t>& handles) const;
  NodeList sort_texts(std::vector<std::uint32_t>& handles) const;

  std::array<Shard, 1U << (32 - index_bits)> shards_;
};

}  // namespace hushwalk
