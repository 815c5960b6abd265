// However links are cut into segments, sums have the bytes of one chain for each row.
#include "diffusion/segments.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "graph/build_csr.h"
#include "hushwalk/threads.h"
#include "support/chains.h"

namespace hushwalk {
namespace {

using testing::all_chains;
using testing::same_bytes;
using testing::values;

template <class T, int lanes>
bool equals_chains(const Csr& csr) {
  const std::vector<T> x = values<T>(csr.rows() * lanes);
  std::vector<T> sums(x.size(), T{-7});
  Segments(csr).sum<T, lanes>(x.data(), sums.data());
  return same_bytes(sums, all_chains(csr, x, lanes));
}

bool equals_chains_in_all_widths(const Csr& csr) {
  return equals_chains<double, 1>(csr) && equals_chains<double, 8>(csr) && equals_chains<double, 16>(csr) &&
         equals_chains<std::int64_t, 1>(csr) && equals_chains<std::int64_t, 8>(csr) &&
         equals_chains<std::int64_t, 16>(csr);
}

Csr csr_of_edges(std::uint64_t nodes, const std::vector<EdgeOfNodes>& edges) {
  EdgePieces pieces(1);
  for (const EdgeOfNodes& edge : edges) pieces[0].push_back(edge);
  return build_csr(nodes, std::move(pieces)).csr;
}

// A hub linked to every node, and a ring: every column is read, the first and the last of a segment too.
Csr wheel(Node nodes) {
  std::vector<EdgeOfNodes> edges;
  for (Node v = 1; v < nodes; ++v) {
    edges.push_back({0, v});
    edges.push_back({v, v + 1 < nodes ? v + 1 : 1});
  }
  return csr_of_edges(nodes, edges);
}

// Segments are 8,192 columns wide to begin with, and 65,536 from column 131,072 on.
TEST(Segments, OfOneWidthAndOneMoreColumnGiveTheBytesOfRows) {
  for (const Node nodes : {1U, 2U, 7U, 8U, 9U, 8191U, 8192U, 8193U, 32768U, 32769U, 65536U, 65537U})
    EXPECT_TRUE(equals_chains_in_all_widths(wheel(nodes))) << nodes;
}

TEST(Segments, ReachTheLastColumnOfTheWidest) {
  for (const Node nodes : {196'607U, 196'608U, 196'609U})
    EXPECT_TRUE((equals_chains<double, 1>(wheel(nodes)) && equals_chains<std::int64_t, 8>(wheel(nodes))))
        << nodes;
}

TEST(Segments, OfNothingAreNothing) {
  EXPECT_TRUE(equals_chains_in_all_widths(csr_of_edges(0, {})));
  EXPECT_TRUE(equals_chains_in_all_widths(csr_of_edges(9000, {})));
}

// Every node of a few has a run of the whole segment: more than eight bits of length.
TEST(Segments, HaveRunsOfAnyLength) {
  std::vector<EdgeOfNodes> edges;
  for (Node hub = 0; hub < 37; ++hub)
    for (Node v = 37; v < 9000 - hub * 211; ++v) edges.push_back({hub, v});
  EXPECT_TRUE(equals_chains_in_all_widths(csr_of_edges(9000, edges)));
}

// Hubs, since one end is drawn more often the lower it is; empty rows, since both ends are below a limit.
Csr skewed(Node nodes, Node limit, int links, std::uint64_t state) {
  const auto draw = [&](Node below) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<Node>((state >> 32) * below >> 32);
  };
  std::vector<EdgeOfNodes> edges;
  for (; links > 0; --links) {
    const Node hub = draw(draw(draw(limit) + 1) + 1);
    edges.push_back({hub, draw(limit)});
  }
  return csr_of_edges(nodes, edges);
}

RC_GTEST_PROP(Segments, GiveTheBytesOfRowsForAnyLanesAndThreads, ()) {
  const Node nodes = *rc::gen::element<Node>(1, 5, 300, 8192, 8193, 20'000);
  const Csr csr = skewed(nodes, *rc::gen::inRange<Node>(1, nodes + 1), *rc::gen::inRange(0, 20'000),
                         *rc::gen::arbitrary<std::uint64_t>());
  const ThreadLimit limit(*rc::gen::element(1, 2, 3));
  RC_ASSERT(equals_chains_in_all_widths(csr));
}

TEST(Segments, GiveTheBytesOfRowsOnEverySimdTarget) {
  const Csr csr = skewed(20'000, 19'000, 200'000, 1);
  testing::on_every_target(
      [&](const char* target) { EXPECT_TRUE(equals_chains_in_all_widths(csr)) << target; });
}

}  // namespace
}  // namespace hushwalk
