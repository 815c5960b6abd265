#include "ledger/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

// How many checked entries are remembered.
constexpr std::size_t most_checked = 1024;

std::string payment_key(const std::string& source, const std::string& recipient) {
  return source + " " + recipient;
}

[[noreturn]] void fail_misled(const Entry& entry, const std::string& key) {
  fail_damaged("entry {} is found for '{}', of which it says nothing", entry.sequence, key);
}

// From a row with hash, at, kind and body. Damage unless the hash fits that of the entry before.
Entry read_entry(const Statement& row, std::int64_t sequence, const std::string& previous) {
  const auto text = [&](int column) { return std::string(row.text(column)); };
  Entry entry{sequence, text(1), text(2), text(3), text(0), {}};
  if (entry_hash(previous, sequence, entry.at, entry.kind, entry.body_text) != entry.hash)
    fail_damaged("entry {} was altered, or one before it removed or moved: its hash does not fit", sequence);
  entry.body = Json::parse(entry.body_text, nullptr, false);
  if (!entry.body.is_object()) fail_damaged("entry {} cannot be read", sequence);
  return entry;
}

}  // namespace

std::string entry_hash(const std::string& previous, std::int64_t sequence, std::string_view at,
                       std::string_view kind, std::string_view body) {
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", previous, sequence, at, kind, body));
}

std::string Entry::latest() const { return body.value("latest", at); }

bool Entry::is(std::int64_t number, std::string_view time, std::string_view type,
               std::string_view text) const {
  return sequence == number && at == time && kind == type && body_text == text;
}

State::State(const Database& database)
    : database_(database),
      insert_(database, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5)"),
      set_head_(database, "INSERT OR REPLACE INTO head VALUES(1, ?1)"),
      head_(database, "SELECT hash FROM head"),
      last_(database, "SELECT max(sequence) FROM entry"),
      entry_(database, "SELECT hash, at, kind, body FROM entry WHERE sequence = ?1"),
      previous_(database, "SELECT hash FROM entry WHERE sequence = ?1"),
      all_(database, "SELECT hash, at, kind, body, sequence FROM entry ORDER BY sequence"),
      graph_(database, "SELECT sequence FROM entry WHERE graph = ?1"),
      owner_(database, "SELECT sequence FROM entry WHERE node = ?1"),
      source_(database, "SELECT sequence FROM entry WHERE source = ?1"),
      payment_(database, "SELECT sequence FROM entry WHERE payment = ?1"),
      payers_(database, "SELECT sequence FROM entry WHERE payment >= ?1 AND payment < ?2"),
      account_(database, "SELECT max(sequence) FROM entry WHERE account = ?1"),
      accounts_(database, "SELECT DISTINCT account FROM entry WHERE account IS NOT NULL ORDER BY account"),
      answer_(database, "SELECT sequence FROM entry WHERE answer = ?1"),
      request_(database, "SELECT sequence FROM entry WHERE request = ?1"),
      document_(database, "SELECT sequence FROM entry WHERE document = ?1"),
      first_of_kind_(database, "SELECT sequence FROM entry WHERE kind = ?1 ORDER BY sequence LIMIT 1") {}

void State::append(const std::string& at, const char* kind, Json body) {
  const EntryPointer before = last();
  if (!before && kind != std::string_view(kind_init)) fail_damaged("it has no entries");
  if (!body.contains("total"))
    for (const auto& [name, account] : accounts_after(kind, body, *this)) {
      if (name == total_account) body["total"] = json_of(account);
      if (name != total_account) (body["account"] = json_of(account))["name"] = name;
    }
  if (before && kind != std::string_view(kind_clock) && before->latest() > at)
    body["latest"] = before->latest();
  Entry entry{before ? before->sequence + 1 : 1, at, kind, body.dump(), {}, body};
  entry.hash = entry_hash(before ? before->hash : "", entry.sequence, at, kind, entry.body_text);
  insert_.bind(entry.sequence, at, kind, entry.body_text, entry.hash).run();
  set_head_.bind(entry.hash).run();
  remember(std::move(entry));
}

void State::give_back(const std::string& at, const std::string& source) {
  const std::string from = source + " ", to = source + "!";
  std::vector<std::string> payers;
  for (payers_.bind(from, to); payers_.step();)
    payers.push_back(entry(payers_.integer(0))->body.at("recipient"));
  for (const std::string& payer : payers)
    append(at, kind_publish, {{"source", source}, {"recipient", payer}});
}

EntryPointer State::remember(Entry entry) {
  if (checked_.size() >= most_checked) checked_.clear();
  const auto pointer = std::make_shared<const Entry>(std::move(entry));
  checked_[pointer->hash] = pointer;
  return pointer;
}

EntryPointer State::entry(std::int64_t sequence) {
  // An entry with no entry before it would have a hash that anybody can make.
  if (sequence < 1) fail_damaged("there is an entry {}, before the first", sequence);
  const Reading reading(entry_.bind(sequence)), reading_previous(previous_.bind(sequence - 1));
  if (!entry_.step()) fail_damaged("entry {} is missing", sequence);
  const auto known = checked_.find(std::string(entry_.text(0)));
  if (known != checked_.end() && known->second->is(sequence, entry_.text(1), entry_.text(2), entry_.text(3)))
    return known->second;
  if (sequence > 1 && !previous_.step()) fail_damaged("entry {} is missing", sequence - 1);
  return remember(read_entry(entry_, sequence, sequence > 1 ? std::string(previous_.text(0)) : ""));
}

EntryPointer State::found(Statement& statement, const std::string& key) {
  const Reading reading(statement.bind(key));
  return statement.step() && !statement.null(0) ? entry(statement.integer(0)) : nullptr;
}

// An index that was altered leads to another entry.
EntryPointer State::found(Statement& statement, const std::string& key, const char* where) {
  EntryPointer entry = found(statement, key);
  if (entry && entry->body.value(Json::json_pointer(where), "") != key) fail_misled(*entry, key);
  return entry;
}

EntryPointer State::payment(const std::string& source, const std::string& recipient) {
  const std::string key = payment_key(source, recipient);
  EntryPointer entry = found(payment_, key);
  if (!entry) return nullptr;
  const Json& body = entry->body;
  if (!body.value("pays", false) || payment_key(body.at("source"), body.at("recipient")) != key)
    fail_misled(*entry, key);
  return entry;
}

EntryPointer State::last() {
  const Reading reading_head(head_.bind()), reading(last_.bind());
  const std::string head(head_.step() ? head_.text(0) : "");
  EntryPointer last = last_.step() && !last_.null(0) ? entry(last_.integer(0)) : nullptr;
  if ((last ? last->hash : "") != head) fail_damaged("entries were added or removed at its end");
  return last;
}

void State::each(const std::function<void(const Entry&)>& visit) {
  const Reading reading(all_.bind());
  std::int64_t count = 0;
  for (std::string hash; all_.step();) {
    if (all_.integer(4) != ++count) fail_damaged("entry {} is missing", count);
    const Entry entry = read_entry(all_, count, hash);
    hash = entry.hash;
    visit(entry);
  }
  if (!last()) fail_damaged("it has no entries");
}

Terms State::terms() {
  const EntryPointer first = entry(1);
  if (first->kind != kind_init) fail_damaged("its first entry does not say what may be spent");
  return terms_of(first->body);
}

bool State::knows_graph(const std::string& id) { return found(graph_, id, "/graph_id") != nullptr; }

std::optional<std::string> State::owner(const std::string& node) {
  const EntryPointer entry = found(owner_, node, "/new_owners/0");
  return entry ? std::optional(entry->body.at("recipient").get<std::string>()) : std::nullopt;
}

std::optional<Drawn> State::source(const std::string& key) {
  const EntryPointer entry = found(source_, key, "/source");
  return entry ? std::optional(source_of(entry->body)) : std::nullopt;
}

bool State::paid(const std::string& source, const std::string& recipient) {
  return payment(source, recipient) != nullptr;
}

bool State::paid_in_version_1(const std::string& source, const std::string& recipient) {
  const EntryPointer paid = payment(source, recipient);
  if (!paid || entry(1)->body.contains("total")) return false;  // accounts are said since version 2
  const EntryPointer upgrade = found(first_of_kind_, kind_upgrade);
  if (!upgrade) fail_damaged("it was never brought up to date");
  return paid->kind == kind_upgrade || paid->sequence < upgrade->sequence;
}

Account State::account(const std::string& name) {
  const EntryPointer entry = name == total_account ? last() : found(account_, name, "/account/name");
  if (!entry) return {};
  return account_of(entry->body.at(name == total_account ? "total" : "account"));
}

std::vector<std::string> State::recipients() {
  std::vector<std::string> names;
  for (accounts_.bind(); accounts_.step();) names.emplace_back(accounts_.text(0));
  return names;
}

std::optional<Answer> State::answer(const std::string& key) {
  const EntryPointer entry = found(answer_, key, "/answer");
  if (!entry) return std::nullopt;
  return Answer{key, entry->body.at("source"), entry->body.at("plan").dump()};
}

std::optional<Answer> State::answer_of_request(const std::string& key) {
  const EntryPointer entry = found(request_, key, "/request");
  if (!entry) return std::nullopt;
  auto result = answer(entry->body.at("answer"));
  if (!result) fail_damaged("an answer that was asked for is not among the entries");
  return result;
}

EntryPointer State::stored(const std::string& document) { return found(document_, document, "/document"); }

}  // namespace hushwalk::ledger
