// Who has spent what: accounts, and how an entry alters them. docs/math/22-ledger.md.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hushwalk/certificate.h"
#include "ledger/budget.h"
#include "ledger/periods.h"

namespace hushwalk::ledger {

using Json = nlohmann::ordered_json;

// What an entry is. The meaning of a kind must not change: ledgers with such entries exist.
inline constexpr const char* kind_init = "init";
inline constexpr const char* kind_snapshot = "snapshot";
inline constexpr const char* kind_charge = "charge";
inline constexpr const char* kind_owner = "owner";      // one more seed of a charge has an owner
inline constexpr const char* kind_publish = "publish";  // what one has paid for is everybody's next; up to 3
inline constexpr const char* kind_store = "store";
inline constexpr const char* kind_clock = "clock";
inline constexpr const char* kind_upgrade = "upgrade";  // says again what older entries do not say themselves
inline constexpr const char* kind_plan = "plan";        // what charges are of, written down once
inline constexpr const char* kind_members = "members";  // many that have one artefact, each for themselves
inline constexpr const char* kind_content = "content";  // by what a graph's content is known
inline constexpr const char* kind_key = "key";          // a new epoch: another salt, perhaps another key
inline constexpr const char* kind_extend = "extend";    // limits are raised
inline constexpr const char* kind_forget = "forget";    // older documents are gone

// Accounts that are nobody's own. No recipient can have these names: they have no control character, and no
// blank at their ends.
inline constexpr const char* total_account = "\t";
using hushwalk::everybody;  // what was published

struct Terms {
  std::string ledger_id;
  Budget total;
  std::optional<Budget> recipient;
  std::optional<Periods> periods;
};
Terms terms_of(const Json& init, const std::string& at);
// With limits that were raised.
void extend(Terms& terms, const Json& extension);
Json limits_json(const Terms& terms);

struct Account {
  Spending spending;
  std::int64_t releases = 0;
  friend bool operator==(const Account&, const Account&) = default;
};
using Accounts = std::map<std::string, Account>;

Account plus(const Account& a, const Account& b);   // rounded up
Account minus(const Account& a, const Account& b);  // likewise; Damage when it would be below zero
Account account_of(const Json& json);               // Damage when it is negative
Json json_of(const Account& account);

// What was drawn once, and what it adds to the accounts.
struct Drawn {
  std::string key;
  Spending total, recipient;
};
Drawn source_of(const Json& charge);  // of one that has a cost
// What a charge is of: an artefact, or an answer with noise of its own, which is its own source. Empty: none.
std::string source_name(const Json& body);
// A charge of what a newer copy of the ledger had charged, as far as its head tells: its source is named by
// the hash of that head, and nothing is released on it. It may take recipients and a period beyond their
// limits.
inline constexpr const char* lost_source = "lost ";
bool is_lost(const Json& body);
bool pays_for_everybody(const Json& body);  // it publishes its source
bool pays_for_one(const Json& body);        // on one account

// The snapshots of the graph so far, in the entry that says so: how many, and the last that was declared.
struct Snapshots {
  std::int64_t count = 1, last = 1;  // the first is that of the first entry
  friend bool operator==(const Snapshots&, const Snapshots&) = default;
};
Snapshots snapshots_of(const Json& json);
Json json_of(const Snapshots& snapshots);

// What was spent in a period, in the entry that says so.
struct PeriodAccount {
  std::int64_t index = 0;
  Account account;
  friend bool operator==(const PeriodAccount&, const PeriodAccount&) = default;
};
PeriodAccount period_of(const Json& json);
Json json_of(const PeriodAccount& period);
// Periods never go back, whatever the clock does.
PeriodAccount at_time(const PeriodAccount& before, const Periods& periods, std::string_view at);

// One that has an artefact: the owner of the seed of their own name, who pays for it unless it was published.
struct Member {
  std::string name;
  Account after;
};
std::vector<Member> members_of(const Json& body);
bool members_pay(const Json& body);
std::optional<Account> account_of_member(const Json& body, const std::string& name);  // none: not one of them
Json json_of(const Member& member);

// At least what every recipient has in an account of their own: the greatest of each number that any of them
// ever had, and who has the greatest sum. Said by every entry of a ledger with a limit for each recipient, so
// that what is published need not be compared with every account; an entry that does not alter it names the
// one that says it.
struct Greatest {
  std::string name;
  Spending spending;
  friend bool operator==(const Greatest&, const Greatest&) = default;
};
Greatest greatest_of(const Json& json);
Json json_of(const Greatest& greatest);
Greatest with(Greatest greatest, const std::string& name, const Account& account);
Greatest with_entry(Greatest greatest, const Json& body);  // with the accounts that an entry says

// What is known before an entry.
class Books {
 public:
  virtual ~Books() = default;
  virtual Account account(const std::string& name) = 0;  // all zero when it was never used
  virtual std::optional<Drawn> source(const std::string& key) = 0;

  // All that somebody sees: what they paid for, and what was published.
  Account seen_by(const std::string& name);
};

// The accounts that an entry alters, as they are after it: the total, and at most one more.
Accounts accounts_after(std::string_view kind, const Json& body, Books& books);

}  // namespace hushwalk::ledger
