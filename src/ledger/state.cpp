#include "ledger/state.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "base/sha256.h"

namespace hushwalk::ledger {

std::string entry_hash(const std::string& previous, std::int64_t sequence, std::string_view at,
                       std::string_view kind, std::string_view body) {
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", previous, sequence, at, kind, body));
}

void fail_damaged() { fail("the ledger is damaged; run: hushwalk ledger verify"); }

Json parsed(std::string_view text) {
  Json result = Json::parse(text, nullptr, false);
  if (result.is_discarded()) fail_damaged();
  return result;
}

State::State(const Database& database)
    : database_(database),
      insert_entry_(database, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5)"),
      last_(database, "SELECT sequence, at, kind, body, hash FROM entry ORDER BY sequence DESC LIMIT 1"),
      previous_(database, "SELECT hash FROM entry WHERE sequence = ?1"),
      terms_(database,
             "SELECT ledger_id, units, delta, rdp_order, recipient_units, recipient_order FROM terms"),
      insert_terms_(database, "INSERT INTO terms VALUES(?1, ?2, ?3, ?4, ?5, ?6)"),
      graph_(database, "SELECT 1 FROM graph WHERE id = ?1"),
      insert_graph_(database, "INSERT INTO graph VALUES(?1, ?2)"),
      owner_(database, "SELECT recipient FROM owner WHERE node = ?1"),
      insert_owner_(database, "INSERT INTO owner VALUES(?1, ?2)"),
      source_(database, "SELECT units, rdp, recipient_rdp FROM source WHERE key = ?1"),
      insert_source_(database, "INSERT INTO source VALUES(?1, ?2, ?3, ?4)"),
      paid_(database, "SELECT 1 FROM payment WHERE source = ?1 AND recipient = ?2"),
      insert_payment_(database, "INSERT INTO payment VALUES(?1, ?2)"),
      account_(database, "SELECT units, rdp, releases FROM account WHERE recipient = ?1"),
      set_account_(database, "INSERT OR REPLACE INTO account VALUES(?1, ?2, ?3, ?4)"),
      answer_(database, "SELECT key, source, plan FROM answer WHERE key = ?1"),
      answer_of_request_(database,
                         "SELECT answer.key, source, plan FROM request JOIN answer ON answer.key = answer "
                         "WHERE request.key = ?1"),
      paid_answer_(database,
                   "SELECT answer.key, answer.source, plan, EXISTS(SELECT 1 FROM stored WHERE name = "
                   "'answer ' || answer.key) FROM request JOIN answer ON answer.key = answer JOIN payment ON "
                   "payment.source = answer.source AND recipient = ?2 WHERE request.key = ?1"),
      insert_answer_(database, "INSERT INTO answer VALUES(?1, ?2, ?3)"),
      insert_request_(database, "INSERT INTO request VALUES(?1, ?2)"),
      insert_stored_(database, "INSERT INTO stored VALUES(?1, ?2, ?3)") {}

void State::append(const std::string& at, const char* kind, const Json& body) {
  const Last before = last();
  const std::int64_t sequence = before.sequence + 1;
  const std::string text = body.dump();
  insert_entry_.bind(sequence, at, kind, text, entry_hash(before.hash, sequence, at, kind, text)).run();
  apply(sequence, kind, body);
}

void State::apply(std::int64_t sequence, std::string_view kind, const Json& body) {
  const auto optional_units = [](const Json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<std::int64_t>());
  };
  if (kind == kind_init) {
    const std::optional<double> delta =
        body.at("delta").is_null() ? std::nullopt : std::optional(body.at("delta").get<double>());
    insert_terms_
        .bind(body.at("ledger_id").get<std::string>(), body.at("units").get<std::int64_t>(), delta,
              body.at("order").get<double>(), optional_units(body.at("recipient_units")),
              body.at("recipient_order").get<double>())
        .run();
  }
  if (kind == kind_init || kind == kind_snapshot)
    insert_graph_.bind(body.at("graph_id").get<std::string>(), sequence).run();
  if (kind == kind_charge) apply_charge(body);
  if (kind == kind_store)
    insert_stored_
        .bind(body.at("document").get<std::string>(), body.at("sha256").get<std::string>(), sequence)
        .run();
}

// Only what is new is in the body.
void State::apply_charge(const Json& body) {
  const std::string key = body.at("source"), recipient = body.at("recipient");
  for (const std::string node : body.value("new_owners", Json::array()))
    insert_owner_.bind(node, recipient).run();
  if (body.contains("cost")) {
    const Json& cost = body["cost"];
    const std::int64_t units = cost.at("units");
    const double rdp = cost.at("rdp");
    insert_source_.bind(key, units, rdp, cost.at("recipient_rdp").get<double>()).run();
    add_to_account(total_account, {units, rdp});
  }
  if (body.value("pays", false)) {
    insert_payment_.bind(key, recipient).run();
    add_to_account(recipient, source(key)->recipient);
  }
  if (body.contains("plan")) {
    const std::string plan = body["plan"].dump();
    insert_answer_.bind(body.at("answer").get<std::string>(), key, plan).run();
  }
  if (body.contains("request"))
    insert_request_.bind(body["request"].get<std::string>(), body.at("answer").get<std::string>()).run();
}

void State::add_to_account(const std::string& recipient, const Spending& spending) {
  const Account before = account(recipient);
  const Spending after = plus(before.spending, spending);
  set_account_.bind(recipient, after.units, after.rdp, before.releases + 1).run();
}

State::Last State::last() {
  Last last;
  if (!last_.bind().step()) return last;
  last = {last_.integer(0), std::string(last_.text(1)), std::string(last_.text(4)),
          std::string(last_.text(2))};
  const std::string body(last_.text(3));
  last_.reset();
  std::string previous;
  if (previous_.bind(last.sequence - 1).step()) previous = previous_.text(0);
  previous_.reset();
  if (entry_hash(previous, last.sequence, last.at, last.kind, body) != last.hash)
    fail("the last entry of the ledger was altered; run: hushwalk ledger verify");
  return last;
}

Terms State::terms() {
  if (!terms_.bind().step()) fail("the ledger is damaged: it has no terms");
  Terms terms;
  terms.ledger_id = terms_.text(0);
  terms.total = {terms_.integer(1), {}, terms_.real(3)};
  if (!terms_.null(2)) terms.total.delta = terms_.real(2);
  if (!terms_.null(4)) terms.recipient = {terms_.integer(4), terms.total.delta, terms_.real(5)};
  terms_.reset();
  return terms;
}

namespace {

bool exists(Statement& statement) {
  const bool found = statement.step();
  statement.reset();
  return found;
}

}  // namespace

bool State::knows_graph(const std::string& id) { return exists(graph_.bind(id)); }

std::optional<std::string> State::owner(const std::string& node) {
  std::optional<std::string> result;
  if (owner_.bind(node).step()) result = owner_.text(0);
  owner_.reset();
  return result;
}

std::optional<Source> State::source(const std::string& key) {
  std::optional<Source> result;
  if (source_.bind(key).step())
    result = {key, {source_.integer(0), source_.real(1)}, {source_.integer(0), source_.real(2)}};
  source_.reset();
  return result;
}

bool State::paid(const std::string& source, const std::string& recipient) {
  return exists(paid_.bind(source, recipient));
}

Account State::account(const std::string& recipient) {
  Account result;
  if (account_.bind(recipient).step())
    result = {{account_.integer(0), account_.real(1)}, account_.integer(2)};
  account_.reset();
  return result;
}

std::optional<Answer> State::read_answer(Statement& statement) {
  std::optional<Answer> result;
  if (statement.step())
    result = {std::string(statement.text(0)), std::string(statement.text(1)), std::string(statement.text(2))};
  statement.reset();
  return result;
}

std::optional<Answer> State::answer(const std::string& key) { return read_answer(answer_.bind(key)); }
std::optional<Answer> State::paid_answer(const std::string& request_key, const std::string& recipient) {
  const Reading reading(paid_answer_.bind(request_key, recipient));
  if (!paid_answer_.step()) return std::nullopt;
  return Answer{std::string(paid_answer_.text(0)), std::string(paid_answer_.text(1)),
                std::string(paid_answer_.text(2)), paid_answer_.integer(3) != 0};
}
std::optional<Answer> State::answer_of_request(const std::string& key) {
  return read_answer(answer_of_request_.bind(key));
}

}  // namespace hushwalk::ledger
