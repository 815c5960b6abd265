// A guarantee in words.
#include <fmt/format.h>

#include <cmath>

#include "hushwalk/accounting.h"

namespace hushwalk {
namespace {

std::string theorem(const NoiseDesign& design, Accountant accountant) {
  switch (accountant) {
    case Accountant::pure:
      return "the Laplace mechanism on the sensitivity of the clipped diffusion";
    case Accountant::theorem:
      return design.scope == Scope::edge ? "Theorem 1 of Wei, Chien and Li"
                                         : "Theorem 2 of Wei, Chien and Li, corrected";
    case Accountant::shift:
      return "shift reduction with the best shifts";
    case Accountant::composition:
      return "composition of the steps";
  }
  return "";
}

// Never below the number: it is a promise.
std::string seven_digits_up(double value) {
  if (!(value > 0) || std::isinf(value)) return fmt::format("{}", value);
  const double digit = std::pow(10, std::floor(std::log10(value)) - 6);
  return fmt::format("{:.7g}", std::ceil(value / digit) * digit);
}

}  // namespace

std::string guarantee_sentence(const NoiseDesign& design, const Guarantee& guarantee) {
  const bool edge = design.scope == Scope::edge;
  if (proven_sensitivity(design).value == 0)
    return fmt::format(
        "{} protected completely, with or without noise: the answer reads none of them, so epsilon = 0 and delta = 0.",
        edge ? "All edges of the graph are" : "All edges that do not touch the seed are");
  return fmt::format(
      "{} protected against {}: the answer is differentially private with epsilon = {} and delta = {} by {}, for continuous Laplace noise in real arithmetic.",
      edge ? "Every edge of the graph is" : "Every edge that does not touch the seed is",
      edge ? "anyone who sees the answer"
           : "the seed's owner, to whom alone the answer goes and who knows the seed's own edges",
      seven_digits_up(guarantee.epsilon), guarantee.pure() ? "0" : fmt::format("{}", *guarantee.delta),
      theorem(design, guarantee.accountant));
}

std::vector<AccountantVerdict> compare_accountants(const NoisyRun& run, std::optional<Delta> delta,
                                                   std::optional<RenyiOrder> order) {
  std::vector<AccountantVerdict> verdicts;
  for (const Accountant accountant : all_accountants) {
    AccountantVerdict verdict{accountant, unfit_reason(accountant, run.design), {}};
    if (verdict.unfit.empty()) verdict.guarantee = account(run, delta, accountant, order);
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace hushwalk
