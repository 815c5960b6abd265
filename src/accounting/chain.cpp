#include "accounting/chain.h"

#include <cmath>
#include <utility>

#include "accounting/renyi.h"
#include "accounting/round_up.h"

namespace hushwalk::accounting {

namespace {

std::vector<double> carried(const std::vector<ChainStep>& steps, Noise noise) {
  std::vector<double> w = {0};
  w.reserve(steps.size() + 1);
  for (const ChainStep& step : steps)
    w.push_back(whole(noise, next_sensitivity_up(step.bound, w.back(), w.size())));
  return w;
}

}  // namespace

Chain::Chain(std::vector<ChainStep> steps, Noise noise, double scale)
    : steps_(std::make_shared<const std::vector<ChainStep>>(std::move(steps))),
      w_(std::make_shared<const std::vector<double>>(carried(*steps_, noise))),
      noise_(noise),
      scale_(scale) {}

Chain Chain::with_scale(double scale) const {
  Chain other = *this;
  other.scale_ = scale;
  return other;
}

double whole(Noise noise, double shift) {
  return noise == Noise::discrete_laplace ? std::floor(shift) : shift;
}

double absorb_up(const Chain& chain, double order, double shift) {
  return chain.noise() == Noise::laplace ? laplace_renyi_up(order, div_up(shift, chain.scale()))
                                         : discrete_laplace_renyi_up(order, shift, chain.scale());
}

double absorb_evenly_up(const Chain& chain, double order, double shift, int draws) {
  if (draws == 1) return absorb_up(chain, order, shift);
  if (chain.noise() == Noise::laplace) return mul_up(draws, absorb_up(chain, order, div_up(shift, draws)));
  // A vector of whole numbers splits into vectors whose l1 norms differ by one at most.
  const double low = std::floor(shift / draws), rest = shift - low * draws;
  return add_up(mul_up(rest, absorb_up(chain, order, low + 1)),
                mul_up(draws - rest, absorb_up(chain, order, low)));
}

}  // namespace hushwalk::accounting
