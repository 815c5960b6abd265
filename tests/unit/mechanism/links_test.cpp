// Link counts before noise, against values of an independent implementation in exact rationals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "diffusion/series.h"
#include "estimate/estimate.h"
#include "hushwalk/generate.h"
#include "mechanism/links.h"
#include "plan/link_plan.h"
#include "support/arbitrary.h"
#include "support/golden.h"
#include "support/split_rows.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;
using Json = nlohmann::json;

Json golden() { return testing::golden("twohop.json"); }

QuantisedTaper taper_in(const Json& row, double background) {
  return {background, row.at("taper").is_null() ? accounting::Taper{} : row.at("taper").get<std::uint64_t>()};
}

// A weight is rounded down by less than a unit, and a node has at most 33 neighbours.
constexpr double rounding = 34 * 0x1p-32;

TEST(Links, TwoHopCountsAreThoseOfTheGoldenFile) {
  const Graph graph = testing::karate();
  const Json rows = golden().at("twohop");
  ASSERT_EQ(rows.size(), 36U);
  for (const Json& row : rows) {
    std::vector<std::pair<Node, double>> entries;
    for (const int id : row.at("seeds")) entries.emplace_back(id - 1, 1.0);
    const SeedVector seed = SeedVector::weighted(entries);
    const QuantisedTaper taper = taper_in(row, row.at("background"));
    const auto found = to_links(
        two_hop_links(graph, taper, weighted_links(graph, taper), seed, own_links(graph, seed).near));
    for (std::size_t v = 0; v < found.size(); ++v)
      EXPECT_NEAR(found[v], row.at("values")[v].get<double>(), rounding) << row.dump() << " node " << v + 1;
  }
}

TEST(Links, SharedCountsAreThoseOfTheGoldenFile) {
  const Graph graph = testing::karate();
  const Json rows = golden().at("shared");
  ASSERT_FALSE(rows.empty());
  for (const Json& row : rows) {
    const auto found = to_links(weighted_links(graph, taper_in(row, 1)));
    for (std::size_t v = 0; v < found.size(); ++v)
      EXPECT_NEAR(found[v], row.at("values")[v].get<double>(), rounding);
  }
}

TEST(Links, OfAllNodesAreKeptForEachTaperByItself) {
  const Graph graph = testing::karate();
  std::vector<QuantisedTaper> tapers;
  for (const double background : {1.0, 0.5, 0x1p-60})
    for (const accounting::Taper& taper : {accounting::Taper{}, accounting::Taper{3}, accounting::Taper{4}})
      tapers.emplace_back(background, taper);
  ASSERT_GT(tapers.size(), KeptNumbers::most);
  for (int again = 0; again < 2; ++again)
    for (const QuantisedTaper& taper : tapers) {
      const auto kept = kept_links(graph, taper);
      EXPECT_EQ(*kept, weighted_links(graph, taper));
      EXPECT_EQ(kept_links(graph, taper).get(), kept.get());  // not walked through again
    }
  EXPECT_NE(kept_links(testing::karate(), tapers[0]).get(), kept_links(graph, tapers[0]).get());
}

// A thread that waits for the walk must not begin another turn of the loop outside, which would wait for it.
TEST(Links, OfAllNodesMayBeWantedByAllTurnsOfALoop) {
  const QuantisedTaper taper(1, 300);
  const tbb::global_control whatever_cores_there_are(tbb::global_control::max_allowed_parallelism, 8);
  tbb::task_arena many_threads(8);
  for (std::uint64_t again = 0; again < 20; ++again) {
    const Graph graph = generate("er", {.nodes = 50'000, .edges = 400'000, .random_seed = again});
    std::vector<std::shared_ptr<const std::vector<std::int64_t>>> kept(64);
    many_threads.execute([&] {
      parallel_for(kept.size(), 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) kept[i] = kept_links(graph, taper);
      });
    });
    for (const auto& one : kept) EXPECT_EQ(one, kept.front());
    EXPECT_EQ(*kept.front(), weighted_links(graph, taper));
  }
}

TEST(Links, OwnLinksShareTheFirstStep) {
  const Graph graph = testing::path4();
  const OwnLinks one = own_links(graph, SeedVector(1));
  EXPECT_EQ(one.near, (std::vector<Node>{0, 2}));
  EXPECT_EQ(one.share, (std::vector<double>{0.5, 0.5}));
  const OwnLinks two = own_links(graph, SeedVector::weighted({{0, 1}, {2, 1}}));
  EXPECT_EQ(two.near, (std::vector<Node>{1, 3}));
  EXPECT_EQ(two.share, (std::vector<double>{0.5 + 0.25, 0.25}));
}

// What is counted of the rows, in turn: every number depends on links between parts.
struct AllLinks {
  std::vector<std::int64_t> weighted, two_hop, far, into_near, into_far;
  friend bool operator==(const AllLinks&, const AllLinks&) = default;
};

AllLinks all_links(const Rows& rows, const QuantisedTaper& taper, const SeedVector& seed,
                   const std::vector<Node>& near) {
  const std::vector<std::int64_t> weighted = weighted_links(rows, taper);
  const SeparateLinks separate = separate_links(rows, taper, weighted, seed, near);
  return {weighted, two_hop_links(rows, taper, weighted, seed, near),
          far_links(rows, taper, weighted, seed, near), separate.into_near, separate.into_far};
}

AllLinks joined(const std::vector<AllLinks>& parts) {
  AllLinks all;
  for (const AllLinks& part : parts)
    for (const auto member :
         {&AllLinks::weighted, &AllLinks::two_hop, &AllLinks::far, &AllLinks::into_near, &AllLinks::into_far})
      (all.*member).insert((all.*member).end(), (part.*member).begin(), (part.*member).end());
  return all;
}

RC_GTEST_PROP(Links, AreTheSameForAnyNumberOfParts, ()) {
  const Graph graph = testing::arbitrary_graph();
  const SeedVector seed = testing::arbitrary_seeds(graph);
  const std::vector<Node> near = own_links(graph, seed).near;
  const QuantisedTaper taper(*rc::gen::element(0.1, 1.0),
                             *rc::gen::element<accounting::Taper>(std::nullopt, 3));
  const auto count = [&](const Rows& rows) { return all_links(rows, taper, seed, near); };
  const AllLinks whole = count(graph);
  for (const std::size_t parts : {1, 2, 3, 5})
    RC_ASSERT(joined(testing::SplitGraph(graph, parts).run_parts(count)) == whole);
}

// The coefficients of the whole polynomial, multiplied out.
RC_GTEST_PROP(Series, AgreesWithTheWholePolynomial, ()) {
  std::vector<Step> steps;
  for (int k = *rc::gen::inRange(1, 12); k > 0; --k) {
    const double walk = *rc::gen::inRange(-10, 11) / 10.0, stay = *rc::gen::inRange(-10, 11) / 10.0;
    steps.push_back({walk, stay, 1 - walk - stay});
  }
  std::vector<double> p(steps.size() + 3, 0.0);
  p[0] = 1;
  for (const Step& step : steps) {
    for (std::size_t k = p.size(); k-- > 0;) p[k] = step.stay * p[k] + (k > 0 ? step.walk * p[k - 1] : 0);
    p[0] += step.restart;
  }
  const Series theta = series_of(steps);
  RC_ASSERT(std::abs(theta.zero - p[0]) < 1e-9);
  RC_ASSERT(std::abs(theta.one - p[1]) < 1e-9);
  RC_ASSERT(std::abs(theta.two - p[2]) < 1e-9);
  double rest = 0;
  for (std::size_t k = 3; k < p.size(); ++k) rest += p[k];
  RC_ASSERT(std::abs(theta.rest - rest) < 1e-7);
}

}  // namespace
}  // namespace hushwalk
