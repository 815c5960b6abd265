#include "ledger/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "ledger/damage.h"
#include "plan/certificate.h"

namespace hushwalk::ledger {
namespace {

// How many checked entries are remembered.
constexpr std::size_t most_checked = 1024;

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

void fail_misled(const Entry& entry, const std::string& key) {
  fail_damaged("entry {} is found for '{}', of which it says nothing", entry.sequence, key);
}

std::string entry_hash(const std::string& previous, std::int64_t sequence, std::string_view at,
                       std::string_view kind, std::string_view body) {
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", previous, sequence, at, kind, body));
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
      source_(database, "SELECT sequence FROM entry WHERE source >= ?1 AND source < ?2"),
      payment_(database, "SELECT sequence FROM entry WHERE payment = ?1"),
      account_(database, "SELECT max(sequence) FROM entry WHERE account = ?1"),
      next_account_(database, "SELECT account FROM entry WHERE account > ?1 ORDER BY account LIMIT 1"),
      answer_(database, "SELECT sequence FROM entry WHERE answer >= ?1 AND answer < ?2"),
      request_(database, "SELECT sequence FROM entry WHERE request >= ?1 AND request < ?2"),
      document_(database, "SELECT sequence FROM entry WHERE document = ?1"),
      first_of_kind_(database, "SELECT sequence FROM entry WHERE kind = ?1 ORDER BY sequence LIMIT 1"),
      plan_(database, "SELECT sequence FROM entry WHERE plan = ?1"),
      content_(database, "SELECT sequence FROM entry WHERE content = ?1"),
      term_(database, "SELECT max(sequence) FROM entry WHERE term = ?1"),
      add_member_(database, "INSERT INTO member VALUES(?1, ?2, ?3)"),
      member_(database, "SELECT entry FROM member WHERE name = ?1 AND source = ?2"),
      member_account_(database, "SELECT max(entry) FROM member WHERE name = ?1"),
      member_count_(
          database,
          "SELECT (SELECT count(*) FROM member), (SELECT body ->> '$.member_count' FROM entry ORDER BY sequence DESC LIMIT 1)"),
      next_member_(database, "SELECT name FROM member WHERE name > ?1 ORDER BY name LIMIT 1"),
      graphs_(database, "SELECT sequence FROM entry INDEXED BY entry_graph WHERE graph IS NOT NULL"),
      released_(database, "SELECT tag, software FROM released WHERE answer = ?1"),
      add_released_(database, "INSERT OR IGNORE INTO released VALUES(?1, ?2, ?3)"),
      tally_(database, "SELECT stored, finished, recipients FROM tally"),
      set_tally_(database, "INSERT OR REPLACE INTO tally VALUES(1, ?1, ?2, ?3)") {}

void State::append(const std::string& at, const char* kind, Json body) {
  const EntryPointer before = last();
  add_earlier_payers(body, before.get());
  if (!before && kind != std::string_view(kind_init)) fail_damaged("it has no entries");
  if (!body.contains("total"))
    for (const auto& [name, account] : accounts_after(kind, body, *this)) {
      if (name == total_account) body["total"] = json_of(account);
      if (name != total_account) (body["account"] = json_of(account))["name"] = name;
    }
  add_period(body, before.get(), at);
  add_greatest(body, before.get());
  add_snapshots(body, before.get(), kind);
  add_member_count(body, before.get(), kind);
  if (before && kind != std::string_view(kind_clock) && before->latest() > at)
    body["latest"] = before->latest();
  Entry entry{before ? before->sequence + 1 : 1, at, kind, body.dump(), {}, body};
  entry.hash = entry_hash(before ? before->hash : "", entry.sequence, at, kind, entry.body_text);
  if (body.contains("account") && !has_account(body["account"]["name"])) count({0, 0, 1});
  insert_.bind(entry.sequence, at, kind, entry.body_text, entry.hash).run();
  set_head_.bind(entry.hash).run();
  remember(std::move(entry));
}

// What is drawn counts in the period of its entry.
void State::add_period(Json& body, const Entry* before, const std::string& at) {
  if (!before) {
    if (body.contains("periods")) body["period"] = json_of(PeriodAccount{});
    return;
  }
  if (!before->body.contains("period") || body.contains("period")) return;
  PeriodAccount now = at_time(period_of(before->body["period"]), *terms().periods, at);
  if (body.contains("cost")) now.account = plus(now.account, {source_of(body).total, 1});
  body["period"] = json_of(now);
}

// From the second snapshot on every entry says how many there are, so that none need to be counted.
void State::add_snapshots(Json& body, const Entry* before, std::string_view kind) {
  if (before && kind == kind_snapshot) {
    const Snapshots earlier = snapshots();
    body["snapshot_before"] = earlier.last;
    body["snapshots"] = json_of(Snapshots{earlier.count + 1, before->sequence + 1});
  } else if (before && before->body.contains("snapshots")) {
    body["snapshots"] = before->body["snapshots"];
  }
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

// Older versions wrote all digits of a key.
EntryPointer State::found_by_digits(Statement& statement, const std::string& key, const char* where) {
  const std::string end = key + "g";  // after all digits
  const Reading reading(statement.bind(key, end));
  if (!statement.step()) return nullptr;
  EntryPointer entry = this->entry(statement.integer(0));
  if (!entry->body.value(Json::json_pointer(where), "").starts_with(key)) fail_misled(*entry, key);
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

std::string State::hash_of(std::int64_t sequence) {
  const Reading reading(previous_.bind(sequence));
  return previous_.step() ? std::string(previous_.text(0)) : "";
}

Terms State::terms() {
  const EntryPointer first = entry(1);
  if (first->kind != kind_init) fail_damaged("its first entry does not say what may be spent");
  Terms terms = terms_of(first->body, first->at);
  if (const EntryPointer extension = found(term_, kind_extend)) extend(terms, extension->body);
  return terms;
}

KeyTerms State::key_terms() {
  EntryPointer entry = found(term_, kind_key);
  if (!entry) entry = this->entry(1);
  const Json& key = entry->body.at("key");
  return {key.at("epoch"), key.at("salt"), key.at("commitment")};
}

std::optional<PeriodAccount> State::period() {
  const EntryPointer last = this->last();
  return last->body.contains("period") ? std::optional(period_of(last->body["period"])) : std::nullopt;
}

std::optional<std::string> State::content(const std::string& graph_id, std::int64_t epoch) {
  const EntryPointer entry = found(content_, fmt::format("{} {}", epoch, graph_id));
  if (!entry) return std::nullopt;
  if (entry->kind != kind_content || entry->body.at("graph_id") != graph_id ||
      entry->body.at("epoch") != epoch)
    fail_misled(*entry, graph_id);
  return entry->body.at("content").get<std::string>();
}

std::int64_t State::forgotten() {
  const EntryPointer entry = found(term_, kind_forget);
  return entry ? entry->body.at("up_to").get<std::int64_t>() : 0;
}

Snapshots State::snapshots() {
  const EntryPointer last = this->last();
  if (last->body.contains("snapshots")) return snapshots_of(last->body["snapshots"]);
  Snapshots found{0, 0};  // an older program declared them, if there are any but the first
  const Reading reading(graphs_.bind());
  for (; graphs_.step(); ++found.count) found.last = std::max(found.last, graphs_.integer(0));
  return found;
}

std::vector<std::string> State::last_graph_ids(std::size_t most) {
  std::vector<std::string> ids;
  for (std::int64_t sequence = snapshots().last; sequence > 0 && ids.size() < most;) {
    const EntryPointer entry = this->entry(sequence);
    ids.push_back(entry->body.at("graph_id"));
    const std::int64_t before = entry->body.contains("snapshot_before")
                                    ? entry->body["snapshot_before"].get<std::int64_t>()
                                    : graph_before(sequence);
    if (before >= sequence) fail_damaged("entry {} is before itself", sequence);
    sequence = before;
  }
  std::ranges::reverse(ids);
  return ids;
}

// The last entry before this one that declared a snapshot; 0: none. Older programs did not write it down.
std::int64_t State::graph_before(std::int64_t sequence) {
  std::int64_t before = 0;
  const Reading reading(graphs_.bind());
  while (graphs_.step())
    if (graphs_.integer(0) < sequence) before = std::max(before, graphs_.integer(0));
  return before;
}

bool State::knows_graph(const std::string& id) { return found(graph_, id, "/graph_id") != nullptr; }

std::optional<std::string> State::owner(const std::string& node) {
  if (const EntryPointer entry = found(owner_, node, "/new_owners/0"))
    return entry->body.at("recipient").get<std::string>();
  // Members own the seed of their own name.
  return last_as_member(node) ? std::optional(node) : std::nullopt;
}

EntryPointer State::source_entry(const std::string& key) {
  const EntryPointer entry = found_by_digits(source_, key, "/source");
  return entry ? entry : found_by_digits(answer_, key, "/answer");
}

std::optional<Drawn> State::source(const std::string& key) {
  const EntryPointer entry = source_entry(key);
  return entry && entry->body.contains("cost") ? std::optional(source_of(entry->body)) : std::nullopt;
}

// Numbers of entries are used again after what was not committed; hashes are not.
std::shared_ptr<const ChargedPlan> State::plan_in(const Entry& charge) {
  const Json& said = charge.body.at("plan");
  const bool old = said.is_object();
  const EntryPointer entry = old ? nullptr : this->entry(said.get<std::int64_t>());
  if (entry && entry->kind != kind_plan)
    fail_damaged("entry {} is of a plan that is not there", charge.sequence);
  auto& plan = plans_[entry ? entry->hash : charge.hash];
  if (!plan)
    plan = std::make_shared<const ChargedPlan>(
        old ? ChargedPlan{said, digest_of(said), 1}
            : ChargedPlan{entry->body.at("plan"), entry->body.at("digest"), entry->body.at("arithmetic")});
  return plan;
}

std::shared_ptr<const ChargedPlan> State::plan_of_source(const std::string& key) {
  const EntryPointer entry = source_entry(key);
  return entry && entry->body.contains("plan") ? plan_in(*entry) : nullptr;
}

std::optional<Answer> State::answer(const std::string& key) {
  const EntryPointer entry = found_by_digits(answer_, key, "/answer");
  if (!entry) return std::nullopt;
  return Answer{entry->body.at("answer"),
                source_name(entry->body),
                plan_in(*entry),
                {entry->sequence, entry->hash, entry->at},
                entry->body["plan"].is_object()};
}

std::optional<Answer> State::answer_of_request(const std::string& key) {
  const EntryPointer entry = found_by_digits(request_, key, "/request");
  if (!entry) return std::nullopt;
  auto result = answer(entry->body.at("answer"));
  if (!result) fail_damaged("an answer that was asked for is not among the entries");
  return result;
}

std::int64_t State::plan_entry(const std::string& digest) {
  const EntryPointer entry = found(plan_, digest, "/digest");
  return entry ? entry->sequence : 0;
}

EntryPointer State::stored(const std::string& document) { return found(document_, document, "/document"); }

std::optional<Released> State::released(const std::string& answer) {
  const Reading reading(released_.bind(answer));
  if (!released_.step()) return std::nullopt;
  const auto tag = released_.blob(0);
  return Released{{tag.begin(), tag.end()}, std::string(released_.text(1))};
}

void State::add_released(const std::string& answer, const Released& released) {
  if (this->released(answer)) return;
  add_released_.bind(answer, std::span<const std::byte>(released.tag), released.software).run();
  count({1, 1, 0});
}

Tally State::tally() {
  const Reading reading(tally_.bind());
  return tally_.step() ? Tally{tally_.integer(0), tally_.integer(1), tally_.integer(2)} : Tally{};
}

void State::count(const Tally& more) {
  const Tally now = tally();
  set_tally_.bind(now.stored + more.stored, now.finished + more.finished, now.recipients + more.recipients)
      .run();
}

}  // namespace hushwalk::ledger
