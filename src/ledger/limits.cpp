#include "ledger/limits.h"

#include <utility>

namespace hushwalk::ledger {

Limits::Limits(Ledger::Impl& ledger, std::string recipient, const std::string& at)
    : ledger_(ledger), recipient_(std::move(recipient)) {
  before_[total_account] = ledger.state.account(total_account);
  if (const auto period = ledger.state.period()) period_before_ = at_time(*period, *ledger.terms.periods, at);
}

void Limits::will_charge(const std::string& account) {
  before_.try_emplace(account, ledger_.state.seen_by(account));
}

void Limits::will_publish(const std::string& source) { published_.push_back(source); }

Units Limits::added(const std::string& account) {
  return ledger_.state.seen_by(account).spending.units - before_.at(account).spending.units;
}

// The asker's own account comes first: what does not fit there is refused whatever others have asked.
std::optional<Refusal> Limits::refusal() {
  if (const auto own = before_.find(recipient_); own != before_.end())
    if (auto refusal = refusal_of_account(own->first, own->second)) return refusal;
  for (const auto& [name, before] : before_)
    if (auto refusal = refusal_of_account(name, before)) return refusal;
  auto refusal = refusal_by_publishing();
  return refusal ? refusal : refusal_in_period();
}

std::optional<Refusal> Limits::refusal_of_account(const std::string& name, const Account& before) {
  const bool all = name == total_account;
  if (!all && !ledger_.terms.recipient) return std::nullopt;
  const Budget& budget = all ? ledger_.terms.total : *ledger_.terms.recipient;
  const Account after = ledger_.state.seen_by(name);
  if (after.releases == before.releases || budget.holds(after.spending)) return std::nullopt;
  return refusal_of({name, recipient_}, budget, before, after);
}

// What is published counts for all who have an account. While the greatest of all accounts would hold, none
// needs to be looked at; else the greatest is the first to be.
std::optional<Refusal> Limits::refusal_by_publishing() {
  if (published_.empty() || !ledger_.terms.recipient) return std::nullopt;
  State& state = ledger_.state;
  const Greatest greatest = state.greatest();
  const Spending bound = plus(greatest.spending, state.account(everybody).spending);
  if (ledger_.terms.recipient->holds(bound)) return std::nullopt;
  auto refusal = refusal_by_publishing_to(greatest.name);
  if (refusal) return refusal;
  state.each_recipient([&](const std::string& name) {
    if (!refusal && name != everybody) refusal = refusal_by_publishing_to(name);
  });
  return refusal;
}

std::optional<Refusal> Limits::refusal_by_publishing_to(const std::string& name) {
  State& state = ledger_.state;
  Account before = state.seen_by(name);
  for (const std::string& source : published_)
    if (!state.paid(source, name)) before = minus(before, {state.source(source).value().recipient, 1});
  return refusal_of_account(name, before);
}

std::optional<Refusal> Limits::refusal_in_period() {
  if (!period_before_) return std::nullopt;
  const Periods& periods = *ledger_.terms.periods;
  const PeriodAccount period = ledger_.state.period().value();
  const Budget budget = periods.budget(period.index, ledger_.terms.total);
  const Account before = periods.carry ? before_.at(total_account) : period_before_->account,
                after = periods.carry ? ledger_.state.account(total_account) : period.account;
  if (after.releases == before.releases || budget.holds(after.spending)) return std::nullopt;
  return refusal_in(periods, period.index, budget, before, after);
}

}  // namespace hushwalk::ledger
