#include "accounting/calibrate_chain.h"

#include "accounting/accountants.h"
#include "accounting/guarantee.h"
#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {

CalibratedChain calibrate_chain(const Chain& chain, double epsilon, std::optional<double> delta) {
  double scale = div_up(chain.w().back(), epsilon);
  while (div_up(chain.w().back(), scale) > epsilon) scale = next_up(scale);
  return {scale, price(Accountant::pure, chain.with_scale(scale), delta, {})};
}

}  // namespace hushwalk::accounting
