// `frontier`: every graph of a few nodes, every neighbourhood, every set and every edge priced, and whole
// transcripts of the release priced on graphs that differ in one edge.
#include <gtest/gtest.h>

#include <map>

#include "accounting/edge_cost.h"
#include "mechanism/mechanism.h"
#include "noise/keyed_noise.h"
#include "support/frontier_centres.h"
#include "support/graphs.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using testing::FrontierFlaw;
using testing::IndependentFrontier;
using testing::Seeded;
using testing::SmallGraph;

constexpr double rounding = 1e-9;

// The dearest edges, over epsilon, by kind: which of N, A and R its ends are in.
using Worst = std::map<std::string, double>;

std::string kind_of(const std::vector<testing::Part>& parts, const auto& in_set, std::size_t u,
                    std::size_t v) {
  const auto side = [&](std::size_t node) {
    return parts[node] == testing::Part::near ? 'N' : in_set[node] != 0 ? 'A' : 'R';
  };
  return {std::min(side(u), side(v)), std::max(side(u), side(v))};
}

void note(Worst& worst, const std::string& kind, double cost) { worst[kind] = std::max(worst[kind], cost); }

void expect_all_attain_epsilon(const Worst& worst, std::size_t kinds) {
  EXPECT_EQ(worst.size(), kinds);
  for (const auto& [kind, cost] : worst) EXPECT_NEAR(cost, 1, rounding) << kind;
}

std::array<double, 7> scales_of(const Plan& plan) {
  std::array<double, 7> scales{};
  std::ranges::transform(plan.noise, scales.begin(), &NoiseUse::lattice_scale);
  return scales;
}

// The scales of a plan for so many nodes.
std::array<double, 7> scales_of(std::uint64_t nodes, double epsilon, double taper) {
  ReleaseParameters request;
  request.mechanism = "frontier";
  request.epsilon = Epsilon(epsilon);
  request.taper = taper;
  return scales_of(make_plan(public_facts(nodes), request));
}

double price(const IndependentFrontier::Result& a, const IndependentFrontier::Result& b) {
  if (a.in_set != b.in_set) return INFINITY;
  double cost = 0;
  for (const auto& [place, number] : a.numbers)
    cost += static_cast<double>(std::abs(number.count - b.numbers.at(place).count)) / number.scale;
  return cost;
}

std::vector<SmallGraph> all_graphs(std::size_t nodes) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < nodes; ++a)
    for (std::size_t b = 0; b < a; ++b) pairs.emplace_back(a, b);
  std::vector<SmallGraph> graphs;
  for (std::size_t edges = 0; edges < std::size_t{1} << pairs.size(); ++edges) {
    graphs.emplace_back(nodes);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (edges >> i & 1) graphs.back().link(pairs[i].first, pairs[i].second);
  }
  return graphs;
}

// The dearest edges of all graphs with these nodes besides the seed, node 0, which is the last that
// all_graphs fixes; under all sets, and with released numbers that give the largest and some other weights.
Worst worst_costs(std::size_t others, FrontierFlaw flaw) {
  constexpr double epsilon = 1, taper = 2;
  const std::size_t n = others + 1;
  const auto scales = scales_of(n, epsilon, taper);
  Worst worst;
  for (const SmallGraph& graph : all_graphs(n)) {
    const std::vector<testing::Part> parts = parts_of(graph, SeedVector(0));
    for (std::size_t members = 0; members < std::size_t{1} << n; ++members) {
      std::vector<char> set(n);
      for (std::size_t v = 0; v < n; ++v) set[v] = static_cast<char>(members >> v & 1);
      const auto is_far = [&](std::size_t v) { return !set[v] || parts[v] == testing::Part::rest; };
      bool inside = true;
      for (std::size_t v = 0; v < n; ++v) inside = inside && is_far(v);
      if (!inside) continue;
      for (const std::int64_t seen : {0, 3}) {
        const IndependentFrontier frontier(
            {n, taper, scales},
            [&](std::size_t, std::size_t, std::size_t v, std::int64_t) {
              return seen * static_cast<std::int64_t>(v % 2) << 32;
            },
            flaw);
        const auto without = frontier.run(graph, SeedVector(0), set);
        for (std::size_t u = 1; u < n; ++u)
          for (std::size_t v = 1; v < u; ++v) {
            if (graph.linked(u, v)) continue;
            SmallGraph with = graph;
            with.link(u, v);
            note(worst, kind_of(parts, set, u, v),
                 price(without, frontier.run(with, SeedVector(0), set)) / epsilon);
          }
      }
    }
  }
  return worst;
}

double worst_cost(std::size_t others, FrontierFlaw flaw) {
  double worst = 0;
  for (const auto& [kind, cost] : worst_costs(others, flaw)) worst = std::max(worst, cost);
  return worst;
}

TEST(Frontier, NoGraphSetOrEdgeOfThreeOrFourNodesCostsMoreThanEpsilon) {
  for (const std::size_t others : {3U, 4U})
    expect_all_attain_epsilon(worst_costs(others, FrontierFlaw::none), 6);
}

TEST(Frontier, FlawsCostMoreThanEpsilon) {
  EXPECT_NEAR(worst_cost(3, FrontierFlaw::inside_set_at_half_the_noise), 2, 1e-6);
  EXPECT_GT(worst_cost(4, FrontierFlaw::true_degrees_as_weights), 1.05);
  EXPECT_NEAR(worst_cost(3, FrontierFlaw::background_on_top), 2, 1e-6);
  // Links to A move degrees inside O, links to N those of the whole graph too.
  const Worst inside = worst_costs(4, FrontierFlaw::degrees_of_all_in_the_rest),
              all = worst_costs(4, FrontierFlaw::degrees_of_the_graph_in_the_rest);
  EXPECT_GT(inside.at("AR"), 1.2);
  EXPECT_NEAR(inside.at("NR"), 1, rounding);
  EXPECT_GT(all.at("AR"), 1.2);
  EXPECT_GT(all.at("NR"), 1.2);
}

// By the formulas of the note, in whole numbers where doubles are exact.
TEST(Frontier, PricesAreThoseOfTheNote) {
  const accounting::SeparateScales separate{
      .in_links_in = 4, .in_links_out = 8, .out_links_in = 2, .out_background = 16};
  const auto cost = frontier_cost_up(separate, {.among = 0.5, .into = 0.25, .out_of = 2}, 1);
  EXPECT_EQ(cost.separate.worst(), 0.625);
  EXPECT_EQ(cost.among, 4);
  EXPECT_EQ(cost.across, 4.5);
  EXPECT_EQ(cost.worst(), 4.5);
  EXPECT_EQ(frontier_cost_up(separate, {.among = 0.25, .into = 0.25, .out_of = 2}, 1).worst(), 8);
  EXPECT_EQ(frontier_cost_up(separate, {.among = 8, .into = 8, .out_of = 8}, 1).worst(), 0.625);
}

SeedVector equal_seeds(std::size_t count) {
  std::vector<std::pair<Node, double>> weights;
  for (Node v = 0; v < count; ++v) weights.emplace_back(v, 1.0);
  return SeedVector::weighted(weights);
}

// The size of the set by the rule of the note.
IndependentFrontier::Design design_of(const Plan& plan) {
  const double epsilon = plan.epsilon(), nodes = static_cast<double>(plan.graph.nodes);
  return {static_cast<std::size_t>(nodes / (5 * std::max(1.0, epsilon))), *plan.parameters.taper,
          scales_of(plan)};
}

double price(const Centres& a, const Centres& b) {
  if (a.scale != b.scale) return INFINITY;
  double cost = 0;
  for (std::size_t column = 0; column < a.centre.size(); ++column)
    for (std::size_t v = 0; v < a.centre[column].size(); ++v)
      if (a.scale[column][v] > 0)
        cost += static_cast<double>(std::abs(a.centre[column][v] - b.centre[column][v])) / a.scale[column][v];
  return cost;
}

// A transcript of one of both graphs, priced on both; what is priced is what the independent code says.
void price_transcript(const testing::Pair& pair, const SeedVector& seed, const ReleaseParameters& request,
                      std::uint64_t key, Worst& worst) {
  const Graph without = testing::to_graph(pair.graph), with = testing::to_graph(pair.neighbor());
  const Plan plan = make_plan(without.facts(), request);
  const Mechanism& mechanism = find_mechanism("frontier");
  KeyedNoise noise(testing::seeded_key(key)), same(testing::seeded_key(key));
  const auto here = mechanism.start(plan, without, noise, {}), there = mechanism.start(plan, with, same, {});
  const Columns released = (key % 2 == 0 ? here : there)->numbers({&seed, 1}, 0, {}).front();
  const Centres centres_here = *here->centres(released, seed),
                centres_there = *there->centres(released, seed);
  const IndependentFrontier independent(design_of(plan), testing::as_released(released));
  const auto expected = independent.run(pair.graph, seed);
  EXPECT_EQ(released[3], Column(expected.in_set.begin(), expected.in_set.end()));
  testing::expect_same(centres_here, testing::centres_of(expected));
  testing::expect_same(centres_there, testing::centres_of(independent.run(pair.neighbor(), seed)));
  const bool looked = std::ranges::count(released[3], 1) > 0;
  note(worst,
       kind_of(parts_of(pair.graph, seed), released[3], pair.u, pair.v) + (looked ? "" : ", no second look"),
       price(centres_here, centres_there) / plan.epsilon());
}

// The seeds are the first nodes, whose links are known. A set of one in five, chosen by what was released.
TEST(Frontier, NoTranscriptCostsMoreThanEpsilon) {
  Seeded random(2);
  Worst worst;
  for (std::uint64_t i = 0; i < 2000 && !HasFailure(); ++i) {
    const std::size_t seeds = 1 + random.below(3);
    const testing::Pair pair = testing::random_pair(random, 14, seeds);
    ReleaseParameters request;
    request.mechanism = "frontier";
    request.epsilon = Epsilon(random.log_uniform(0.41, 10));
    request.taper = static_cast<double>(1 + random.below(6));
    request.seeds_per_ranking = seeds;
    price_transcript(pair, equal_seeds(seeds), request, i, worst);
  }
  expect_all_attain_epsilon(worst, 6 + 3);
}

// N has about the links from which on its nodes count as hubs, so that noise decides. The edge is one more.
TEST(Frontier, NoTranscriptAtHubsCostsMoreThanEpsilon) {
  constexpr std::size_t nodes = 310, links = 170;  // 150, and some of the noise of the sum
  for (const std::size_t near : {1U, 2U}) {
    SmallGraph graph(nodes);
    for (std::size_t hub = 1; hub <= near; ++hub) {
      graph.link(0, hub);
      for (std::size_t i = 0; i < links; ++i) graph.link(hub, nodes - 1 - (hub - 1) * links / 2 - i);
    }
    Worst worst;
    for (std::uint64_t i = 0; i < 20; ++i)
      price_transcript({graph, 1, near + 1}, SeedVector(0), {.mechanism = "frontier", .epsilon = Epsilon(1)},
                       i, worst);
    EXPECT_TRUE(worst.contains("NR, no second look"));
    EXPECT_TRUE(worst.contains("AN") || worst.contains("NR"));
    expect_all_attain_epsilon(worst, worst.size());
  }
}

Columns released_of_karate(const ReleaseParameters& request) {
  const Graph graph = testing::karate();
  const Plan plan = make_plan(graph.facts(), request);
  KeyedNoise noise(testing::seeded_key(3));
  const SeedVector seed(0);
  return find_mechanism(request.mechanism).start(plan, graph, noise, {})->numbers({&seed, 1}, 0, {}).front();
}

// Where no set is chosen, here because a fifth of the nodes over epsilon is less than one, the numbers are
// those of `twohop`, bit for bit.
TEST(Frontier, WithoutASecondLookReleasesTheNumbersOfTwoHop) {
  const Graph graph = testing::karate();
  const auto released = [](const char* name) {
    return released_of_karate({.mechanism = name, .epsilon = Epsilon(30)});
  };
  const Columns one = released("frontier"), other = released("twohop");
  EXPECT_EQ(one[0], other[0]);
  EXPECT_EQ(one[1], other[1]);
  for (const std::size_t empty : {2U, 3U}) EXPECT_EQ(one[empty], Column(graph.nodes()));
}

TEST(Frontier, IsTwoHopWhereThatIsOneScore) {
  for (const ReleaseParameters& request :
       {ReleaseParameters{.epsilon = Epsilon(0.39)}, ReleaseParameters{.epsilon = Epsilon(0.05)},
        ReleaseParameters{.epsilon = Epsilon(2), .background = 0.1}}) {
    ReleaseParameters one = request, other = request;
    one.mechanism = "frontier", other.mechanism = "twohop";
    EXPECT_EQ(released_of_karate(one), released_of_karate(other));
    const PublicFacts facts = testing::karate().facts();
    Plan planned = make_plan(facts, one);
    planned.parameters.mechanism = "twohop";
    EXPECT_EQ(planned, make_plan(facts, other));
  }
  EXPECT_EQ(released_of_karate({.mechanism = "frontier", .epsilon = Epsilon(0.4)}).size(), 4U);
}

}  // namespace
}  // namespace hushwalk
