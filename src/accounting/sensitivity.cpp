#include "accounting/sensitivity.h"

#include <algorithm>
#include <cmath>

#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {

double gain_up(const Step& step) { return add_up(std::abs(step.walk), std::abs(step.stay)); }

double distortion_up(const Step& step, double eta, Caps caps) {
  const double walk = std::abs(step.walk);
  if (caps == Caps::uniform) return mul_up(2 * walk, eta);
  return mul_up(std::max(4 * walk, 2 * gain_up(step)), eta);
}

double lattice_slack_up(const Step& step, std::uint64_t nodes, std::uint64_t max_edges, double unit) {
  const bool rounds_outflow = step.walk != 0, rounds_kept = step.stay != std::floor(step.stay);
  double units = 0;
  if (rounds_outflow) units = 2 * count_up(max_edges);
  if (rounds_kept) units = add_up(units, count_up(nodes));
  return mul_up(units, unit);
}

std::vector<StepBound> step_bounds_up(std::span<const Step> steps, double eta, Scope scope, Caps caps) {
  std::vector<StepBound> bounds;
  bounds.reserve(steps.size());
  for (const Step& step : steps) bounds.push_back({gain_up(step), distortion_up(step, eta, caps), 0});
  if (scope == Scope::personalized && !bounds.empty()) bounds.front().distortion = 0;
  return bounds;
}

double next_sensitivity_up(const StepBound& step, double before, std::size_t number) {
  const double w = add_up(add_up(mul_up(step.gain, before), step.distortion), step.slack);
  if (!std::isfinite(w))
    refuse(
        "the sensitivity overflows in step {}: no noise can hide an edge; use smaller coefficients or fewer steps",
        number);
  return w;
}

std::vector<double> sensitivities_up(std::span<const StepBound> steps) {
  std::vector<double> w = {0};
  w.reserve(steps.size() + 1);
  for (const StepBound& step : steps) w.push_back(next_sensitivity_up(step, w.back(), w.size()));
  return w;
}

}  // namespace hushwalk::accounting
