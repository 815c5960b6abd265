// A clipped diffusion in whole numbers, in units of 2^-bits. The lattice, the cap and every coefficient come
// from public numbers; sums are exact, so that nothing depends on order or threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hushwalk/diffusion.h"

namespace hushwalk {

__extension__ typedef __int128 Int128;

// Coefficients as multiples of 2^-fraction_bits, rounded toward zero.
struct LatticeStep {
  std::int64_t walk = 0, stay = 0, restart = 0;
};

struct LatticeDiffusion {
  int bits = 0;            // the unit is 2^-bits
  int fraction_bits = 0;   // of the coefficients
  std::int64_t cap = 0;    // eta in units: a node is clipped to cap times its degree
  std::int64_t limit = 0;  // states saturate here
  bool negative = false;   // some coefficient is below zero: clip on both sides
  // Capped push (docs/math/15-pushflow.md): starts from nothing instead of the seed, and the last state is
  // clipped too, before its noise.
  bool push_flow = false;
  Scope scope = Scope::personalized;
  std::vector<LatticeStep> steps;

  std::int64_t one() const noexcept { return std::int64_t{1} << bits; }
  // value times coefficient, rounded toward zero; |coefficient| and |value| below 2^62.
  std::int64_t times(std::int64_t coefficient, std::int64_t value) const noexcept {
    const Int128 product = Int128{coefficient} * value;
    return static_cast<std::int64_t>(product < 0 ? -(-product >> fraction_bits) : product >> fraction_bits);
  }
};

// What bounds the numbers of a run.
struct HeadRoom {
  std::uint64_t nodes, seeds_per_ranking;
  double noise;  // how far noise may carry a value, in units of 1
};

// Error{refused} when eta is below one unit or a number could overflow.
LatticeDiffusion make_lattice(const Diffusion& diffusion, double eta, Scope scope, int bits,
                              const HeadRoom& room);

// The finest lattice with room for these numbers; -1 when there is none.
int finest_lattice(const Diffusion& diffusion, double eta, const HeadRoom& room);

// value + noise, saturated at +-limit. Noise itself saturates at 2^63 - 1, which must not show: with |value|
// and the limit below 2^62 the sum is clamped wherever that happens, and a clamp of the exact sum is
// post-processing (docs/math/20-discrete-sampler.md).
inline constexpr std::int64_t largest_limit = (std::int64_t{1} << 62) - 1;
inline std::int64_t plus_noise(std::int64_t value, std::int64_t noise, std::int64_t limit = largest_limit) {
  return static_cast<std::int64_t>(std::clamp<Int128>(Int128{value} + noise, -limit, limit));
}

}  // namespace hushwalk
