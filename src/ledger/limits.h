// The accounts that one request charges: as they were before it, and whether they hold after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ledger/ledger_impl.h"
#include "ledger/refusal.h"

namespace hushwalk::ledger {

// Within the transaction that charges.
class Limits {
 public:
  // `recipient` is whom the request names; `at` the time of its entries.
  Limits(Ledger::Impl& ledger, std::string recipient, const std::string& at);

  void will_charge(const std::string& account);       // before it does
  void will_publish(const std::string& source);       // likewise: on every recipient's account
  const Accounts& before() const { return before_; }  // those that are charged, with all that was published
  Units added(const std::string& account);            // to the pure sum, so far

  // None when all accounts that were charged hold.
  std::optional<Refusal> refusal();

 private:
  std::optional<Refusal> refusal_of_account(const std::string& name, const Account& before);
  std::optional<Refusal> refusal_by_publishing();
  std::optional<Refusal> refusal_by_publishing_to(const std::string& name);
  std::optional<Refusal> refusal_in_period();

  Ledger::Impl& ledger_;
  std::string recipient_;
  Accounts before_;
  std::optional<PeriodAccount> period_before_;
  std::vector<std::string> published_;  // sources
};

}  // namespace hushwalk::ledger
