// Values of an independent implementation in exact rational arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hushwalk/diffuse.h"
#include "support/golden.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

using Json = nlohmann::json;

Diffusion diffusion_of(const Json& golden) {
  const double beta = golden.at("beta");
  const int steps = golden.at("steps");
  return golden.at("diffusion") == "ppr" ? Diffusion::ppr(beta, steps) : Diffusion::pagerank(beta, steps);
}

std::optional<Clip> clip_of(const Json& golden) {
  if (golden.at("eta").is_null()) return std::nullopt;
  return Clip{golden.at("eta"), golden.at("scope") == "edge" ? Scope::edge : Scope::personalized};
}

TEST(DiffusionGolden, AllCasesOfTheFile) {
  const Json golden = testing::golden("diffusion.json");
  const Graph graph = testing::karate();
  ASSERT_EQ(golden.at("cases").size(), 12U);
  for (const Json& one : golden.at("cases")) {
    ASSERT_EQ(one.at("graph"), "karate");
    const Node seed = *graph.node_list().find(one.at("seed").get<std::int64_t>());
    const auto scores = diffuse_exactly(graph, diffusion_of(one), SeedVector(seed), clip_of(one));
    const std::vector<double> expected = one.at("values");
    ASSERT_EQ(scores.size(), expected.size());
    for (std::size_t v = 0; v < expected.size(); ++v)
      EXPECT_NEAR(scores[v], expected[v], 1e-14 * std::max(expected[v], 0.01)) << one.at("diffusion") << v;
  }
}

}  // namespace
}  // namespace hushwalk
