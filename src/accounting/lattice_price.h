// The clipped diffusion on the lattice as the accountants see it: its sensitivity, rounding included, by the
// smallest bound that has a proof. All results are rounded up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accounting/chain.h"
#include "accounting/fixed_point.h"

namespace hushwalk::accounting {

// Public numbers; values are in units of 2^-bits.
struct LatticeDesign {
  std::vector<Step> steps;
  Scope scope;
  double cap;  // in units: a value is clipped to so much times its degree
  int bits;
  std::uint64_t nodes, max_edges;
};

// The bounds of all steps in units, rounding included. docs/math/18-lattice-slack.md.
std::vector<StepBound> lattice_bounds_up(const LatticeDesign& design);

inline constexpr const char* by_recursion = "recursion w_K (docs/math/02-sensitivity.md)";

struct LatticePrice {
  Chain chain;         // scale 1
  double sensitivity;  // in units
  double slack;        // the part of it that is rounding
  std::string bound;
};
LatticePrice price_every_step(const LatticeDesign& design, int draws);
// One draw after the last step: the recursion, or for the lazy walk half of it.
LatticePrice price_at_end(const LatticeDesign& design);
// The state of push-flow. Error{refused} unless it is the lazy walk.
LatticePrice price_push_flow(const LatticeDesign& design);

// Push-flow whose state is clipped to `cap` times the degree; none unless it is the lazy walk.
std::optional<PushFlow> push_flow_of(std::span<const Step> steps, double cap);
// Its sensitivity without rounding.
double push_flow_sensitivity_up(const PushFlow& flow, Scope scope);

}  // namespace hushwalk::accounting
