// The entries of a ledger: appended, found by what they say, and never believed unless their hash fits.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "ledger/books.h"
#include "ledger/database.h"

namespace hushwalk::ledger {

struct Answer {
  std::string key, source, plan;
  bool stored = false;  // known to be
  bool fresh = false;   // charged just now, so that nothing can have been drawn for it before
};

std::string entry_hash(const std::string& previous, std::int64_t sequence, std::string_view at,
                       std::string_view kind, std::string_view body);

struct Entry {
  std::int64_t sequence = 0;
  std::string at, kind, body_text, hash;
  Json body;

  bool is(std::int64_t number, std::string_view time, std::string_view type, std::string_view text) const;
  std::string latest() const;  // the latest time of any entry so far, unless the clock was accepted since
};
using EntryPointer = std::shared_ptr<const Entry>;

class State final : public Books {
 public:
  explicit State(const Database& database);

  // Adds an entry with the accounts as they are after it; within a writing transaction.
  void append(const std::string& at, const char* kind, Json body);
  // Takes a source from the accounts of those who have paid for it; the next entry charges it to everybody.
  void give_back(const std::string& at, const std::string& source);

  EntryPointer last();  // none: nullptr. Damage when its hash does not fit, as for all that follow
  // Calls `visit` with every entry from the first; Damage where the chain is broken.
  void each(const std::function<void(const Entry&)>& visit);

  Terms terms();
  bool knows_graph(const std::string& id);
  std::optional<std::string> owner(const std::string& node);
  std::optional<Drawn> source(const std::string& key) override;
  bool paid(const std::string& source, const std::string& recipient);  // on this very account
  bool paid_in_version_1(const std::string& source, const std::string& recipient);
  Account account(const std::string& name) override;
  std::vector<std::string> recipients();  // those that have an account, and everybody
  std::optional<Answer> answer(const std::string& key);
  std::optional<Answer> answer_of_request(const std::string& key);
  EntryPointer stored(const std::string& document);  // the entry that says what was stored; or nullptr

  const Database& database() const noexcept { return database_; }

 private:
  EntryPointer found(Statement& statement, const std::string& key);
  // The same; Damage unless the body says the key there.
  EntryPointer found(Statement& statement, const std::string& key, const char* where);
  EntryPointer payment(const std::string& source, const std::string& recipient);
  EntryPointer entry(std::int64_t sequence);
  EntryPointer remember(Entry entry);

  const Database& database_;
  Statement insert_, set_head_, head_, last_, entry_, previous_, all_, graph_, owner_, source_, payment_,
      payers_, account_, accounts_, answer_, request_, document_, first_of_kind_;
  std::unordered_map<std::string, EntryPointer> checked_;  // by hash: what it says can never change
};

}  // namespace hushwalk::ledger
