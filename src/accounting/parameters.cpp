#include <cmath>

#include "base/fail.h"
#include "hushwalk/accounting.h"

namespace hushwalk {
namespace {

// One comparison is false for NaN, the infinities, zero, negative and denormal numbers alike.
double checked(const char* parameter, double value, double smallest, double largest, const char* example) {
  if (!(value >= smallest && value <= largest && std::isfinite(value)))
    fail_usage("{} is {}; it must be from {} to {}, for example {}", parameter, value, smallest, largest,
               example);
  return value;
}

}  // namespace

// Without backquotes: budgets of a ledger, which have names of their own, are epsilons too.
Epsilon::Epsilon(double value) : value_(checked("epsilon", value, 1e-12, 1e6, "1")) {}
Eta::Eta(double value) : value_(checked("`eta`", value, 1e-100, 1e100, "1e-6")) {}
LaplaceScale::LaplaceScale(double value) : value_(checked("`laplace_scale`", value, 1e-100, 1e100, "1e-5")) {}

Delta::Delta(double value) : value_(value) {
  if (!(value >= 1e-300 && value < 1))
    fail_usage(
        "`delta` is {}; it must be from 1e-300 to below 1, for example 1e-6 (leave it out for a pure guarantee)",
        value);
}

RenyiOrder::RenyiOrder(double value) : value_(value) {
  if (!((value >= 1 + 1e-6 && value <= 1e6) || value == std::numeric_limits<double>::infinity()))
    fail_usage("the order is {}; it must be from 1.000001 to 1e6, or inf", value);
}

std::string name(NoisePlacement placement) {
  return placement == NoisePlacement::every_step ? "paper" : "output";
}

NoiseDesign noise_design(const std::string& mechanism, std::span<const Step> steps, Eta eta, Scope scope,
                         std::optional<int> draws) {
  for (const NoisePlacement placement : {NoisePlacement::every_step, NoisePlacement::at_end})
    if (name(placement) == mechanism)
      return {{steps.begin(), steps.end()},
              eta,
              scope,
              placement,
              draws.value_or(placement == NoisePlacement::every_step ? 2 : 1)};
  fail_usage("`mechanism` must be paper or output, not {}", mechanism);
}

std::optional<Accountant> accountant_named(const std::string& wanted) {
  for (const Accountant accountant : all_accountants)
    if (name(accountant) == wanted) return accountant;
  if (wanted == "best" || wanted == "all") return std::nullopt;
  fail_usage("`accountant` must be best, theorem, shift, composition, pure or all, not {}", wanted);
}

std::string name(Accountant accountant) {
  switch (accountant) {
    case Accountant::pure:
      return "pure";
    case Accountant::theorem:
      return "theorem";
    case Accountant::shift:
      return "shift";
    case Accountant::composition:
      return "composition";
  }
  fail("no such accountant");
}

}  // namespace hushwalk
