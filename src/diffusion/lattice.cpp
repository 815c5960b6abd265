#include "diffusion/lattice.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"

namespace hushwalk {
namespace {

constexpr int value_bits = 62;  // values and coefficients stay below 2^62, their products in 128 bits

double largest_coefficient(const Diffusion& diffusion) {
  double most = 0;
  for (const Step& step : diffusion.steps())
    most = std::max({most, std::abs(step.walk), std::abs(step.stay), std::abs(step.restart)});
  return most;
}

// How large a complete sum can be before noise, in units of 1: what flows in from clipped neighbours and from
// seeds, what stays, and the restart. The margin covers the rounding of this very sum.
double value_bound(const Diffusion& diffusion, double eta, const HeadRoom& room) {
  const double caps = eta * static_cast<double>(room.nodes),
               seeds = static_cast<double>(room.seeds_per_ranking);
  double most = 1;
  for (const Step& step : diffusion.steps())
    most = std::max(most, std::abs(step.walk) * (caps + seeds) + std::abs(step.stay) * std::max(caps, 1.0) +
                              std::abs(step.restart));
  return std::max(most, caps) * (1 + 1e-9) + room.noise;
}

}  // namespace

int finest_lattice(const Diffusion& diffusion, double eta, const HeadRoom& room) {
  const double bound = value_bound(diffusion, eta, room);
  return std::isfinite(bound) ? std::max(-1, value_bits - 1 - std::ilogb(bound)) : -1;
}

LatticeDiffusion make_lattice(const Diffusion& diffusion, double eta, Scope scope, int bits,
                              const HeadRoom& room) {
  LatticeDiffusion lattice;
  lattice.bits = bits;
  lattice.fraction_bits = value_bits - 1 - std::max(0, std::ilogb(largest_coefficient(diffusion)));
  const double cap = std::floor(std::ldexp(eta, bits)),
               limit = std::ldexp(value_bound(diffusion, eta, room), bits);
  if (bits < 0 || lattice.fraction_bits < 1 || limit >= std::ldexp(1.0, value_bits))
    refuse("values of this diffusion do not fit into 62 bits; use a smaller `eta` or smaller coefficients");
  if (cap < 1)
    refuse(
        "eta = {} is below the lattice unit 2^-{} that {} nodes leave room for; use a larger `eta`, or an `epsilon` that needs less noise",
        eta, bits, room.nodes);
  lattice.cap = static_cast<std::int64_t>(cap);
  lattice.limit = static_cast<std::int64_t>(limit);
  lattice.negative = diffusion.has_negative();
  lattice.scope = scope;
  const auto quantised = [&](double coefficient) {
    return static_cast<std::int64_t>(std::ldexp(coefficient, lattice.fraction_bits));
  };
  const std::int64_t one = std::int64_t{1} << lattice.fraction_bits;
  for (const Step& step : diffusion.steps()) {
    LatticeStep next{quantised(step.walk), quantised(step.stay), quantised(step.restart)};
    // A rounded 1 - beta must not let mass grow: docs/math/14-output-half.md counts on a sum of at most 1.
    const std::int64_t left = one - next.walk - next.stay;
    if (!lattice.negative && left >= 0) next.restart = std::min(next.restart, left);
    lattice.steps.push_back(next);
  }
  return lattice;
}

}  // namespace hushwalk
