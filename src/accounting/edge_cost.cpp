#include "accounting/edge_cost.h"

#include <algorithm>
#include <cmath>

#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {
namespace {

void check_scale(double scale) {
  if (!(scale > 0 && std::isfinite(scale)))
    refuse("a noise scale is {}; it must be positive and finite, or an edge is not hidden", scale);
}

void check_moved(double moved) {
  if (!(moved >= 0 && std::isfinite(moved)))
    refuse("the sensitivity of the background is {}; it must be finite and not negative", moved);
}

}  // namespace

double EdgeCost::worst() const { return std::max({inside, between, outside}); }

EdgeCost two_hop_cost_up(double b_in, double b_out, double background_sensitivity) {
  check_scale(b_in);
  check_scale(b_out);
  check_moved(background_sensitivity);
  const double background = div_up(background_sensitivity, std::min(b_in, b_out));
  return {div_up(2, b_in), add_up(div_up(1, b_out), background), 2 * background};
}

EdgeCost two_hop_plain_cost_up(double b_in, double b_out, double background) {
  check_scale(b_in);
  check_scale(b_out);
  check_moved(background);
  return {div_up(2, b_in), add_up(div_up(1, b_out), div_up(background, b_in)), 2 * div_up(background, b_out)};
}

EdgeCost separate_cost_up(const SeparateScales& scales, double taper_sensitivity) {
  for (const double scale :
       {scales.in_links_in, scales.in_links_out, scales.out_links_in, scales.out_background})
    check_scale(scale);
  check_moved(taper_sensitivity);
  return {div_up(2, scales.in_links_in),
          add_up(div_up(1, scales.in_links_out), div_up(1, scales.out_links_in)),
          2 * div_up(taper_sensitivity, scales.out_background)};
}

}  // namespace hushwalk::accounting
