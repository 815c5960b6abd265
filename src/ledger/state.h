// The tables of a ledger: entries are appended, and what they say is applied.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ledger/budget.h"
#include "ledger/database.h"

namespace hushwalk::ledger {

using Json = nlohmann::ordered_json;

inline constexpr const char* kind_init = "init";
inline constexpr const char* kind_snapshot = "snapshot";
inline constexpr const char* kind_charge = "charge";
inline constexpr const char* kind_store = "store";
inline constexpr const char* kind_clock = "clock";

struct Terms {
  std::string ledger_id;
  Budget total;
  std::optional<Budget> recipient;
};

struct Source {
  std::string key;
  Spending total, recipient;  // what it adds to the accounts
};

struct Answer {
  std::string key, source, plan;
  bool stored = false;  // known to be
};

struct Account {
  Spending spending;
  std::int64_t releases = 0;
};

// The account of all releases. No recipient can have this name: names have no control characters.
inline constexpr const char* total_account = "\t";

std::string entry_hash(const std::string& previous, std::int64_t sequence, std::string_view at,
                       std::string_view kind, std::string_view body);

Json parsed(std::string_view text);  // of a table; Error{failed} when it is damaged
[[noreturn]] void fail_damaged();

class State {
 public:
  explicit State(const Database& database);

  // Adds an entry and applies it; within a writing transaction.
  void append(const std::string& at, const char* kind, const Json& body);
  void apply(std::int64_t sequence, std::string_view kind, const Json& body);

  struct Last {
    std::int64_t sequence = 0;
    std::string at, hash, kind;
  };
  Last last();  // Error{failed} when its hash does not fit

  Terms terms();
  bool knows_graph(const std::string& id);
  std::optional<std::string> owner(const std::string& node);
  std::optional<Source> source(const std::string& key);
  bool paid(const std::string& source, const std::string& recipient);
  Account account(const std::string& recipient);
  std::optional<Answer> answer(const std::string& key);
  std::optional<Answer> answer_of_request(const std::string& key);
  // The answer of a request that this recipient has paid for.
  std::optional<Answer> paid_answer(const std::string& request_key, const std::string& recipient);

  const Database& database() const noexcept { return database_; }

 private:
  void apply_charge(const Json& body);
  void add_to_account(const std::string& recipient, const Spending& spending);
  std::optional<Answer> read_answer(Statement& statement);

  const Database& database_;
  Statement insert_entry_, last_, previous_, terms_, insert_terms_, graph_, insert_graph_, owner_,
      insert_owner_, source_, insert_source_, paid_, insert_payment_, account_, set_account_, answer_,
      answer_of_request_, paid_answer_, insert_answer_, insert_request_, insert_stored_;
};

}  // namespace hushwalk::ledger
