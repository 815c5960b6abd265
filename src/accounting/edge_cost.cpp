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
    refuse("what an edge moves is {}; it must be finite and not negative", moved);
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

double shared_cost_up(double b, double taper_sensitivity) {
  return laplace_cost_up({{2 * taper_sensitivity, b}});
}

double FrontierCost::worst() const { return std::max({separate.worst(), among, across}); }

FrontierCost frontier_cost_up(const SeparateScales& separate, const FrontierScales& scales,
                              double taper_sensitivity) {
  return {separate_cost_up(separate, taper_sensitivity), laplace_cost_up({{2, scales.among}}),
          laplace_cost_up({{1, scales.into}, {1, scales.out_of}})};
}

double laplace_cost_up(std::span<const MovedNumbers> moved) {
  double cost = 0;
  for (const auto& [by, scale] : moved) {
    check_scale(scale);
    check_moved(by);
    cost = add_up(cost, div_up(by, scale));
  }
  return cost;
}

namespace {

void check(const ReleasedNumbers& released) {
  if (released.columns.empty() || released.effects.empty())
    fail_usage("a mechanism releases at least one column, and says what at least one kind of edge moves");
  for (const ReleasedColumn& column : released.columns)
    if (!(column.noise > 0 && std::isfinite(column.noise)))
      fail_usage("the part of the noise of '{}' is {}; it must be positive and finite", column.numbers,
                 column.noise);
  for (const auto& [kind, moved] : released.effects) {
    if (moved.size() != released.columns.size())
      fail_usage("'{}' moves {} columns, and {} are released", kind, moved.size(), released.columns.size());
    std::ranges::for_each(moved, check_moved);
  }
}

}  // namespace

double cost_up(const ReleasedNumbers& released, std::span<const double> scales) {
  double worst = 0;
  for (const EdgeEffect& effect : released.effects) {
    std::vector<MovedNumbers> moved;
    moved.reserve(scales.size());
    for (std::size_t i = 0; i < scales.size(); ++i) moved.push_back({effect.moved[i], scales[i]});
    worst = std::max(worst, laplace_cost_up(moved));
  }
  return worst;
}

double most_moved_up(const ReleasedNumbers& released) {
  double most = 0;
  for (const EdgeEffect& effect : released.effects) {
    double sum = 0;
    for (const double moved : effect.moved) sum = add_up(sum, moved);
    most = std::max(most, sum);
  }
  return most;
}

std::vector<double> scales_for(const ReleasedNumbers& released, Epsilon epsilon) {
  check(released);
  std::vector<double> scales;
  scales.reserve(released.columns.size());
  for (const ReleasedColumn& column : released.columns) scales.push_back(column.noise);
  const double factor = div_up(cost_up(released, scales), epsilon.value());
  if (!(factor > 0)) fail_usage("no edge moves anything: there is nothing to protect");
  for (double& scale : scales) scale = mul_up(scale, factor);
  // Rounding up may still leave a little too much.
  while (cost_up(released, scales) > epsilon.value())
    for (double& scale : scales) scale = next_up(scale);
  return scales;
}

// |ln(e^(1/t) - 1)|: a pair that is flipped more often than not tells as much. The errors of the quotient and
// of expm1 move it by less than 2^-50, that of the logarithm is less than 2^-52 of it.
double flip_cost_up(double skip_scale) {
  check_scale(skip_scale);
  const double cost = std::abs(std::log(std::expm1(1 / skip_scale)));
  return add_up(add_up(cost, cost * 0x1p-52), 0x1p-50);
}

}  // namespace hushwalk::accounting
