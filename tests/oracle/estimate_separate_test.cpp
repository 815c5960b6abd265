// The estimator of the separate form against an independent implementation (golden/make_separate.py).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "estimate/separate.h"
#include "support/golden.h"

namespace hushwalk {
namespace {

using Json = nlohmann::json;

SeedVector equal_seeds(const std::vector<Node>& nodes) {
  std::vector<std::pair<Node, double>> entries;
  for (const Node node : nodes) entries.emplace_back(node, 1);
  return SeedVector::weighted(entries);
}

TEST(EstimateSeparate, AgreesWithTheGoldenFile) {
  const Json cases = testing::golden("separate.json").at("cases");
  ASSERT_EQ(cases.size(), 24U);
  for (const Json& row : cases) {
    const std::vector<double> scales = row.at("scales"), expected = row.at("scores");
    const SeparateNumbers noisy{
        row.at("into_near"), row.at("into_far"), {scales[0], scales[1], scales[2], scales[3]}};
    const OwnLinks own{row.at("near"), row.at("share")};
    const Series theta{.one = row.at("theta_1"), .two = row.at("tail")};
    const Estimate found = estimate_separate(noisy, equal_seeds(row.at("seeds")), own, theta);
    ASSERT_EQ(found.scores.size(), expected.size());
    for (std::size_t v = 0; v < expected.size(); ++v)
      ASSERT_NEAR(found.scores[v], expected[v], 1e-9) << row.at("name") << " seeds " << row.at("seeds")
                                                      << " epsilon " << row.at("epsilon") << " node " << v;
  }
}

}  // namespace
}  // namespace hushwalk
