// The shift accountant: choose a_k >= 0 with z_k = gain_k z_{k-1} + bound_k - a_k >= 0 and z_K = 0; the chain
// costs sum of D(a_k). In the units of the last step, u_k = h_k a_k with h_k the product of the gains after
// step k, it is a separable convex problem under limits on partial sums: u_1 + … + u_k <= R_k, equality at K.
// Without the inner limits the slopes D'(a_k) / h_k of all steps are equal, which one number determines.
// Where that breaks a limit, the limit it breaks most is tight in the optimum, and the two sides of it are
// solved alone (the decomposition algorithm for base polytopes, Fujishige 1980, Groenevelt 1991). Whatever
// comes out is made feasible and priced with upward rounding, so the result is sound even where it is not the
// optimum. docs/math/07-shift-accountant.md.
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <utility>

#include "accounting/accountants.h"
#include "accounting/renyi.h"
#include "accounting/round_up.h"

namespace hushwalk::accounting {
namespace {

constexpr int slope_digits = 30;  // bits; the cost is flat at the optimum, so they count twice
constexpr std::uintmax_t slope_tries = 100;
constexpr double negligible_gain = 1e-30;  // earlier steps than that carry everything on
constexpr double limit_tolerance = 1e-9;   // relative; a smaller breach is rounding and is clamped

// Steps [begin, end) that start and end with nothing carried.
struct Block {
  std::size_t begin, end;
};

class ShiftProblem {
 public:
  ShiftProblem(const Chain& chain, double order)
      : chain_(chain), order_(order), shifts_(chain.steps.size(), 0.0), h_(chain.steps.size()) {}

  std::vector<double> solve() {
    if (order_ == infinite_order)
      solve_linear();
    else
      solve_blocks();
    return std::move(shifts_);
  }

 private:
  // At order infinity every unit of shift costs the same wherever it is absorbed: absorb now unless it
  // shrinks later.
  void solve_linear() {
    double later = infinite_order;  // the smallest factor on the way from here to a later step with noise
    for (std::size_t k = chain_.steps.size(); k-- > 0;) {
      const bool noisy = chain_.steps[k].draws > 0;
      shifts_[k] = noisy && later >= 1 ? infinite_order : 0;  // all that there is, or nothing
      later = chain_.steps[k].bound.gain * (noisy ? std::min(1.0, later) : later);
    }
  }

  void solve_blocks() {
    std::vector<Block> todo = {{0, chain_.steps.size()}};
    while (!todo.empty()) {
      const Block block = todo.back();
      todo.pop_back();
      equalise(block);
      if (const std::size_t split = worst_breach(block); split < block.end) {
        todo.push_back({block.begin, split});
        todo.push_back({split, block.end});
      }
    }
  }

  // Equal slopes over the block, found by the shift x (in scales, per draw) of the step with the largest h.
  void equalise(const Block& block) {
    const double total = carry_and_gains(block);
    double most = 0, sum = 0;
    for (std::size_t k = active_; k < block.end; ++k) {
      const double draws = chain_.steps[k].draws;
      if (draws > 0) most = std::max(most, h_[k]);
      sum += h_[k] * draws;
    }
    std::fill(shifts_.begin() + static_cast<std::ptrdiff_t>(block.begin),
              shifts_.begin() + static_cast<std::ptrdiff_t>(block.end), 0.0);
    if (!(total > 0) || !(most > 0) || !std::isfinite(sum)) return;
    const double low = total / (sum * chain_.scale), high = total / (most * chain_.scale);
    const auto excess = [&](double x) { return (absorbed(block, x, most) - total) / total; };
    absorbed(block, root(excess, low, high), most);
  }

  template <class Function>
  static double root(const Function& f, double low, double high) {
    const double at_low = f(low);
    if (at_low >= 0 || !(low < high)) return low;
    const double at_high = f(high);
    if (at_high <= 0) return high;
    std::uintmax_t tries = slope_tries;
    const auto [a, b] = boost::math::tools::toms748_solve(
        f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(slope_digits), tries);
    return (a + b) / 2;
  }

  // Sets the shifts for a given x and returns the sum of h_k a_k.
  double absorbed(const Block& block, double x, double most) {
    const double one_minus_top = laplace_one_minus_slope(order_, x), top = 1 - one_minus_top;
    double sum = 0;
    for (std::size_t k = active_; k < block.end; ++k) {
      const double draws = chain_.steps[k].draws, share = h_[k] / most;
      if (draws == 0) continue;
      const double own =
          share == 1 ? x : laplace_slope_inverse(order_, top * share, (1 - share) + share * one_minus_top);
      shifts_[k] = own * draws * chain_.scale;
      sum += h_[k] * shifts_[k];
    }
    return sum;
  }

  // Sets h_k = the product of the gains after step k in the block, and the first step that is worth a share;
  // returns what the block carries to its end when nothing is absorbed.
  double carry_and_gains(const Block& block) {
    double product = 1, most = 0, total = 0;
    active_ = block.begin;
    for (std::size_t k = block.end; k-- > block.begin;) {
      h_[k] = product;
      most = std::max(most, product);
      total += product * own(k);
      product *= chain_.steps[k].bound.gain;
      if (product <= most * negligible_gain) {
        active_ = k;
        break;
      }
    }
    return total;
  }

  // The step after which the shifts exceed most what there is to absorb, or block.end.
  std::size_t worst_breach(const Block& block) const {
    double z = 0, worst = 0, reach = 0;
    std::size_t split = block.end;
    for (std::size_t k = active_; k + 1 < block.end; ++k) {
      z = chain_.steps[k].bound.gain * z + own(k);
      reach = std::max(reach, std::abs(z) * h_[k]);
      z -= shifts_[k];
      if (z * h_[k] < worst && z * h_[k] < -limit_tolerance * reach) {
        worst = z * h_[k];
        split = k + 1;
      }
    }
    return split;
  }

  double own(std::size_t k) const { return chain_.steps[k].bound.distortion + chain_.steps[k].bound.slack; }

  const Chain& chain_;
  double order_;
  std::vector<double> shifts_, h_;
  std::size_t active_ = 0;
};

// Follows the recursion with the chosen shifts, clamped to what there is, the rest absorbed at the end.
double price_up(const Chain& chain, double order, const std::vector<double>& shifts) {
  double z = 0, sum = 0, last_shift = 0, last_price = 0;
  int last_draws = 0;
  for (std::size_t k = 0; k < chain.steps.size(); ++k) {
    const auto& [bound, draws] = chain.steps[k];
    z = whole(chain.noise, add_up(add_up(mul_up(bound.gain, z), bound.distortion), bound.slack));
    const bool last = k + 1 == chain.steps.size();
    const double shift = draws == 0 ? 0 : last ? z : std::min(z, whole(chain.noise, shifts[k]));
    if (shift > 0) {
      if (shift != last_shift || draws != last_draws)
        last_price = absorb_evenly_up(chain, order, shift, draws);
      last_shift = shift;
      last_draws = draws;
      sum = add_up(sum, last_price);
    }
    z = add_up(z, -shift);
  }
  return sum;
}

}  // namespace

double shift_renyi_up(const Chain& chain, double order) {
  return price_up(chain, order, ShiftProblem(chain, order).solve());
}

}  // namespace hushwalk::accounting
