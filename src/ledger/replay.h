// All entries from the first to the last, each compared with what those before it say. In a time that grows
// with the entries and no faster: names and keys are numbered when they are first met, and what was said of
// them is found by their numbers.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "ledger/state.h"

namespace hushwalk::ledger {

class Replay final : public Books {
 public:
  // Damage when the entry contradicts those before it, or spends more than the budget.
  void apply(const Entry& entry);

  void finish() const;  // Damage when the last entry cannot be the last

  Account account(const std::string& name) override;
  std::optional<Drawn> source(const std::string& key) override;

  struct StoredDocument {
    std::string sha256;
    std::int64_t entry;
  };
  const std::unordered_map<std::string, StoredDocument>& documents() const { return documents_; }
  bool may_be_gone(const StoredDocument& document) const { return document.entry <= forgotten_; }
  bool was_charged(const std::string& answer) const;
  // Whether an entry says that somebody paid so for what another entry drew; and how many did.
  bool has_member(const std::string& name, std::int64_t drawn_by, std::int64_t entry) const;
  std::size_t members() const { return members_; }
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
  // A name, the key of a source or of an answer, …: the same text has the same number.
  using Id = std::uint32_t;
  // What may be said only once of one text.
  enum class Said : unsigned { graph, content, plan, owner, source, answer, request, for_anyone };
  struct DrawnSource {
    Drawn drawn;
    std::int64_t entry;
    std::vector<Id> payers;  // who paid for themselves
  };
  struct Payment {
    std::int64_t entry;
    bool member;      // by one of the rows of an entry
    bool given_back;  // by an entry of its own, up to version 3
  };

  Id id_of(const std::string& text);
  std::optional<Id> known_id(const std::string& text) const;
  bool was_said(Said what, const std::string& text) const;
  bool say(Said what, const std::string& text);  // whether it is the first time
  void once(Said what, const std::string& text);
  static std::uint64_t of_both(Id source, Id payer) { return std::uint64_t{source} << 32 | payer; }
  Payment* payment(const std::string& source, Id payer);
  void add_payment(const std::string& source, const std::string& payer, bool member);
  DrawnSource* find_source(const std::string& key);
  const DrawnSource& drawn(const std::string& key);  // Damage when there is none
  std::vector<std::pair<std::string, Account>> accounts_by_name() const;

  void check_was_charged(const std::string& document);
  void check_given_back(const Entry& entry);
  void apply_owners(const Entry& entry);
  void apply_charge(const Entry& entry);
  void apply_members(const Entry& entry);
  void check_member_count(const Json& body) const;
  void apply_store(const Entry& entry);
  void apply_terms(const Entry& entry);
  void apply_snapshots(const Entry& entry);
  void apply_period(const Entry& entry);
  void apply_accounts(const Entry& entry);
  void check_said(const Json& body, const std::string& altered);
  void give_back(const Json& publication);
  void check_paid_twice(const Json& publication);
  void apply_greatest(const Entry& entry);
  void check_budgets(const Json& body);
  bool recipients_hold(const Json& publication);
  void apply_time(const Entry& entry);

  std::unordered_map<std::string, Id> ids_;
  std::vector<const std::string*> texts_;  // by id; a map never moves its keys
  std::vector<unsigned> said_;             // by id: bits of Said
  std::unordered_map<Id, Account> accounts_;
  std::unordered_map<Id, DrawnSource> sources_;
  std::unordered_map<std::int64_t, Id> drawn_by_;        // sources by entry
  std::unordered_map<std::uint64_t, Payment> payments_;  // by source and payer
  std::unordered_map<Id, Id> owners_;                    // of nodes
  std::unordered_map<std::string, StoredDocument> documents_;
  std::unordered_set<std::int64_t> plans_;

  Terms terms_;
  std::size_t members_ = 0;
  std::int64_t forgotten_ = 0;  // documents of entries up to this one may be gone
  Snapshots snapshots_;
  std::optional<PeriodAccount> period_;
  std::optional<Greatest> greatest_;   // none: entries do not say it, up to version 3
  std::int64_t greatest_said_ = 0;     // by the last entry that does not point to one before it
  std::int64_t last_paid_before_ = 0;  // the last publication of what somebody may have paid for before
  bool has_key_ = false;
  std::int64_t epoch_ = 0;
  std::vector<std::string> later_owned_;  // seeds that are not the first of their entry, in version 1
  std::vector<std::string> for_anyone_;   // sources in edge scope, whose certificates said so, likewise
  bool counted_ = false;                  // entries say what the accounts are, from version 2 on
  std::int64_t entries_ = 0;
  std::string latest_, head_, given_back_;
};

}  // namespace hushwalk::ledger
