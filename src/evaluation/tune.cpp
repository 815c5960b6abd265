#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "evaluation/simulation.h"
#include "hushwalk/generate.h"
#include "hushwalk/mechanism.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t max_exact_scores = std::uint64_t{1} << 26;  // 512 MB
constexpr double tie = 1e-3;  // a mean NDCG that is higher by less is not worth a more complicated choice
constexpr double closeness =
    1.05;  // the epsilon that is found is within this factor of the smallest that does

ReleaseParameters candidate(const TuneRequest& request, const std::string& mechanism,
                            const Epsilon& epsilon) {
  ReleaseParameters wanted = request.release;
  wanted.mechanism = mechanism;
  wanted.epsilon = epsilon;
  return wanted;
}

// No value when no proof covers it.
std::optional<Plan> try_plan(const PublicFacts& facts, const ReleaseParameters& request) {
  try {
    return make_plan(facts, request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return {};
  }
}

// Epsilon is divided before a mechanism says what to try, because that may depend on what each ranking gets.
std::vector<Plan> candidate_plans(const PublicFacts& facts, const TuneRequest& request) {
  std::vector<Plan> plans;
  for (const std::string& name : mechanism_names())
    for (const ReleaseParameters& wanted :
         find_planner(name).variants(part_of_each(candidate(request, name, *request.epsilon))))
      if (std::optional<Plan> plan = try_plan(facts, wanted);
          plan && std::ranges::find(plans, *plan) == plans.end())  // two wishes may be one plan
        plans.push_back(std::move(*plan));
  return plans;
}

class Tuning {
 public:
  Tuning(const Graph& proxy, const TuneRequest& request, const Progress& progress)
      : proxy_(proxy), request_(request), progress_(progress), facts_(proxy.facts()) {
    const std::uint64_t fit =
        std::max<std::uint64_t>(max_exact_scores / std::max<std::uint64_t>(proxy.nodes(), 1), 1);
    const std::vector<Node> seeds = draw_seeds(proxy, std::min(request.seeds, fit), request.random_seed);
    known_ = exact_answers(proxy, request.release.diffusion, seeds, std::min(request.top, proxy.nodes() - 1),
                           progress);
    const auto free =
        measure_free(proxy, request.release.diffusion, request.release.scope, request.random_seed, known_);
    tuned_.free_ndcg = mean_of(free, &Metrics::ndcg);
    tuned_.free_new_ndcg = mean_of(free, &Metrics::new_ndcg);
    tuned_.seeds = seeds.size();
  }

  Tuned best_at_epsilon() {
    const std::vector<Plan> plans = candidate_plans(facts_, request_);
    if (plans.empty())
      refuse("no mechanism has a proof for this diffusion at epsilon {}", request_.epsilon->value());
    double total = 0, done = 0;
    for (const Plan& plan : plans) total += rough_cost(plan);
    for (const Plan& plan : plans) {
      const double cost = rough_cost(plan);
      const TunedPlan tried = run(plan, *request_.epsilon, [&](std::string_view stage, double fraction) {
        if (progress_) progress_(stage, (done + cost * fraction) / total);
      });
      done += cost;
      if (tuned_.tried.size() == 1 || tried.ndcg.mean > tuned_.best.ndcg.mean.value_or(0) + tie)
        tuned_.best = tried;
    }
    tuned_.free_is_enough = tuned_.free_ndcg.mean.value_or(0) >= tuned_.best.ndcg.mean.value_or(0);
    return tuned_;
  }

  // The invariant: `high` reaches the target, `low` does not.
  Tuned epsilon_for_target() {
    tuned_.free_is_enough = tuned_.free_ndcg.mean.value_or(0) >= *request_.target_ndcg;
    if (tuned_.free_is_enough) return tuned_;
    double low = smallest_tuned_epsilon, high = largest_tuned_epsilon;
    if (!reaches(high))
      fail("at epsilon {} the NDCG expected is {:.4f}, still below {}: aim lower, or take a larger `top`",
           high, tuned_.tried.back().ndcg.mean.value_or(0), *request_.target_ndcg);
    if (reaches(low)) return tuned_;
    const double rounds = std::ceil(std::log2(std::log(high / low) / std::log(closeness)));
    for (double round = 0; high > closeness * low; ++round) {
      if (progress_) progress_("searching", std::min(1.0, round / rounds));
      const double middle = std::sqrt(low * high);
      (reaches(middle) ? high : low) = middle;
    }
    return tuned_;
  }

 private:
  static Measure mean_of(const std::vector<Metrics>& metrics, double Metrics::* field) {
    return summarize(column(metrics, field));
  }

  TunedPlan run(const Plan& plan, const Epsilon& total, const Progress& progress) {
    const std::vector<Metrics> metrics = measure_plan(proxy_, plan, known_, progress);
    tuned_.tried.push_back(
        {plan.parameters, total, mean_of(metrics, &Metrics::ndcg), mean_of(metrics, &Metrics::new_ndcg)});
    return tuned_.tried.back();
  }

  bool reaches(double epsilon) {
    const Epsilon total(epsilon);
    const TunedPlan tried = run(plan_for_all(facts_, candidate(request_, "auto", total)), total, {});
    if (tried.ndcg.mean.value_or(0) < *request_.target_ndcg) return false;
    tuned_.best = tried;
    return true;
  }

  const Graph& proxy_;
  const TuneRequest& request_;
  const Progress& progress_;
  PublicFacts facts_;
  std::vector<KnownSeed> known_;
  Tuned tuned_;
};

}  // namespace

Tuned tune(const Graph& proxy, const TuneRequest& request, const Progress& progress) {
  refuse_several_processes();
  if (request.epsilon.has_value() == request.target_ndcg.has_value())
    fail_usage("tune needs either an `epsilon` or a `target_ndcg`");
  if (request.target_ndcg && !(*request.target_ndcg > 0 && *request.target_ndcg <= 1))
    fail_usage("`target_ndcg` is {}; it must be above 0 and at most 1", *request.target_ndcg);
  if (request.seeds == 0 || request.top == 0) fail_usage("`seeds` and `top` must be at least 1");
  if (request.release.rankings == 0) fail_usage("tune needs at least one recipient");
  Tuning tuning(proxy, request, progress);
  return request.epsilon ? tuning.best_at_epsilon() : tuning.epsilon_for_target();
}

Tuned tune(const ProxySize& size, const TuneRequest& request, const Progress& progress) {
  if (size.nodes == 0 || size.edges == 0) fail_usage("`nodes` and `edges` must be at least 1");
  return tune(generate("chung-lu", {size.nodes, size.edges, request.random_seed}, progress), request,
              progress);
}

}  // namespace hushwalk
