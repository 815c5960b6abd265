// Every mechanism once more, by plain loops over a matrix of links: what a release gives out is this, bit for
// bit, under the same release key and with the parameters and the noise that its certificate states. So no
// noise can be left out, made smaller or put elsewhere than the certificate says.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "hushwalk/certificate.h"
#include "hushwalk/error.h"
#include "mechanism/mechanism.h"
#include "plan/planner.h"
#include "support/frontier_centres.h"
#include "support/graphs.h"
#include "support/independent_circles.h"
#include "support/independent_lattice.h"
#include "support/independent_links.h"
#include "support/independent_noise.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using nlohmann::json;
using testing::IndependentNoise;
using testing::key_bytes;
using testing::Part;
using testing::Seeded;
using testing::seeded_key;
using testing::SmallGraph;
using testing::TaperedWeight;

double number(const json& value) {
  return value == "inf" ? std::numeric_limits<double>::infinity() : value.get<double>();
}

Scope scope_in(const json& certificate) {
  return certificate.at("scope") == "edge" ? Scope::edge : Scope::personalized;
}

// The scale of the noise on the numbers of this name.
double scale_on(const json& certificate, const std::string& on) {
  for (const json& use : certificate.at("noise"))
    if (use.at("on") == on) return use.at("lattice_scale");
  ADD_FAILURE() << "no noise on " << on << " in " << certificate.at("noise");
  return 1;
}

std::vector<Step> steps_in(const json& certificate) {
  const json& diffusion = certificate.at("parameters").at("diffusion");
  const std::string name = diffusion.at("name");
  const std::size_t count = diffusion.at("steps");
  std::vector<Step> steps(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (name == "custom") {
      steps[k] = {diffusion.at("gamma1")[k], diffusion.at("gamma2")[k], diffusion.at("gamma3")[k]};
    } else if (name == "heat") {
      const double walk = diffusion.at("time").get<double>() / static_cast<double>(count);
      steps[k] = {walk, 1 - walk, 0};
    } else {
      const double beta = diffusion.at("beta");
      steps[k] = name == "ppr" ? Step{beta / 2, beta / 2, 1 - beta} : Step{beta, 0, 1 - beta};
    }
  }
  return steps;
}

Columns lattice_numbers(const json& certificate, const SmallGraph& graph, const SeedVector& seed,
                        IndependentNoise noise) {
  const std::string mechanism = certificate.at("mechanism");
  const bool every_step = mechanism == "paper";
  const testing::IndependentLattice lattice{steps_in(certificate), certificate.at("parameters").at("eta"),
                                            certificate.at("lattice").at("bits"), scope_in(certificate),
                                            mechanism.starts_with("pushflow")};
  const json& use = certificate.at("noise").at(0);
  const double scale = use.at("lattice_scale");
  const std::size_t draws = use.at("draws"), last = lattice.steps.size() - 1;
  EXPECT_EQ(draws, every_step ? 2U : 1U);
  return {lattice.run(graph, seed, [&](std::size_t step) {
    std::vector<std::vector<std::int64_t>> drawn;
    const bool noisy = every_step ? step > 0 || lattice.scope == Scope::edge : step == last;
    for (std::size_t i = 0; noisy && i < draws; ++i)
      drawn.push_back(
          noise.draws(i == 0 ? testing::first_draw : testing::second_draw, step, scale, graph.nodes()));
    return drawn;
  })};
}

// Counts with noise: a scale for neighbours, another for the rest, nothing for the seeds.
template <class Count>
std::vector<std::int64_t> noisy_column(const std::vector<Part>& parts, IndependentNoise& noise,
                                       std::size_t column, double near_scale, double rest_scale,
                                       const Count& count) {
  std::vector<std::int64_t> numbers(parts.size());
  for (std::size_t v = 0; v < parts.size(); ++v) {
    if (parts[v] == Part::near)
      numbers[v] = count(v) + noise.draw(testing::of_neighbors, column, v, near_scale);
    if (parts[v] == Part::rest) numbers[v] = count(v) + noise.draw(testing::of_rest, column, v, rest_scale);
  }
  return numbers;
}

// Of `twohop` and `frontier`.
bool is_one_score(const json& certificate) {
  return !certificate.at("parameters").at("background").is_null();
}

Columns two_hop_numbers(const json& certificate, const SmallGraph& graph, const SeedVector& seed,
                        IndependentNoise noise) {
  const json& parameters = certificate.at("parameters");
  const std::vector<Part> parts = parts_of(graph, seed);
  const auto scale = [&](const char* on) { return scale_on(certificate, on); };
  if (is_one_score(certificate)) {
    const TaperedWeight weight(parameters.at("background"), number(parameters.at("taper")));
    return {noisy_column(parts, noise, 0, scale("links of the seed's neighbours"),
                         scale("links of all other nodes"),
                         [&](std::size_t v) { return score_of(graph, parts, weight, v); })};
  }
  const TaperedWeight weight(1, number(parameters.at("taper")));
  return {noisy_column(
              parts, noise, 0, scale("links of the seed's neighbours among themselves"),
              scale("links of all other nodes to the seed's neighbours"),
              [&](std::size_t v) { return testing::in_link_units(links_into(graph, parts, v, Part::near)); }),
          noisy_column(parts, noise, 1, scale("links of the seed's neighbours to other nodes"),
                       scale("tapered links of all other nodes among themselves"),
                       [&](std::size_t v) { return far_links_of(graph, parts, weight, v); })};
}

Columns shared_numbers(const json& certificate, const SmallGraph& graph, IndependentNoise noise) {
  const TaperedWeight weight(1, number(certificate.at("parameters").at("taper")));
  std::vector<std::int64_t> numbers =
      noise.draws(testing::of_artefact, 0, scale_on(certificate, "links of every node"), graph.nodes());
  for (std::size_t v = 0; v < graph.nodes(); ++v) numbers[v] += background_of(graph, weight, v);
  return {numbers};
}

// Clusters, blocks and the core by the rule of the note; without rows it is `shared`.
Columns circles_numbers(const json& certificate, const SmallGraph& graph, IndependentNoise noise) {
  const double epsilon = std::min(certificate.at("epsilon").get<double>(), 16.0);
  if (epsilon < 0.25) return shared_numbers(certificate, graph, noise);
  const std::size_t n = graph.nodes();
  testing::IndependentCircles::Design design{.nodes = n,
                                             .core = std::min(n, std::max<std::size_t>(2, n / 5))};
  design.epsilon = epsilon;
  const json& uses = certificate.at("noise");
  const double nodes = static_cast<double>(n), degree = std::min(nodes, 40.0);
  const double most = std::min(0.042 * epsilon * std::pow(nodes * degree * degree, 0.375),
                               std::max(16.0 * epsilon, 64 * std::pow(epsilon, 3)));
  design.clusters = static_cast<std::size_t>(std::clamp(most, 4.0, 64.0));
  design.by_degrees = true;
  design.coarse = uses.at(0).at("lattice_scale");
  design.forward = uses.at(1).at("lattice_scale");
  design.backward = uses.at(2).at("lattice_scale");
  design.fine = uses.at(3).at("lattice_scale");
  design.leaving = uses.at(4).at("lattice_scale");
  testing::IndependentCircles circles(design, testing::drawn_for(noise, design));
  return testing::columns_of(circles.run(graph), design);
}

// The size of the set by the rule of the note.
testing::IndependentFrontier::Result frontier_result(const json& certificate, const SmallGraph& graph,
                                                     const SeedVector& seed, IndependentNoise noise) {
  const double epsilon = certificate.at("epsilon");
  testing::IndependentFrontier::Design design{
      static_cast<std::size_t>(static_cast<double>(graph.nodes()) / (5 * std::max(1.0, epsilon))),
      number(certificate.at("parameters").at("taper")),
      {}};
  const std::array<const char*, 7> uses = {"links of the seed's neighbours among themselves",
                                           "links of the seed's neighbours to other nodes",
                                           "links of all other nodes to the seed's neighbours",
                                           "tapered links of all other nodes among themselves",
                                           "links among the nodes of a second look",
                                           "links of the rest into the nodes of a second look",
                                           "weighted links of the nodes of a second look to the rest"};
  std::ranges::transform(uses, design.scale.begin(),
                         [&](const char* on) { return scale_on(certificate, on); });
  constexpr std::array<std::uint64_t, 7> kinds = {
      testing::of_neighbors,      testing::of_neighbors,     testing::of_rest,           testing::of_rest,
      testing::of_frontier_among, testing::of_frontier_into, testing::of_frontier_out_of};
  const testing::IndependentFrontier frontier(
      design, [&](std::size_t use, std::size_t column, std::size_t v, std::int64_t count) {
        return count + noise.draw(kinds[use], use < 4 ? column : 0, v, design.scale[use]);
      });
  return frontier.run(graph, seed);
}

SmallGraph flipped(const json& certificate, const SmallGraph& graph, const SeedVector& seed,
                   IndependentNoise noise) {
  const double skips = certificate.at("noise").at(0).at("skip_scale");
  return flipped_graph(graph, seed, scope_in(certificate), noise.flips(skips, graph.nodes()));
}

Columns flipped_pairs(const SmallGraph& graph) {
  std::vector<std::int64_t> numbers;
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    for (std::size_t u = 0; u < v; ++u) numbers.push_back(graph.linked(u, v));
  return {numbers};
}

Columns independent_numbers(const json& certificate, const SmallGraph& graph, const SeedVector& seed,
                            const IndependentNoise& noise, std::uint64_t answer) {
  const std::string mechanism = certificate.at("mechanism");
  if (mechanism == "shared") return shared_numbers(certificate, graph, noise);
  if (mechanism == "circles") return circles_numbers(certificate, graph, noise);
  if (mechanism.starts_with("edgeflip")) return flipped_pairs(flipped(certificate, graph, seed, noise));
  if (mechanism == "frontier" && !is_one_score(certificate))
    return columns_of(frontier_result(certificate, graph, seed, noise.answer(answer)));
  if (mechanism == "twohop" || mechanism == "frontier")
    return two_hop_numbers(certificate, graph, seed, noise.answer(answer));
  return lattice_numbers(certificate, graph, seed, noise.answer(answer));
}

// The diffusion without clip and noise, in double.
std::vector<double> diffused(const SmallGraph& graph, const std::vector<Step>& steps,
                             const SeedVector& seed) {
  std::vector<double> start(graph.nodes());
  for (const auto& [node, weight] : seed.entries()) start[node] = weight;
  std::vector<double> x = start;
  for (const Step& step : steps) {
    x = small_step(graph, step.walk, step.stay, x);
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += step.restart * start[v];
  }
  return x;
}

// The coefficient of P in the polynomial of the diffusion.
double first_coefficient(const std::vector<Step>& steps) {
  double zero = 1, one = 0;
  for (const Step& step : steps) {
    one = step.stay * one + step.walk * zero;
    zero = step.stay * zero + step.restart;
  }
  return one;
}

// Scores where they are more than the estimate of somebody who sees the numbers: those of `twohop`,
// `frontier`, `shared` and `circles` have tests of their own.
std::optional<std::vector<double>> independent_scores(const json& certificate, const SmallGraph& graph,
                                                      const SeedVector& seed, const IndependentNoise& noise,
                                                      const Columns& numbers) {
  const std::string mechanism = certificate.at("mechanism");
  if (mechanism == "twohop" || mechanism == "frontier" || mechanism == "shared" || mechanism == "circles")
    return std::nullopt;
  std::vector<double> scores;
  if (mechanism.starts_with("edgeflip"))
    scores = diffused(flipped(certificate, graph, seed, noise), steps_in(certificate), seed);
  else
    for (const std::int64_t units : numbers.front())
      scores.push_back(static_cast<double>(units) * certificate.at("lattice").at("unit").get<double>());
  if (mechanism.ends_with("+own"))
    for (std::size_t v = 0; v < graph.nodes(); ++v)
      for (const auto& [s, weight] : seed.entries())
        if (graph.linked(s, v) && !seed.contains(static_cast<Node>(v)))
          scores[v] +=
              first_coefficient(steps_in(certificate)) * weight / static_cast<double>(graph.degree(s));
  return scores;
}

SmallGraph random_graph(Seeded& random, std::size_t nodes) {
  SmallGraph graph(nodes);
  const double density = random.uniform() * random.uniform();
  for (std::size_t a = 0; a < nodes; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (random.uniform() < density) graph.link(a, b);
  return graph;
}

SeedVector random_seed(Seeded& random, std::size_t nodes, std::size_t most) {
  std::map<Node, double> weights;
  const std::size_t count = 1 + random.below(std::min(nodes, most));
  while (weights.size() < count)
    weights.emplace(static_cast<Node>(random.below(nodes)), random.log_uniform(0.1, 10));
  return SeedVector::weighted({weights.begin(), weights.end()});
}

// Coefficients of both signs that sum to 1.
Step random_step(Seeded& random) {
  const double walk = random.uniform(-1, 1.2), stay = random.below(4) == 0 ? 0 : random.uniform(-1, 1);
  return {walk, stay, 1 - walk - stay};
}

Diffusion random_diffusion(Seeded& random, const std::string& mechanism) {
  const int steps = random.between(2, 7);
  const double beta = random.uniform(0.05, 0.95);
  if (mechanism.starts_with("pushflow")) return Diffusion::ppr(beta, steps);
  switch (random.below(4)) {
    case 0:
      return Diffusion::ppr(beta, steps);
    case 1:
      return Diffusion::pagerank(beta, steps);
    case 2:
      return Diffusion::heat(random.uniform(0.1, 2), steps);
    default:
      break;
  }
  std::vector<Step> custom;
  for (int k = 0; k < steps; ++k) custom.push_back(random_step(random));
  return Diffusion::custom(custom);
}

constexpr std::size_t largest_seed_set = 3;

ReleaseParameters random_request(Seeded& random, const std::string& mechanism, std::size_t nodes) {
  ReleaseParameters request;
  request.mechanism = mechanism;
  request.diffusion = random_diffusion(random, mechanism);
  const bool own = mechanism == "twohop" || mechanism == "frontier" || mechanism.ends_with("+own");
  request.scope = own || random.coin() ? Scope::personalized : Scope::edge;
  request.epsilon = Epsilon(random.log_uniform(0.03, 10));
  if (random.coin()) request.delta = Delta(1e-6);
  const ParameterUse has = parameter_use(mechanism);
  const bool has_rows =
      mechanism == "circles" && request.epsilon.value() >= 0.25;  // with which no taper goes
  if (has.eta) request.eta = Eta(random.log_uniform(1e-4, 1));
  if (has.background && random.coin()) request.background = random.uniform();
  if (has.taper && !has_rows && random.below(4) > 0) {
    // At the largest, weights of neighbouring degrees differ by one unit.
    const double ends[] = {std::numeric_limits<double>::infinity(), 0x1p31};
    request.taper = random.below(3) == 0 ? ends[random.below(2)] : static_cast<double>(1 + random.below(8));
  }
  request.rankings = 40;
  request.seeds_per_ranking = std::min(nodes, largest_seed_set);
  return request;
}

// All answers of a release, some together and some after these.
void expect_independent_answers(const Plan& plan, const SmallGraph& small, std::vector<SeedVector> seeds,
                                std::uint64_t key) {
  const json certificate = json::parse(certificate_json(plan));
  const IndependentNoise independent(key_bytes(key));
  KeyedNoise noise(seeded_key(key)), same(seeded_key(key)), again(seeded_key(key));
  const Graph graph = testing::to_graph(small);
  const auto start = [&](NoiseSource& source) {
    return find_mechanism(plan.parameters.mechanism).start(plan, graph, source, {});
  };
  const auto release = start(noise);
  const std::size_t together = (seeds.size() + 1) / 2;
  std::vector<Columns> released = release->numbers(std::span(seeds).first(together), 0, {});
  for (Columns& later : release->numbers(std::span(seeds).subspan(together), together, {}))
    released.push_back(std::move(later));
  const std::vector<PrivateScores> scores = start(same)->answer(seeds, 0, {});
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    EXPECT_EQ(released[i], independent_numbers(certificate, small, seeds[i], independent, i))
        << "answer " << i << " of " << certificate.dump(1);
    if (plan.parameters.mechanism == "frontier" && !is_one_score(certificate))
      testing::expect_same(
          *release->centres(released[i], seeds[i]),
          testing::centres_of(frontier_result(certificate, small, seeds[i], independent.answer(i))));
    const auto expected = independent_scores(certificate, small, seeds[i], independent, released[i]);
    for (std::size_t v = 0; expected && v < small.nodes(); ++v)
      EXPECT_NEAR(scores[i].scores[v], (*expected)[v], 1e-11 * std::max(1.0, std::abs((*expected)[v])))
          << certificate.dump(1);
  }
  if (plan.parameters.mechanism == "shared") {
    EXPECT_EQ(release_links(plan, graph, again), released.front().front());
  }
}

class IndependentRelease : public ::testing::TestWithParam<std::string> {};

TEST_P(IndependentRelease, GivesOutTheSameNumbers) {
  Seeded random(1);
  constexpr int wanted = 120;
  int done = 0;
  for (int tried = 0; done < wanted && tried < 4 * wanted && !HasFailure(); ++tried) {
    const std::size_t nodes = done % 60 == 1   ? 126 + random.below(8)  // noise is addressed by groups of 64
                              : done % 20 == 0 ? 38 + random.below(5)
                                               : 2 + random.below(11);
    const SmallGraph graph = random_graph(random, nodes);
    std::vector<SeedVector> seeds;
    const std::size_t answers = done % 10 == 0 ? 20 : 1 + random.below(4);
    while (seeds.size() < answers) seeds.push_back(random_seed(random, nodes, largest_seed_set));
    const ReleaseParameters request = random_request(random, GetParam(), nodes);
    std::optional<Plan> plan;
    try {
      plan = make_plan(testing::to_graph(graph).facts(), request);
    } catch (const Error&) {
      continue;  // no proof covers it
    }
    expect_independent_answers(*plan, graph, seeds, random.below(1000));
    ++done;
  }
  EXPECT_EQ(done, wanted);
}

// Three seeds that all send 1.2 to one node, the most that head-room counts on, under next to no noise.
TEST(IndependentLimit, IsNoneForWhatSeedsCanSend) {
  SmallGraph small(4);
  for (std::size_t seed = 0; seed < 3; ++seed) small.link(seed, 3);
  ReleaseParameters request;
  request.mechanism = "output";
  request.diffusion = Diffusion::custom({{-2, 0, 3}, {1.2, 0, -0.2}});
  request.epsilon = Epsilon(1e6);
  request.eta = Eta(1e-3);
  request.seeds_per_ranking = 3;
  const SeedVector seed = SeedVector::weighted({{0, 1}, {1, 1}, {2, 1}});
  expect_independent_answers(make_plan(testing::to_graph(small).facts(), request), small, {seed}, 8);
}

// The audits' way to many artefacts: another answer's noise.
TEST(IndependentArtefact, OfAnotherAnswerHasItsOwnNoise) {
  const SmallGraph small = testing::double_star(4).graph;
  const Graph graph = testing::to_graph(small);
  KeyedNoise noise(seeded_key(5));
  IndependentNoise independent(key_bytes(5)), of_three = independent.answer(3);
  const SeedVector seed(0);
  const Plan plan = make_plan(graph.facts(), {.mechanism = "shared"});
  const auto release = find_mechanism("shared").start(plan, graph, noise, {});
  const Columns first = release->numbers({&seed, 1}, 0, {}).front();
  release->renew(3);
  const Columns other = release->numbers({&seed, 1}, 0, {}).front();
  const double scale = plan.noise.front().lattice_scale;
  const auto before = independent.draws(testing::of_artefact, 0, scale, small.nodes()),
             after = of_three.draws(testing::of_artefact, 0, scale, small.nodes());
  for (std::size_t v = 0; v < small.nodes(); ++v)
    EXPECT_EQ(other.front()[v] - first.front()[v], after[v] - before[v]);
}

// In edge scope a score is made of released numbers alone; in personalized scope of the seed's own links too.
TEST(IndependentScores, OfGivenNumbersDoNotDependOnTheGraphInEdgeScope) {
  const Graph star = testing::to_graph(testing::double_star(3).graph),
              empty = testing::make_graph(star.nodes(), {});
  const SeedVector seed(0);
  for (const char* mechanism : {"shared", "circles", "paper", "output", "pushflow", "edgeflip"})
    for (const Scope scope : {Scope::edge, Scope::personalized}) {
      const Plan plan = make_plan(star.facts(), {.mechanism = mechanism, .scope = scope});
      KeyedNoise noise(seeded_key(9)), same(seeded_key(9));
      const auto one = find_mechanism(mechanism).start(plan, star, noise, {}),
                 other = find_mechanism(mechanism).start(plan, empty, same, {});
      const Columns numbers = one->numbers({&seed, 1}, 0, {}).front();
      const bool equal = one->scores(numbers, seed).scores == other->scores(numbers, seed).scores;
      const bool uses_own_links = std::string(mechanism) == "shared" || std::string(mechanism) == "circles";
      EXPECT_EQ(equal, scope == Scope::edge || !uses_own_links) << mechanism;
    }
}

// More nodes than one key serves, and without an edge: the numbers are the noise.
TEST(IndependentArtefact, OfManyNodesTakesManyKeys) {
  constexpr std::size_t nodes = 70'000;
  const Graph graph = testing::make_graph(nodes, {});
  KeyedNoise noise(seeded_key(6));
  const Plan plan = make_plan(graph.facts(), {.mechanism = "shared"});
  EXPECT_EQ(
      release_links(plan, graph, noise),
      IndependentNoise(key_bytes(6)).draws(testing::of_artefact, 0, plan.noise.front().lattice_scale, nodes));
}

TEST(IndependentArtefact, OfManyPairsTakesManyKeys) {
  constexpr std::size_t nodes = 5'000;  // 12.5 million pairs, three pieces
  const Graph graph = testing::make_graph(nodes, {});
  KeyedNoise noise(seeded_key(7));
  const SeedVector seed(0);
  const Plan plan =
      make_plan(graph.facts(), {.mechanism = "edgeflip", .scope = Scope::edge, .epsilon = Epsilon(6)});
  const auto flips = IndependentNoise(key_bytes(7)).flips(plan.noise.front().lattice_scale, nodes);
  EXPECT_EQ(find_mechanism("edgeflip").start(plan, graph, noise, {})->numbers({&seed, 1}, 0, {}).front(),
            Columns({std::vector<std::int64_t>(flips.begin(), flips.end())}));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, IndependentRelease, ::testing::ValuesIn(mechanism_names()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

}  // namespace
}  // namespace hushwalk
