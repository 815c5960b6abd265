#include "ledger/refusal.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "plan/certificate.h"

namespace hushwalk::ledger {
namespace {

std::string refusal_words(const std::string& whose) {
  return whose + " does not hold this; questions that were answered before cost nothing";
}

std::string cost_words(const Account& before, const Account& after) {
  const auto releases = static_cast<std::uint64_t>(after.releases - before.releases);
  return fmt::format("this would cost {}{}", decimal(after.spending.units - before.spending.units),
                     releases > 1 ? fmt::format(" for {} new releases", releases) : "");
}

std::string spent_words(const std::string& whose, const Budget& budget, const Account& before,
                        const Account& after) {
  const auto releases = static_cast<std::uint64_t>(after.releases - before.releases);
  std::string text = fmt::format("{} is epsilon = {}{}, of which {} is spent", whose, decimal(budget.units),
                                 budget.delta ? fmt::format(", delta = {}", *budget.delta) : "",
                                 spent_text(budget.epsilon(before.spending)));
  if (before.spending.units <= budget.units)
    text += fmt::format(": {} is left{}", decimal(budget.units - before.spending.units),
                        budget.delta ? " if epsilons are simply added" : "");
  const Units fits = budget.largest_that_fits(before.spending, releases);
  return text +
         (fits > 0 ? fmt::format(". `epsilon {}`{} would fit", decimal(fits), releases > 1 ? " for each" : "")
                   : std::string(". Nothing more fits"));
}

// For the owner of the account.
Refusal told_in_full(const Refusal& refusal) { return {refusal.message + "; " + refusal.for_custodian, ""}; }

}  // namespace

void check_request(const LedgerRequest& request) {
  const std::string& name = request.recipient;
  if (!is_recipient_name(name))
    fail_usage("the recipient's name must be printable UTF-8 of at most {} bytes, with no blank at its ends",
               longest_recipient_name);
  if (written_units_down(request.release.epsilon.value()) < 1)
    refuse("epsilon = {} is less than the smallest unit of a ledger, 1e-9", request.release.epsilon.value());
  if (request.publish && !name.empty())
    fail_usage("what is published has no recipient: name one, or publish");
  if (request.publish && request.release.scope != Scope::edge)
    refuse(
        "in personalized scope an answer is for the owner of the seed only and cannot be published; use `scope edge`");
}

// What was spent of a budget that others share, or by somebody else, is not for the one who asks; nor is what
// a question would add to it, which tells whether somebody has asked it before. Only the recipient that the
// request names is told of their own.
Refusal refusal_of(const Asker& asker, const Budget& budget, const Account& before, const Account& after) {
  const auto& [name, recipient] = asker;
  const bool own = name == recipient && !name.empty();
  const std::string whose = name == total_account ? "the total budget"
                            : name == everybody   ? "the budget of each recipient"
                            : own                 ? fmt::format("the budget of '{}'", name)
                                                  : "the budget of a recipient";
  const std::string account =
      name == total_account || name == everybody ? whose : fmt::format("the budget of '{}'", name);
  const Refusal refusal{refusal_words(whose),
                        cost_words(before, after) + "; " + spent_words(account, budget, before, after)};
  return own ? told_in_full(refusal) : refusal;
}

Refusal refusal_in(const Periods& periods, std::int64_t index, const Budget& budget, const Account& before,
                   const Account& after) {
  return Refusal{refusal_words("the budget of this period"),
                 fmt::format("{}; {}. The next period begins on {}", cost_words(before, after),
                             spent_words(periods.carry ? "the budget of all periods up to this one"
                                                       : "the budget of this period",
                                         budget, before, after),
                             periods.begin(index + 1))};
}

}  // namespace hushwalk::ledger
