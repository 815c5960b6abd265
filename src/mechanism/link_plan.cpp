#include "mechanism/link_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accounting/round_up.h"
#include "accounting/taper.h"
#include "base/fail.h"
#include "noise/discrete_laplace.h"

namespace hushwalk {

using accounting::QuantisedTaper;

double links_of(std::uint64_t units) {
  return std::ldexp(accounting::count_up(units), -QuantisedTaper::fraction_bits);
}

NoiseUse link_noise(std::string on, double laplace_scale) {
  const double lattice_scale = std::ldexp(laplace_scale, QuantisedTaper::fraction_bits);
  if (lattice_scale > DiscreteLaplace::max_scale || lattice_scale < DiscreteLaplace::min_scale)
    refuse(
        "this epsilon needs noise of {:.4g} links on the {}, and the sampler draws from 2^-32 to 2^18; use "
        "an "
        "epsilon between 1e-5 and 1e6",
        laplace_scale, on);
  return {std::move(on), laplace_scale, lattice_scale, 1};
}

Guarantee pure_guarantee(double epsilon, std::optional<double> delta) {
  Guarantee guarantee;
  guarantee.epsilon = guarantee.rdp = guarantee.pure_epsilon = epsilon;
  guarantee.delta = delta;
  guarantee.order = std::numeric_limits<double>::infinity();
  guarantee.accountant = Accountant::pure;
  return guarantee;
}

std::vector<double> to_links(std::span<const std::int64_t> units) {
  std::vector<double> links(units.size());
  std::ranges::transform(units, links.begin(), [](std::int64_t unit) {
    return std::ldexp(static_cast<double>(unit), -QuantisedTaper::fraction_bits);
  });
  return links;
}

}  // namespace hushwalk
