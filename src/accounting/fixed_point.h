// Sensitivities that come from the fixed point of a capped iteration instead of the recursion w_k.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hushwalk/step.h"

namespace hushwalk::accounting {

// beta, when all steps are the lazy walk beta/2, beta/2, 1 - beta with the same 0 < beta < 1.
std::optional<double> lazy_beta(std::span<const Step> steps);

// The halved sensitivity of `output`: eta ((1-a)/a) max(1, 4a/(1+a)) + 4 (1-a)^K with a = 1 - beta, for the
// lazy walk with constant coefficients beta/2, beta/2, 1 - beta only (any other steps: no value). Both
// scopes, degree caps. In real arithmetic: on the lattice 2 sigma (1 - (1-a)^K) / a must be added, sigma the
// rounding of a step, because each run is compared with its own fixed point. Note:
// docs/math/14-output-half.md.
std::optional<double> output_half_sensitivity_up(std::span<const Step> steps, double eta);

// DP-PUSHFLOWCAP: h <- min(e_s + (1-a) W h, T), T_v = cap d_v, p = a h, `rounds` rounds, W the lazy walk.
struct PushFlow {
  double teleport;  // a, in (0, 1)
  double cap;       // c, per degree
  std::uint64_t rounds;
};

// As published (Epasto et al. 2022): (3-a) c (1 - (1-a)^R), exponent R-1 in personalized scope.
// Error{refused} when a is not in (0, 1), c is not positive and finite or R is 0. docs/math/15-pushflow.md.
double pushflow_published_sensitivity_up(const PushFlow& flow, Scope scope);

// From the fixed point: c max(1-a, 2a) + 2 (1-a)^R; the last term is needed. Both scopes.
// docs/math/15-pushflow.md.
double pushflow_fixed_point_sensitivity_up(const PushFlow& flow);

}  // namespace hushwalk::accounting
