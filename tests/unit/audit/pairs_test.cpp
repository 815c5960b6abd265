#include "audit/pairs.h"

#include <gtest/gtest.h>

namespace hushwalk::auditing {
namespace {

TEST(WorstPairs, DifferInOneEdgeThatIsProtected) {
  for (const Scope scope : {Scope::personalized, Scope::edge})
    for (const Node degree : {1U, 3U, 8U})
      for (const AdjacentPair& pair : worst_pairs(scope, degree)) {
        const Graph without = pair.without(), with = pair.with();
        const auto [u, v] = pair.edge;
        EXPECT_EQ(without.secret_edges(), pair.edges.size()) << pair.name;
        EXPECT_EQ(with.secret_edges(), without.secret_edges() + 1) << pair.name;
        EXPECT_TRUE(with.adjacent(u, v) && !without.adjacent(u, v)) << pair.name;
        EXPECT_EQ(with.facts().max_edges, without.facts().max_edges);
        if (scope == Scope::personalized) {
          EXPECT_FALSE(pair.seed.contains(u) || pair.seed.contains(v)) << pair.name;
        }
      }
}

}  // namespace
}  // namespace hushwalk::auditing
