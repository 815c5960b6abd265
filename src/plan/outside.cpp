#include "plan/outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "accounting/edge_cost.h"
#include "accounting/guarantee.h"
#include "accounting/taper.h"
#include "plan/link_plan.h"

namespace hushwalk {
namespace {

class OutsidePlanner final : public Planner {
 public:
  OutsidePlanner(std::string name, std::string proof, ReleasedBy released)
      : name_(std::move(name)), proof_(std::move(proof)), released_(std::move(released)) {}

  std::string name() const override { return name_; }
  ParameterUse uses() const override { return {}; }

  void complete(Plan& plan) const override {
    const ReleasedNumbers released = released_(plan.graph, plan.parameters);
    const std::vector<double> scales = accounting::scales_for(released, plan.parameters.epsilon);
    plan.lattice_bits = accounting::QuantisedTaper::fraction_bits;
    for (std::size_t i = 0; i < scales.size(); ++i)
      plan.noise.push_back(link_noise(released.columns[i].numbers, scales[i]));
    plan.sensitivity = accounting::most_moved_up(released);
    plan.sensitivity_bound = fmt::format("word of its author ({}), not proven in this repository", proof_);
    plan.guarantee = accounting::pure_guarantee(plan.parameters.epsilon,
                                                accounting::cost_up(released, scales), plan.parameters.delta);
    plan.theorem = fmt::format(
        "the Laplace mechanism, if one edge moves the numbers by no more than its author says ({}), which is not proven in this repository",
        proof_);
    plan.proven = false;
  }

  PlanWork work(const Plan& plan) const override {
    return array_work(plan, 2 * static_cast<double>(plan.noise.size()));
  }

 private:
  std::string name_, proof_;
  ReleasedBy released_;
};

}  // namespace

std::unique_ptr<Planner> outside_planner(std::string name, std::string proof, ReleasedBy released) {
  return std::make_unique<OutsidePlanner>(std::move(name), std::move(proof), std::move(released));
}

}  // namespace hushwalk
