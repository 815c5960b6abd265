#include "graph/build_csr.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "graph/graph_impl.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

using ::testing::ElementsAre;

TEST(BuildCsr, CountsSelfLoopsAndRepeatsInEitherDirection) {
  const BuiltCsr built = build_csr(4, {{{0, 1}, {1, 0}, {2, 2}}, {{0, 1}, {3, 1}}});
  EXPECT_EQ(built.csr.neighbors.size(), 2U * 2);
  EXPECT_EQ(built.self_loops, 1U);
  EXPECT_EQ(built.duplicates, 2U);
}

TEST(BuildCsr, OrdersRowsByDegreeThenByNode) {
  //  0 - 2 - 1,  3 alone
  const BuiltCsr built = build_csr(4, {{{0, 2}, {1, 2}}});
  EXPECT_THAT(built.csr.node_of_row, ElementsAre(2, 0, 1, 3));
  EXPECT_THAT(built.csr.row_of_node, ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(built.csr.row(0), ElementsAre(1, 2));
}

TEST(BuildCsr, EmptyGraph) { EXPECT_EQ(build_csr(0, {}).csr.rows(), 0U); }

RC_GTEST_PROP(BuildCsr, HoldsExactlyTheSetOfEdges, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 30);
  const auto end = rc::gen::inRange<Node>(0, nodes);
  const auto pairs = *rc::gen::container<std::vector<std::pair<Node, Node>>>(rc::gen::pair(end, end));
  EdgePieces pieces(3);
  std::set<std::pair<Node, Node>> expected;
  std::uint64_t loops = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [u, v] = pairs[i];
    pieces[i % 3].push_back({u, v});
    u == v ? void(++loops) : void(expected.insert(std::minmax(u, v)));
  }
  const BuiltCsr built = build_csr(nodes, std::move(pieces));
  RC_ASSERT(built.self_loops == loops);
  RC_ASSERT(built.csr.neighbors.size() == 2 * expected.size());
  RC_ASSERT(built.duplicates == pairs.size() - loops - expected.size());
  std::set<std::pair<Node, Node>> found;
  for (Row r = 0; r < nodes; ++r) {
    RC_ASSERT((r == 0 || built.csr.degree(r - 1) >= built.csr.degree(r)));
    RC_ASSERT(std::ranges::is_sorted(built.csr.row(r)));
    for (const Row s : built.csr.row(r)) {
      const Node u = built.csr.node_of_row[r], v = built.csr.node_of_row[s];
      if (u < v) found.insert({u, v});
    }
  }
  RC_ASSERT(found == expected);
}

}  // namespace
}  // namespace hushwalk
