#include "accounting/chain.h"

#include <cmath>

#include "accounting/renyi.h"
#include "accounting/round_up.h"

namespace hushwalk::accounting {

std::vector<StepBound> Chain::bounds() const {
  std::vector<StepBound> result;
  result.reserve(steps.size());
  for (const ChainStep& step : steps) result.push_back(step.bound);
  return result;
}

double whole(Noise noise, double shift) {
  return noise == Noise::discrete_laplace ? std::floor(shift) : shift;
}

double absorb_up(const Chain& chain, double order, double shift) {
  return chain.noise == Noise::laplace ? laplace_renyi_up(order, div_up(shift, chain.scale))
                                       : discrete_laplace_renyi_up(order, shift, chain.scale);
}

double absorb_evenly_up(const Chain& chain, double order, double shift, int draws) {
  if (draws == 1) return absorb_up(chain, order, shift);
  if (chain.noise == Noise::laplace) return mul_up(draws, absorb_up(chain, order, div_up(shift, draws)));
  // A vector of whole numbers splits into vectors whose l1 norms differ by one at most.
  const double low = std::floor(shift / draws), rest = shift - low * draws;
  return add_up(mul_up(rest, absorb_up(chain, order, low + 1)),
                mul_up(draws - rest, absorb_up(chain, order, low)));
}

}  // namespace hushwalk::accounting
