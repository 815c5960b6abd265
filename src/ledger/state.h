// The entries of a ledger: appended, found by what they say, and never believed unless their hash fits.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "ledger/books.h"
#include "ledger/database.h"

namespace hushwalk::ledger {

// A plan as it was charged. What is computed by it must not depend on the version that reads it.
struct ChargedPlan {
  Json document;
  std::string digest;  // digest_of_plan()
  int arithmetic = 1;  // the version of release arithmetic
};

struct Answer {
  std::string key, source;
  std::shared_ptr<const ChargedPlan> plan;
  ChargedEntry entry;  // that charged it
  bool old = false;    // by a version that stored scores
};

struct KeyTerms {
  std::int64_t epoch = 0;
  std::string salt, commitment;
};

struct Released {
  std::vector<std::byte> tag;
  std::string software;  // the version that made scores of it first
};

struct Tally {
  std::int64_t stored = 0;      // answers that can be shown again
  std::int64_t finished = 0;    // sources that were drawn
  std::int64_t recipients = 0;  // that have an account
};

std::string entry_hash(const std::string& previous, std::int64_t sequence, std::string_view at,
                       std::string_view kind, std::string_view body);

struct Entry {
  std::int64_t sequence = 0;
  std::string at, kind, body_text, hash;
  Json body;

  bool is(std::int64_t number, std::string_view time, std::string_view type, std::string_view text) const {
    return sequence == number && at == time && kind == type && body_text == text;
  }
  // The latest time of any entry so far, unless the clock was accepted since.
  std::string latest() const { return body.value("latest", at); }
};
using EntryPointer = std::shared_ptr<const Entry>;

// An index that was altered leads to an entry that does not say what it was found by.
[[noreturn]] void fail_misled(const Entry& entry, const std::string& key);

class State final : public Books {
 public:
  explicit State(const Database& database);

  // Adds an entry with the accounts as they are after it; within a writing transaction.
  void append(const std::string& at, const char* kind, Json body);
  // Many that pay for one artefact, in few entries; or have it for nothing, because it was published.
  void append_members(const std::string& at, const std::string& source, const std::vector<Member>& members,
                      bool pay = true);

  EntryPointer last();  // none: nullptr. Damage when its hash does not fit, as for all that follow
  EntryPointer entry(std::int64_t sequence);
  EntryPointer source_entry(const std::string& key);  // the first charge of what was drawn; or nullptr
  // Calls `visit` with every entry from the first; Damage where the chain is broken.
  void each(const std::function<void(const Entry&)>& visit);

  std::string hash_of(std::int64_t sequence);  // empty: there is no such entry
  Terms terms();                               // as they are now
  KeyTerms key_terms();
  std::optional<PeriodAccount> period();  // that of the last entry
  std::optional<std::string> content(const std::string& graph_id, std::int64_t epoch);
  std::int64_t forgotten();  // entries up to this one have no documents any more
  bool knows_graph(const std::string& id);
  std::optional<std::string> owner(const std::string& node);
  // By the first digits of a key or all of them; the key that is found has all.
  std::optional<Drawn> source(const std::string& key) override;
  // By which it was drawn; none where the entry does not say.
  std::shared_ptr<const ChargedPlan> plan_of_source(const std::string& key);
  EntryPointer payment(const std::string& source, const std::string& recipient);  // on this very account
  bool paid(const std::string& source, const std::string& recipient);
  bool paid_in_version_1(const std::string& source, const std::string& recipient);
  Account account(const std::string& name) override;
  Greatest greatest();  // under a limit for each recipient
  // Those that have an account, and perhaps everybody, in the order of their names.
  void each_recipient(const std::function<void(const std::string&)>& visit);
  Snapshots snapshots();
  std::vector<std::string> last_graph_ids(std::size_t most);  // in the order in which they were declared
  std::optional<Answer> answer(const std::string& key);
  std::optional<Answer> answer_of_request(const std::string& key);
  std::int64_t plan_entry(const std::string& digest);  // 0: it was never charged
  EntryPointer stored(const std::string& document);    // the entry that says what was stored; or nullptr

  // Tags of what was released: nobody can make one without the key, so that they need no entry.
  std::optional<Released> released(const std::string& answer);
  void add_released(const std::string& answer, const Released& released);  // unless it is there
  Tally tally();
  void count(const Tally& more);

  const Database& database() const noexcept { return database_; }

 private:
  EntryPointer found(Statement& statement, const std::string& key);
  EntryPointer found_by_digits(Statement& statement, const std::string& key, const char* where);
  bool has_account(const std::string& name);
  static std::optional<std::string> next(Statement& statement, const std::string& name);
  EntryPointer membership(const std::string& source, const std::string& name);
  EntryPointer last_as_member(const std::string& name);  // the last entry that names it so; or nullptr
  void check_members();  // once: Damage when one was removed, who would be taken for somebody new
  std::shared_ptr<const ChargedPlan> plan_in(const Entry& charge);
  EntryPointer account_entry(const std::string& name);  // the last that says it; or nullptr
  Account settled(Account account, const std::string& name, const Entry& said);
  // Publications of what somebody may have paid for before, after an entry, the oldest first; and the one
  // before another.
  std::vector<EntryPointer> published_since(std::int64_t sequence);
  EntryPointer published_before(const Entry& publication);
  void add_earlier_payers(Json& body, const Entry* before);
  void add_greatest(Json& body, const Entry* before);
  EntryPointer greatest_entry(const Entry& entry);  // that says what it is as of this one
  std::int64_t graph_before(std::int64_t sequence);
  void add_snapshots(Json& body, const Entry* before, std::string_view kind);
  void add_member_count(Json& body, const Entry* before, std::string_view kind);
  void add_period(Json& body, const Entry* before, const std::string& at);
  // The same; Damage unless the body says the key there.
  EntryPointer found(Statement& statement, const std::string& key, const char* where);
  EntryPointer remember(Entry entry);

  const Database& database_;
  Statement insert_, set_head_, head_, last_, entry_, previous_, all_, graph_, owner_, source_, payment_,
      account_, next_account_, answer_, request_, document_, first_of_kind_, plan_, content_, term_,
      add_member_, member_, member_account_, member_count_, next_member_, graphs_, released_, add_released_,
      tally_, set_tally_;
  std::unordered_map<std::string, std::shared_ptr<const ChargedPlan>> plans_;  // by the hash of their entry
  bool members_checked_ = false;
  std::unordered_map<std::string, EntryPointer> checked_;  // by hash: what it says can never change
};

}  // namespace hushwalk::ledger
