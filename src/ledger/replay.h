// All entries from the first to the last, each compared with what those before it say.
#pragma once

#include <set>

#include "ledger/state.h"

namespace hushwalk::ledger {

class Replay final : public Books {
 public:
  // Damage when the entry contradicts those before it, or spends more than the budget.
  void apply(const Entry& entry);

  void finish() const;  // Damage when the last entry cannot be the last

  Account account(const std::string& name) override;
  std::optional<Drawn> source(const std::string& key) override;

  const std::map<std::string, std::string>& documents() const { return documents_; }  // SHA-256 by name
  const std::set<std::string>& forgotten() const { return forgotten_; }  // those that may be gone
  bool was_charged(const std::string& answer) const { return said_.contains("answer " + answer); }
  // Rows that say where members are found.
  struct Membership {
    std::string name;
    std::int64_t source, entry;
    auto operator<=>(const Membership&) const = default;
  };
  const std::set<Membership>& members() const { return members_; }
  std::int64_t recipients() const;  // that have an account
  Greatest greatest() const;        // of all accounts
  const std::string& latest() const { return latest_; }
  const std::string& head() const { return head_; }
  std::int64_t entries() const { return entries_; }

  // Appends, so that it can be found, what entries of version 1 say in another way.
  void say_again(State& state, const std::string& at);
  // And what entries up to version 3 do not say, where there is a limit for each recipient.
  void say_greatest(State& state, const std::string& at) const;

 private:
  void check_was_charged(const std::string& document) const;
  void once(const std::string& what);
  void check_given_back(const Entry& entry);
  void apply_owners(const Entry& entry);
  void apply_charge(const Entry& entry);
  void apply_members(const Entry& entry);
  void apply_terms(const Entry& entry);
  void apply_period(const Entry& entry);
  void apply_accounts(const Entry& entry);
  void check_said(const Json& body, const std::string& altered);
  void give_back(const Json& publication);
  void check_paid_twice(const Json& publication);
  void apply_greatest(const Entry& entry);
  void check_budgets(const Json& body);
  bool recipients_hold(const Json& publication);
  void apply_time(const Entry& entry);

  Terms terms_;
  Accounts accounts_;
  std::map<std::string, Drawn> sources_;
  std::map<std::string, std::int64_t> source_entries_, stored_by_;
  std::unordered_map<std::string, std::vector<std::string>> payers_;  // by source: who paid for themselves
  std::set<std::int64_t> plans_;
  std::set<Membership> members_;
  std::set<std::string> forgotten_;
  std::optional<PeriodAccount> period_;
  std::optional<Greatest> greatest_;   // none: entries do not say it, up to version 3
  std::int64_t last_paid_before_ = 0;  // the last publication of what somebody may have paid for before
  std::int64_t epoch_ = 0;
  std::map<std::string, std::string> owners_, documents_;
  std::set<std::string> said_;            // what may be said only once
  std::vector<std::string> later_owned_;  // seeds that are not the first of their entry, in version 1
  std::vector<std::string> for_anyone_;   // sources in edge scope, whose certificates said so, likewise
  bool counted_ = false;                  // entries say what the accounts are, from version 2 on
  std::int64_t entries_ = 0;
  std::string latest_, head_, given_back_;
};

}  // namespace hushwalk::ledger
