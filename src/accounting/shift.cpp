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
#include <cstdint>
#include <vector>

#include "accounting/accountants.h"
#include "accounting/renyi.h"
#include "accounting/round_up.h"

namespace hushwalk::accounting {
namespace {

constexpr int slope_digits = 50;          // bits; the sum of the shifts is as exact as the slope
constexpr double root_tolerance = 1e-12;  // relative, of what is absorbed
constexpr std::uintmax_t slope_tries = 100;
constexpr double gain_rounding = 1e-12;
constexpr double negligible_gain = 1e-30;  // earlier steps than that carry everything on
constexpr double limit_tolerance =
    1e-11;  // of what the block absorbs; a smaller breach is rounding and is clamped

// Steps [begin, end) that end with nothing carried.
struct Block {
  std::size_t begin, end;
};

class ShiftProblem {
 public:
  ShiftProblem(const Chain& chain, double order)
      : chain_(chain),
        steps_(chain.steps()),
        order_(order),
        first_(order < infinite_order ? first_active() : 0) {
    shifts_.resize(steps_.size() - first_);
    h_.resize(steps_.size() - first_);
  }

  double cost_up() {
    if (order_ == infinite_order)
      solve_linear();
    else
      solve_blocks();
    return price_up();
  }

 private:
  double& shift(std::size_t k) { return shifts_[k - first_]; }
  double& h(std::size_t k) { return h_[k - first_]; }
  // Rounding makes gains of one a little more or less, which would decide where everything is absorbed.
  double gain(std::size_t k) const {
    const double exact = steps_[k].bound.gain;
    return std::abs(exact - 1) < gain_rounding ? 1 : exact;
  }
  double own(std::size_t k) const { return steps_[k].bound.distortion + steps_[k].bound.slack; }
  double carried_into(std::size_t k) const { return k == first_ ? chain_.w()[k] : 0; }

  // Steps before this one carry everything on, because next to nothing of it arrives.
  std::size_t first_active() const {
    double product = 1, most = 1;
    for (std::size_t k = steps_.size(); k-- > 0;) {
      product *= gain(k);
      most = std::max(most, product);
      if (product <= most * negligible_gain) return k;
    }
    return 0;
  }

  // At order infinity every unit of shift costs the same wherever it is absorbed: absorb now unless it
  // shrinks later.
  void solve_linear() {
    double later = infinite_order;  // the smallest factor on the way from here to a later step with noise
    for (std::size_t k = steps_.size(); k-- > 0;) {
      const bool noisy = steps_[k].draws > 0;
      shift(k) = noisy && later >= 1 ? infinite_order : 0;  // all that there is, or nothing
      later = gain(k) * (noisy ? std::min(1.0, later) : later);
    }
  }

  void solve_blocks() {
    std::vector<Block> todo = {{first_, steps_.size()}};
    while (!todo.empty()) {
      const Block block = todo.back();
      todo.pop_back();
      const double total = carry_and_gains(block);
      if (absorb_at_once(block)) continue;
      equalise(block, total);
      if (const std::size_t split = worst_breach(block, total); split < block.end) {
        todo.push_back({block.begin, split});
        todo.push_back({split, block.end});
      }
    }
  }

  // Where slopes do not fall from step to step when each absorbs its own, that is the optimum: as with gains
  // above one.
  bool absorb_at_once(const Block& block) {
    double before = 0;
    for (std::size_t k = block.begin; k < block.end; ++k) {
      if (steps_[k].draws == 0 || carried_into(k) > 0) return false;
      const double x = own(k) / (steps_[k].draws * chain_.scale());
      const double slope = (1 - laplace_one_minus_slope(order_, x)) / h(k);
      if (slope < before) return false;
      before = slope;
      shift(k) = own(k);
    }
    return true;
  }

  // Equal slopes over the block, found by the shift x (in scales, per draw) of the step with the largest h.
  void equalise(const Block& block, double total) {
    double most = 0, sum = 0;
    for (std::size_t k = block.begin; k < block.end; ++k) {
      const double draws = steps_[k].draws;
      if (draws > 0) most = std::max(most, h(k));
      sum += h(k) * draws;
      shift(k) = 0;
    }
    if (!(total > 0) || !(most > 0) || !std::isfinite(sum)) return;
    const double low = total / (sum * chain_.scale()), high = total / (most * chain_.scale());
    const auto excess = [&](double x) { return (absorbed(block, x, most) - total) / total; };
    absorbed(block, root(excess, low, high), most);
  }

  template <class Function>
  static double root(const Function& f, double low, double high) {
    const double at_low = f(low);
    if (at_low >= -root_tolerance || !(low < high)) return low;
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
    double sum = 0, last_share = 1, last = x;
    for (std::size_t k = block.begin; k < block.end; ++k) {
      const double draws = steps_[k].draws, share = h(k) / most;
      if (draws == 0) continue;
      if (share != last_share)
        last =
            share == 1 ? x : laplace_slope_inverse(order_, top * share, (1 - share) + share * one_minus_top);
      last_share = share;
      shift(k) = last * draws * chain_.scale();
      sum += h(k) * shift(k);
    }
    return sum;
  }

  // Sets h_k, the product of the gains after step k in the block; returns what there is to absorb, in units
  // of its end.
  double carry_and_gains(const Block& block) {
    double product = 1, total = 0;
    for (std::size_t k = block.end; k-- > block.begin;) {
      h(k) = product;
      total += product * own(k);
      product *= gain(k);
    }
    return total + product * carried_into(block.begin);
  }

  // The step after which the shifts exceed most what there is to absorb, or block.end.
  std::size_t worst_breach(const Block& block, double total) {
    double z = carried_into(block.begin), worst = -limit_tolerance * total;
    std::size_t split = block.end;
    for (std::size_t k = block.begin; k + 1 < block.end; ++k) {
      z = gain(k) * z + own(k) - shift(k);
      if (z * h(k) < worst) {
        worst = z * h(k);
        split = k + 1;
      }
    }
    return split;
  }

  // Follows the recursion with the chosen shifts, clamped to what there is, the rest absorbed at the end.
  double price_up() {
    double z = chain_.w()[first_], sum = 0, last_shift = 0, last_price = 0;
    int last_draws = 0;
    for (std::size_t k = first_; k < steps_.size(); ++k) {
      const auto& [bound, draws] = steps_[k];
      z = whole(chain_.noise(), add_up(add_up(mul_up(bound.gain, z), bound.distortion), bound.slack));
      const bool last = k + 1 == steps_.size();
      const double taken = draws == 0 ? 0 : last ? z : std::min(z, whole(chain_.noise(), shift(k)));
      if (taken != last_shift || draws != last_draws)
        last_price = taken > 0 ? absorb_evenly_up(chain_, order_, taken, draws) : 0;
      last_shift = taken;
      last_draws = draws;
      sum = add_up(sum, last_price);
      z = add_up(z, -taken);
    }
    return z > 0 ? infinite_order : sum;  // nothing hides what no draw absorbs
  }

  const Chain& chain_;
  const std::vector<ChainStep>& steps_;
  double order_;
  std::size_t first_;
  std::vector<double> shifts_, h_;  // of the steps from first_ on
};

}  // namespace

double FittingChain::shift_up(double order) const { return ShiftProblem(chain_, order).cost_up(); }

}  // namespace hushwalk::accounting
