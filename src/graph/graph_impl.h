// The inside of Graph and NodeList, for this folder and the rooms above.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "graph/csr.h"
#include "graph/kept_numbers.h"
#include "graph/lazy.h"
#include "graph/spread_graph.h"
#include "graph/unsaved_graph.h"
#include "hushwalk/graph.h"

namespace hushwalk {

// Ascending ids: `integers`, or `text` cut at `text_offsets` (size + 1 of them).
struct NodeList::Impl {
  bool are_integers = true;
  std::span<const std::int64_t> integers;
  std::span<const std::uint64_t> text_offsets;
  std::span<const char> text;
  std::shared_ptr<const void> owner;

  std::uint64_t size() const noexcept { return are_integers ? integers.size() : text_offsets.size() - 1; }
  std::string_view text_of(std::uint64_t i) const noexcept {
    return {text.data() + text_offsets[i], text_offsets[i + 1] - text_offsets[i]};
  }
};

// The list of `size` distinct ids text_of(0), text_of(1), …, ascending bytewise, non-empty printable UTF-8.
template <class TextOf>
NodeList make_text_nodes(std::size_t size, const TextOf& text_of) {
  struct Text {
    std::vector<std::uint64_t> offsets;
    std::string bytes;
  };
  const auto owner = std::make_shared<Text>();
  owner->offsets.resize(size + 1);
  for (std::size_t i = 0; i < size; ++i) owner->offsets[i + 1] = owner->offsets[i] + text_of(i).size();
  owner->bytes.reserve(owner->offsets[size]);
  for (std::size_t i = 0; i < size; ++i) owner->bytes += text_of(i);
  return NodeList(std::make_shared<const NodeList::Impl>(NodeList::Impl{.are_integers = false,
                                                                        .integers = {},
                                                                        .text_offsets = owner->offsets,
                                                                        .text = owner->bytes,
                                                                        .owner = owner}));
}

// Rows one at a time, without a look at the others; slow.
class SingleRows {
 public:
  virtual ~SingleRows() = default;
  virtual std::vector<Node> neighbors(Node node) const = 0;  // in any order
  virtual std::uint64_t degree(Node node) const = 0;

  // Whoever reads many is better served by all of them.
  bool may_read_one() const noexcept { return read_.fetch_add(1, std::memory_order_relaxed) < 256; }

 private:
  mutable std::atomic<std::uint64_t> read_ = 0;
};

struct Graph::Impl {
  PublicFacts facts;
  std::uint64_t edges;
  Lazy<NodeList> nodes;
  Lazy<Csr> csr;
  std::unique_ptr<const SingleRows> single = {};  // for as long as nobody has asked for all rows

  bool is_for_one_row() const { return single && (spread || (!csr.made() && single->may_read_one())); }
  std::optional<Sha256> digest = {};  // as the file says
  mutable std::mutex digesting = {};
  mutable std::optional<Sha256> computed_digest = {};
  std::shared_ptr<const SpreadGraph> spread = {};
  std::shared_ptr<const UnsavedGraph> unsaved = {};
  KeptNumbers kept = {};
};

struct GraphAccess {
  static const Csr& csr(const Graph& graph) { return graph.impl_->csr.get(); }
  static const SpreadGraph* spread(const Graph& graph) { return graph.impl_->spread.get(); }
  static const KeptNumbers& kept(const Graph& graph) { return graph.impl_->kept; }
  static const NodeList::Impl& ids(const NodeList& nodes) { return *nodes.impl_; }

  // `nodes` and `csr` are the values, or functions that make them at their first use.
  template <class Nodes, class Rows>
  static Graph make(PublicFacts facts, std::uint64_t edges, Nodes nodes, Rows csr,
                    std::unique_ptr<const SingleRows> single = {}, std::optional<Sha256> digest = {},
                    std::shared_ptr<const SpreadGraph> spread = {},
                    std::shared_ptr<const UnsavedGraph> unsaved = {}) {
    return Graph(std::shared_ptr<const Graph::Impl>(new Graph::Impl{.facts = std::move(facts),
                                                                    .edges = edges,
                                                                    .nodes = Lazy<NodeList>(std::move(nodes)),
                                                                    .csr = Lazy<Csr>(std::move(csr)),
                                                                    .single = std::move(single),
                                                                    .digest = digest,
                                                                    .spread = std::move(spread),
                                                                    .unsaved = std::move(unsaved)}));
  }
};

inline const Csr& csr_of(const Graph& graph) { return GraphAccess::csr(graph); }

// Facts of a new graph: a fresh random id, the bound checked. Error{refused} when there are more edges than
// it.
PublicFacts make_facts(std::uint64_t nodes, std::uint64_t edges, std::optional<std::uint64_t> max_edges,
                       bool nodes_declared);

}  // namespace hushwalk
