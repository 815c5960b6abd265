// How far one edge can move a clipped diffusion, in l1. All results are rounded up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/step.h"

namespace hushwalk::accounting {

// What a value is clipped to before a step: eta times its degree, or eta for all nodes alike.
enum class Caps { degree, uniform };

// |gamma_1| + |gamma_2|, the Lipschitz constant of a step.
double gain_up(const Step& step);

// The distortion rho of one step: sup over inputs of the l1 distance of its results on adjacent graphs.
// Degree caps: max(4|gamma_1|, 2 gamma) eta, attained. Uniform caps: 2 |gamma_1| eta.
// Lemma and proof: docs/math/01-distortion.md.
double distortion_up(const Step& step, double eta, Caps caps = Caps::degree);

// What rounding every outflow and every kept value to whole units of the lattice adds to one step:
// (2 max_edges [gamma_1 != 0] + n [gamma_2 not an integer]) units. docs/math/18-lattice-slack.md.
double lattice_slack_up(const Step& step, std::uint64_t nodes, std::uint64_t max_edges, double unit);

// One step as accounting sees it: ||step'(x') - step(x)|| <= gain ||x' - x|| + distortion + slack on adjacent
// graphs, and <= gain ||x' - x|| + slack on the same graph.
struct StepBound {
  double gain = 0;
  double distortion = 0;
  double slack = 0;
};

// The bounds of all steps. In personalized scope the first step reads the seeds' own edges only and is free.
std::vector<StepBound> step_bounds_up(std::span<const Step> steps, double eta, Scope scope,
                                      Caps caps = Caps::degree);

// w_k from w_{k-1}; `number` is k, for the message.
double next_sensitivity_up(const StepBound& step, double before, std::size_t number);

// w_k = gain_k w_{k-1} + distortion_k + slack_k for k = 0..K, w_0 = 0. Needs no contraction.
// docs/math/02-sensitivity.md. Error{refused} when it overflows: no noise could hide an edge then.
std::vector<double> sensitivities_up(std::span<const StepBound> steps);

}  // namespace hushwalk::accounting
