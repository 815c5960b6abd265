// Broken on purpose: a control that an audit does not catch is a finding about the audit.
#include "controls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accounting/reproduction.h"
#include "audit/climb.h"
#include "audit/statistical.h"
#include "graph/graph_impl.h"
#include "hushwalk/error.h"
#include "noise/entropy_source.h"

namespace hushwalk::testing {
namespace {

using auditing::AdjacentPair;
using auditing::Target;

constexpr std::uint64_t N = 20'000;

struct Attacked {
  std::string mechanism;
  Scope scope;
};
const std::vector<Attacked> everything = {{"twohop", Scope::personalized}, {"shared", Scope::personalized},
                                          {"shared", Scope::edge},         {"output", Scope::personalized},
                                          {"output", Scope::edge},         {"paper", Scope::personalized},
                                          {"paper", Scope::edge}};

ReleaseRequest request_of(const Attacked& one) {
  ReleaseRequest request;
  request.mechanism = one.mechanism;
  request.scope = one.scope;
  return request;
}

// The first setting of the standard audit of a mechanism.
Target honest(const Attacked& one) { return auditing::standard_targets(request_of(one)).front(); }

AuditReport attack(const Target& target, Scope scope, const std::vector<AdjacentPair>& pairs,
                   std::uint64_t trials = N) {
  AuditRequest request;
  request.scope = scope;
  request.trials = trials;
  return auditing::attack(std::span(&target, 1), pairs, request, EntropySource(), {});
}

bool mentions(const AuditReport& report, const std::string& words) {
  return std::ranges::any_of(
      report.findings, [&](const std::string& finding) { return finding.find(words) != std::string::npos; });
}

std::vector<AdjacentPair> first_pairs(Scope scope, std::size_t count) {
  std::vector<AdjacentPair> pairs = auditing::worst_pairs(scope);
  pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(count), pairs.end());
  return pairs;
}

void divide_noise(Plan& plan, double by) {
  for (NoiseUse& use : plan.noise) use.laplace_scale /= by, use.lattice_scale /= by;
}

// --- noise -----------------------------------------------------------------------------------------------

TEST(Controls, AScaleDividedByTheRootOfTwoIsCaughtExactly) {
  for (const Attacked& one : everything) {
    Target target = honest(one);
    target.plan = [plan = target.plan](std::uint64_t nodes, std::uint64_t seeds) {
      Plan made = plan(nodes, seeds);
      divide_noise(made, std::sqrt(2.0));
      return made;
    };
    const AuditReport report = attack(target, one.scope, first_pairs(one.scope, 1), 0);
    EXPECT_NEAR(report.worst_sensitivity_ratio, std::sqrt(2.0), 0.02) << one.mechanism;
    EXPECT_TRUE(report.violated()) << one.mechanism;
  }
}

// The release claims the full scale, so that nothing but its numbers can tell.
TEST(Controls, AScaleDividedByTheRootOfTwoIsCaughtBySampling) {
  for (const Attacked& one : everything) {
    const Target claimed = honest(one);
    class Liar final : public ChangedRelease {
     public:
      using ChangedRelease::ChangedRelease;
      double scale(const SeedVector& seed, std::size_t column, Node node) const override {
        return inner_->scale(seed, column, node) * std::sqrt(2.0);
      }
    };
    const Control control([&](const Plan& plan, const Graph& graph, const RandomSource& source) {
      auto smaller = std::make_unique<Plan>(plan);
      divide_noise(*smaller, std::sqrt(2.0));
      return std::make_unique<Liar>(
          std::make_unique<OtherPlan>(std::move(smaller), claimed.mechanism, graph, source));
    });
    const Target target{"control", control, claimed.plan};
    const AuditReport report = attack(target, one.scope, first_pairs(one.scope, 2));
    EXPECT_TRUE(report.violated()) << one.mechanism;
    EXPECT_TRUE(mentions(report, "less noise")) << one.mechanism;
    EXPECT_EQ(report.epsilon_lower_bound > 1, one.mechanism != "paper") << report.epsilon_lower_bound;
  }
}

TEST(Controls, NoiseOnEveryOtherNodeIsCaughtBySampling) {
  for (const Attacked& one : everything) {
    const Target claimed = honest(one);
    class Half final : public ChangedRelease {
     public:
      Half(std::unique_ptr<Release> inner, std::unique_ptr<Release> silent)
          : ChangedRelease(std::move(inner)), silent_(std::move(silent)) {}
      std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                   const Progress& progress) override {
        auto noisy = inner_->numbers(seeds, first, progress),
             silent = silent_->numbers(seeds, first, progress);
        for (std::size_t i = 0; i < noisy.size(); ++i)
          for (std::size_t column = 0; column < noisy[i].size(); ++column)
            for (std::size_t v = 0; v < noisy[i][column].size(); v += 2)
              noisy[i][column][v] = silent[i][column][v];
        return noisy;
      }

     private:
      std::unique_ptr<Release> silent_;
    };
    const Control control([&](const Plan& plan, const Graph& graph, const RandomSource& source) {
      auto without = std::make_unique<Plan>(plan);
      for (NoiseUse& use : without->noise) use.lattice_scale = 1;
      return std::make_unique<Half>(
          claimed.mechanism.start(plan, graph, source, {}),
          std::make_unique<OtherPlan>(std::move(without), claimed.mechanism, graph, source));
    });
    const AuditReport report =
        attack({"control", control, claimed.plan}, one.scope, first_pairs(one.scope, 2), 5000);
    EXPECT_GT(report.epsilon_lower_bound, 1) << one.mechanism;
    EXPECT_TRUE(mentions(report, "less noise")) << one.mechanism;
  }
}

// `paper` with the one draw a step of the printed algorithm, where the plan says two.
TEST(Controls, OneDrawInsteadOfTwoIsCaughtBySampling) {
  for (const Scope scope : {Scope::personalized, Scope::edge}) {
    const Target claimed = honest({"paper", scope}), other = honest({"output", scope});
    const Control control([&](const Plan& plan, const Graph& graph, const RandomSource& source) {
      return other.mechanism.start(plan, graph, source, {});
    });
    const AuditReport report = attack({"control", control, claimed.plan}, scope, first_pairs(scope, 1));
    EXPECT_TRUE(mentions(report, "less noise"));
  }
}

// --- sensitivity -----------------------------------------------------------------------------------------

// The plan of `output`, priced for eta, runs with caps sixteen times as high.
TEST(Controls, NoClipIsCaughtExactly) {
  for (const Scope scope : {Scope::personalized, Scope::edge}) {
    ReleaseRequest request = request_of({"output", scope});
    request.diffusion = Diffusion::ppr(0.8, scope == Scope::edge ? 1 : 2);
    const auto plan = [request](std::uint64_t nodes, std::uint64_t seeds) {
      ReleaseRequest small = request, large = request;
      small.seeds_per_ranking = large.seeds_per_ranking = seeds;
      small.eta = Eta(0.003);
      large.eta = Eta(16 * 0.003);
      const Plan priced = make_plan(public_facts(nodes), small);
      Plan run = make_plan(public_facts(nodes), large);
      run.noise = priced.noise;
      run.noise.front().lattice_scale = std::ldexp(priced.noise.front().laplace_scale, run.lattice_bits);
      return run;
    };
    const AuditReport report =
        attack({"control", find_mechanism("output"), plan}, scope, first_pairs(scope, 1), N);
    EXPECT_GT(report.worst_sensitivity_ratio, 10);
    EXPECT_GT(report.epsilon_lower_bound, 1);
  }
}

// Theorem 2 as printed certifies any noise, a millionth of what is needed included.
TEST(Controls, ThePrintedTheoremTwoIsCaught) {
  const Target claimed = honest({"paper", Scope::personalized});
  const auto plan = [&](std::uint64_t nodes, std::uint64_t seeds) {
    Plan made = claimed.plan(nodes, seeds);
    divide_noise(made, 1e6);
    return made;
  };
  const double scale = plan(3, 1).noise.front().laplace_scale;
  EXPECT_EQ(accounting::printed_theorem_2({2, 0.8, 0.048, scale}, 2).value_for_plots_only(), 0);
  const AuditReport report = attack({"control", claimed.mechanism, plan}, Scope::personalized,
                                    first_pairs(Scope::personalized, 1), N);
  EXPECT_GT(report.worst_sensitivity_ratio, 1000);
  EXPECT_GT(report.epsilon_lower_bound, 1);
}

// A lattice of 2^-9 whose rounding is not charged.
TEST(Controls, SlackLeftOutOnACoarseLatticeIsCaughtByClimbing) {
  ReleaseRequest request = request_of({"output", Scope::edge});
  request.diffusion = Diffusion::pagerank(0.8, 3);
  request.eta = Eta(0x1p-8);
  const auto plan = [request](std::uint64_t nodes, std::uint64_t seeds) {
    ReleaseRequest made = request;
    made.seeds_per_ranking = seeds;
    Plan result = make_plan(public_facts(nodes), made);
    result.lattice_bits = 9;
    result.noise.front().lattice_scale = std::ldexp(result.noise.front().laplace_scale, 9);
    return result;
  };
  const Target target{"control", find_mechanism("output"), plan};
  const auditing::Summit found = auditing::climb(target, Scope::edge, 20'000, 1, EntropySource());
  EXPECT_GT(found.comparison.ratio, 1.05);
}

// --- tapers ----------------------------------------------------------------------------------------------

constexpr double one_link = 0x1p32;
using Weight = std::function<double(std::uint64_t degree)>;

// `shared` with another taper, under the noise that S_w = 1 would need.
Start shared_with(const Weight& weight) {
  return [weight](const Plan& plan, const Graph& graph, const RandomSource& source) {
    const Formula formula{
        [weight](const Graph& of, const SeedVector&) {
          std::vector<std::int64_t> links(of.nodes());
          for (Node v = 0; v < of.nodes(); ++v)
            for (const Node u : of.neighbors(v))
              links[v] += static_cast<std::int64_t>(one_link * weight(of.degree(u)));
          return links;
        },
        [scale = 2 * one_link / plan.epsilon](const Graph&, const SeedVector&, Node) { return scale; }};
    return std::make_unique<FormulaRelease>(formula, graph, source);
  };
}

Plan edge_plan(std::uint64_t nodes, std::uint64_t seeds) {
  Plan plan = honest({"shared", Scope::edge}).plan(nodes, seeds);
  plan.one_artefact = false;
  return plan;
}

double worst_ratio(const Start& start, const std::function<Plan(std::uint64_t, std::uint64_t)>& plan,
                   Scope scope, const std::vector<AdjacentPair>& pairs) {
  const Control control(start);
  return attack({"control", control, plan}, scope, pairs, 0).worst_sensitivity_ratio;
}

TEST(Controls, ThisSoftTaperIsFineUnderTheSameNoise) {
  const Weight soft = [](std::uint64_t d) {
    const auto degree = static_cast<double>(d);
    return d <= 8 ? 1 - degree / 16 : 4 / degree;
  };
  for (const Node degree : {1U, 3U, 8U, 16U})
    EXPECT_LE(
        worst_ratio(shared_with(soft), edge_plan, Scope::edge, auditing::worst_pairs(Scope::edge, degree)),
        1 + 1e-9);
}

TEST(Controls, AHardTaperIsCaughtExactly) {
  const Weight hard = [](std::uint64_t d) { return std::min(1.0, 16 / static_cast<double>(d)); };
  EXPECT_GT(worst_ratio(shared_with(hard), edge_plan, Scope::edge, auditing::worst_pairs(Scope::edge, 16)),
            1.8);
}

TEST(Controls, ACoarselyQuantisedTaperIsCaughtExactly) {
  const Weight coarse = [](std::uint64_t d) {
    const auto degree = static_cast<double>(d);
    return std::floor(8 * (d <= 4 ? 1 - degree / 8 : 2 / degree)) / 8;
  };
  EXPECT_GT(worst_ratio(shared_with(coarse), edge_plan, Scope::edge, auditing::worst_pairs(Scope::edge, 16)),
            1.8);
}

// `twohop` whose taper reads degrees inside O only: a node of O moves all its links into N.
TEST(Controls, DegreesInsideOAreCaughtExactly) {
  const Start start = [](const Plan& plan, const Graph& graph, const RandomSource& source) {
    const Formula formula{
        [](const Graph& of, const SeedVector& seed) {
          const OwnLinks own = own_links(of, seed);
          const auto near = [&](Node v) { return std::ranges::binary_search(own.near, v); };
          const auto far = [&](Node v) { return !near(v) && !seed.contains(v); };
          const auto weight = [&](Node u) {
            double degree = 0;
            for (const Node v : of.neighbors(u)) degree += far(v);
            return degree <= 4 ? 1 - degree / 8 : 2 / degree;
          };
          std::vector<std::int64_t> links(of.nodes());
          for (Node v = 0; v < of.nodes(); ++v)
            for (const Node u : of.neighbors(v))
              if (!seed.contains(v))
                links[v] += static_cast<std::int64_t>(one_link * (near(u) ? 1 : far(u) ? weight(u) : 0));
          return links;
        },
        [plan](const Graph& of, const SeedVector& seed, Node node) {
          return plan.noise[std::ranges::binary_search(own_links(of, seed).near, node) ? 0 : 1].lattice_scale;
        }};
    return std::make_unique<FormulaRelease>(formula, graph, source);
  };
  const auto plan = [](std::uint64_t nodes, std::uint64_t seeds) {
    return auditing::standard_targets(request_of({"twohop", Scope::personalized})).back().plan(nodes, seeds);
  };
  AdjacentPair crowd{"crowd", 33, {}, {1, 2}, 0};  // node 1 is linked to all of N, node 2 to nobody
  for (Node near = 3; near < crowd.nodes; ++near)
    crowd.edges.insert(crowd.edges.end(), {{0, near}, {1, near}});
  EXPECT_GT(worst_ratio(start, plan, Scope::personalized, {crowd}), 2);
  const Control control(start);
  EXPECT_GT(auditing::climb({"control", control, plan}, Scope::personalized, 1500, 1, EntropySource())
                .comparison.ratio,
            1.01);
}

// --- what is not noise -----------------------------------------------------------------------------------

AuditReport attack_release(
    const std::function<std::unique_ptr<Release>(std::unique_ptr<Release>, const Graph&)>& change) {
  const Target claimed = honest({"twohop", Scope::personalized});
  const Control control([&](const Plan& plan, const Graph& graph, const RandomSource& source) {
    return change(claimed.mechanism.start(plan, graph, source, {}), graph);
  });
  return attack({"control", control, claimed.plan}, Scope::personalized,
                auditing::worst_pairs(Scope::personalized), 0);
}

TEST(Controls, NothingIsCaughtWhereNothingIsWrong) {
  EXPECT_FALSE(attack_release([](auto inner, const Graph&) {
                 return std::make_unique<ChangedRelease>(std::move(inner));
               }).violated());
}

TEST(Controls, TiesInTheOrderOfRowsAreCaught) {
  class Rows final : public ChangedRelease {
   public:
    Rows(std::unique_ptr<Release> inner, const Graph& graph)
        : ChangedRelease(std::move(inner)), graph_(graph) {}
    PrivateScores scores(const Numbers& numbers, const SeedVector& seed) const override {
      PrivateScores answer = inner_->scores(numbers, seed);
      for (Node v = 0; v < answer.scores.size(); ++v)
        answer.scores[v] = std::nextafter(answer.scores[v], 1e9 * csr_of(graph_).row_of_node[v]);
      return answer;
    }

   private:
    const Graph& graph_;
  };
  const AuditReport report = attack_release(
      [](auto inner, const Graph& graph) { return std::make_unique<Rows>(std::move(inner), graph); });
  EXPECT_TRUE(mentions(report, "scores made from the same noisy numbers differ"));
}

TEST(Controls, AnAnswerThatDependsOnTheNumberOfEdgesIsCaught) {
  class Scores final : public ChangedRelease {
   public:
    Scores(std::unique_ptr<Release> inner, const Graph& graph)
        : ChangedRelease(std::move(inner)), graph_(graph) {}
    PrivateScores scores(const Numbers& numbers, const SeedVector& seed) const override {
      PrivateScores answer = inner_->scores(numbers, seed);
      *answer.far_error /= static_cast<double>(graph_.edges());
      return answer;
    }

   private:
    const Graph& graph_;
  };
  const AuditReport report = attack_release(
      [](auto inner, const Graph& graph) { return std::make_unique<Scores>(std::move(inner), graph); });
  EXPECT_TRUE(mentions(report, "scores made from the same noisy numbers differ"));
}

TEST(Controls, AScaleThatDependsOnDegreesIsCaught) {
  class Scale final : public ChangedRelease {
   public:
    Scale(std::unique_ptr<Release> inner, const Graph& graph)
        : ChangedRelease(std::move(inner)), graph_(graph) {}
    double scale(const SeedVector& seed, std::size_t column, Node node) const override {
      return inner_->scale(seed, column, node) * static_cast<double>(1 + graph_.degree(node));
    }

   private:
    const Graph& graph_;
  };
  const AuditReport report = attack_release(
      [](auto inner, const Graph& graph) { return std::make_unique<Scale>(std::move(inner), graph); });
  EXPECT_TRUE(mentions(report, "the noise scale of node"));
}

// One answer more for every edge: more words are drawn.
TEST(Controls, DrawsThatDependOnEdgesAreCaught) {
  class Draws final : public ChangedRelease {
   public:
    Draws(std::unique_ptr<Release> inner, const Graph& graph)
        : ChangedRelease(std::move(inner)), graph_(graph) {}
    std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                 const Progress& progress) override {
      const std::vector<SeedVector> more(graph_.edges(), seeds.front());
      inner_->numbers(more, first + 1, progress);
      return inner_->numbers(seeds, first, progress);
    }

   private:
    const Graph& graph_;
  };
  const AuditReport report = attack_release(
      [](auto inner, const Graph& graph) { return std::make_unique<Draws>(std::move(inner), graph); });
  EXPECT_TRUE(mentions(report, "the number of random words differs"));
}

TEST(Controls, AnErrorThatDependsOnEdgesIsCaught) {
  class Errors final : public ChangedRelease {
   public:
    Errors(std::unique_ptr<Release> inner, const Graph& graph)
        : ChangedRelease(std::move(inner)), graph_(graph) {}
    std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                 const Progress& progress) override {
      for (Node v = 0; v < graph_.nodes(); ++v)
        if (graph_.degree(v) == 0) throw Error(ErrorCode::failed, "an isolated node");
      return inner_->numbers(seeds, first, progress);
    }

   private:
    const Graph& graph_;
  };
  const AuditReport report = attack_release(
      [](auto inner, const Graph& graph) { return std::make_unique<Errors>(std::move(inner), graph); });
  EXPECT_TRUE(mentions(report, "an isolated node"));
}

}  // namespace
}  // namespace hushwalk::testing
