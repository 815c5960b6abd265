#include "graph/import/edge_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>

namespace hushwalk {
namespace {

using Pair = std::pair<Node, Node>;

Pair sorted(EdgeOfNodes edge) { return std::minmax(edge.u, edge.v); }

std::set<Pair> held_by(const EdgeHeap& heap, bool interned) {
  std::set<Pair> edges;
  for (std::size_t i = 0; i < heap.pieces().size(); ++i)
    if (heap.interned(i) == interned)
      for (const EdgeOfNodes edge : heap.pieces()[i]) edges.insert(sorted(edge));
  return edges;
}

// A thousand distinct edges, forwards and backwards, over and over: four million lines.
TEST(EdgeHeap, HoldsNoMoreThanAFewTimesTheDistinctEdges) {
  constexpr std::size_t distinct = 1000, patience = 500;
  EdgeHeap heap(patience);
  std::uint64_t added = 0;
  for (Node round = 0; round < 4000; ++round) {
    std::vector<EdgeOfNodes> piece;
    for (Node i = 0; i < distinct; ++i)
      piece.push_back(round % 2 == 0 ? EdgeOfNodes{i, i + 1} : EdgeOfNodes{i + 1, i});
    heap.add(std::move(piece));
    added += distinct;
    ASSERT_LE(heap.held(), 4 * distinct + distinct) << "and the latest piece";
    ASSERT_EQ(heap.added(), added);
  }
  EXPECT_EQ(heap.dropped().self_loops, 0U);
  EXPECT_EQ(held_by(heap, false).size(), distinct);
}

TEST(EdgeHeap, HoldsOneEdgeOfAMillionLines) {
  EdgeHeap heap(100);
  for (int i = 0; i < 10'000; ++i) {
    heap.add(std::vector<EdgeOfNodes>(100, {7, 3}));
    ASSERT_LE(heap.held(), 200U);
  }
  EXPECT_EQ(heap.added(), 1'000'000U);
}

TEST(EdgeHeap, LeavesDistinctEdgesAlone) {
  EdgeHeap heap(100'000);
  for (Node i = 0; i < 1'000'000; i += 1000) {
    std::vector<EdgeOfNodes> piece;
    for (Node j = i; j < i + 1000; ++j) piece.push_back({j, j + 1});
    heap.add(std::move(piece));
  }
  EXPECT_EQ(heap.pieces().size(), 1000U) << "nothing was sorted or moved";
}

RC_GTEST_PROP(EdgeHeap, LosesNoEdgeAndCountsWhatItDrops,
              (std::vector<std::vector<std::pair<std::uint8_t, std::uint8_t>>> pieces)) {
  EdgeHeap heap(8);
  std::set<Pair> expected[2];
  std::uint64_t loops = 0, kept_loops = 0, added = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::vector<EdgeOfNodes> edges;
    for (const auto& [u, v] : pieces[i]) {
      edges.push_back({u % 5U, v % 5U});
      expected[i % 2].insert(sorted(edges.back()));
      loops += u % 5 == v % 5;
    }
    added += edges.size();
    heap.add(std::move(edges), i % 2 == 1);
  }
  for (const auto& piece : heap.pieces())
    for (const auto [u, v] : piece) kept_loops += u == v;
  RC_ASSERT(held_by(heap, false) == expected[0]);
  RC_ASSERT(held_by(heap, true) == expected[1]);
  RC_ASSERT(heap.added() == added);
  RC_ASSERT(heap.dropped().self_loops + kept_loops == loops);
}

}  // namespace
}  // namespace hushwalk
