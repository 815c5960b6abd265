#include "plan/link_plan.h"

#include <cmath>
#include <utility>

#include "accounting/round_up.h"
#include "base/fail.h"
#include "noise/discrete_laplace.h"

namespace hushwalk {

using accounting::QuantisedTaper;

double links_of(std::uint64_t units) {
  return std::ldexp(accounting::count_up(units), -QuantisedTaper::fraction_bits);
}

NoiseUse link_noise(std::string on, double laplace_scale) {
  const double lattice_scale = std::ldexp(laplace_scale, QuantisedTaper::fraction_bits);
  if (lattice_scale > DiscreteLaplace::max_scale || lattice_scale < 1)
    refuse(
        "this epsilon needs noise of {:.4g} links on the {}, and it is drawn from 2^-32 to 2^18; use {} `epsilon`",
        laplace_scale, on, lattice_scale < 1 ? "a smaller" : "a larger");
  return {std::move(on), laplace_scale, lattice_scale, 1};
}

accounting::Taper taper_of(double taper) {
  if (std::isinf(taper) && taper > 0) return std::nullopt;
  if (!(taper >= 1 && taper <= static_cast<double>(QuantisedTaper::max_taper)) || taper != std::floor(taper))
    fail_usage("`taper` is {}; it must be a whole number from 1 to {}, or inf", taper,
               QuantisedTaper::max_taper);
  return static_cast<std::uint64_t>(taper);
}

}  // namespace hushwalk
