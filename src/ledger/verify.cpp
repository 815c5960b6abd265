// The entries are the truth: everything else is made from them again and compared.
#include <fmt/format.h>

#include <limits>
#include <map>

#include "base/sha256.h"
#include "hushwalk/error.h"
#include "ledger/ledger_impl.h"
#include "ledger/schema.h"
#include "mechanism/certificate.h"

namespace hushwalk {

using namespace ledger;

namespace {

std::string dump_row(const Statement& row, int columns) {
  std::string text;
  for (int i = 0; i < columns; ++i) text += row.shown(i) + "\n";
  return text;
}

struct Table {
  const char* name;
  int columns;
  const char* what = "*";
};
// All that follows from the entries; the first one, which tables there are and that nothing watches them.
constexpr Table derived_tables[] = {{"sqlite_schema", 3, "type, name, sql"},
                                    {"terms", 6},
                                    {"graph", 2},
                                    {"owner", 2},
                                    {"source", 4},
                                    {"payment", 2},
                                    {"account", 4},
                                    {"answer", 3},
                                    {"request", 2},
                                    {"stored", 3}};

// Empty when both databases have the same rows.
std::string difference(const Database& kept, const Database& made, const Table& table) {
  const std::string rows = fmt::format("SELECT {} FROM {} ORDER BY 1, 2", table.what, table.name);
  Statement left(kept, rows.c_str()), right(made, rows.c_str());
  while (true) {
    const bool more_left = left.step(), more_right = right.step();
    if (!more_left && !more_right) return "";
    if (more_left && more_right && dump_row(left, table.columns) == dump_row(right, table.columns)) continue;
    return fmt::format("the table '{}' is not what the entries say: a row was altered, added or removed",
                       table.name);
  }
}

class Verifier {
 public:
  explicit Verifier(Ledger::Impl& ledger) : ledger_(ledger), made_(Database::in_memory()) {}

  LedgerCheck run(const std::optional<std::string>& head) {
    const Transaction snapshot(ledger_.database, Transaction::Kind::reading);
    if (std::string fault = structure(); !fault.empty()) return {false, fault};
    if (std::string fault = chain(head); !fault.empty()) return {false, fault};
    for (const Table& table : derived_tables)
      if (std::string fault = difference(ledger_.database, made_, table); !fault.empty())
        return {false, fault};
    if (std::string fault = documents(); !fault.empty()) return {false, fault};
    return {true, fmt::format("{} entries in one unbroken chain, {} stored documents; head {}", entries_,
                              stored_.size(), hash_)};
  }

 private:
  std::string structure() {
    Statement check(ledger_.database, "PRAGMA integrity_check(1)");
    if (check.step() && check.text(0) != "ok") return fmt::format("the file is damaged: {}", check.text(0));
    return "";
  }

  std::string chain(const std::optional<std::string>& head) {
    make_schema(made_);
    State state(made_);
    Statement insert(made_, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5)");
    Statement entry(ledger_.database, "SELECT sequence, at, kind, body, hash FROM entry ORDER BY sequence");
    bool head_found = !head;
    while (entry.step()) {
      const std::int64_t sequence = entry.integer(0);
      if (sequence != ++entries_) return fmt::format("entry {} is missing", entries_);
      hash_ = entry_hash(hash_, sequence, entry.text(1), entry.text(2), entry.text(3));
      if (hash_ != entry.text(4))
        return fmt::format("entry {} was altered, or one before it removed or moved: its hash does not fit",
                           sequence);
      head_found = head_found || hash_ == *head;
      insert.bind(sequence, entry.text(1), entry.text(2), entry.text(3), hash_).run();
      const Json body = Json::parse(entry.text(3));
      if (entry.text(2) == kind_store && !stored_.emplace(body.at("document"), body.at("sha256")).second)
        return fmt::format("entry {} stores a document a second time: what was released first was removed",
                           sequence);
      state.apply(sequence, entry.text(2), body);
      if (entry.text(2) == kind_charge && !within_budget(state, body.at("recipient")))
        return fmt::format("entry {} spends more than the budget", sequence);
    }
    if (entries_ == 0) return "it has no entries";
    if (!head_found)
      return fmt::format("no entry has the hash {}: this is an older copy, or another ledger", *head);
    return "";
  }

  static bool within_budget(State& state, const std::string& recipient) {
    const Terms terms = state.terms();
    return terms.total.holds(state.account(total_account).spending) &&
           (!terms.recipient || terms.recipient->holds(state.account(recipient).spending));
  }

  std::string documents() {
    std::size_t found = 0;
    Statement document(ledger_.database, "SELECT name, content FROM document");
    while (document.step()) {
      const std::string name(document.text(0));
      const auto stored = stored_.find(name);
      if (stored == stored_.end()) return fmt::format("the document '{}' was never stored by an entry", name);
      if (sha256_hex(document.blob(1)) != stored->second)
        return fmt::format("the document '{}' was altered", name);
      ++found;
    }
    if (found < stored_.size())
      return fmt::format("{} stored documents were removed", stored_.size() - found);
    return "";
  }

  Ledger::Impl& ledger_;
  Database made_;
  std::int64_t entries_ = 0;
  std::string hash_;
  std::map<std::string, std::string> stored_;  // SHA-256 by name
};

}  // namespace

LedgerCheck Ledger::verify(const std::optional<std::string>& head) const {
  try {
    return Verifier(*impl_).run(head);
  } catch (const nlohmann::json::exception& error) {
    return {false, fmt::format("an entry cannot be read: {}", error.what())};
  } catch (const Error& error) {  // what SQLite finds wrong, or an entry that cannot be applied
    return {false, error.what()};
  }
}

namespace {

double real(const Json& value) {
  return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

// On the grid of this version; what was written down for other orders is left out.
std::vector<double> curve_of(const Json& body) {
  const auto orders = PrivacyCost::orders();
  if (!body.at("cost").contains("curve")) {
    const PrivacyCost cost = PrivacyCost::of(Epsilon(body.at("release").at("epsilon").get<double>()));
    return {cost.rdp().begin(), cost.rdp().end()};
  }
  std::vector<double> result(orders.size(), std::numeric_limits<double>::infinity());
  for (const Json& point : body["cost"]["curve"])
    for (std::size_t i = 0; i < orders.size(); ++i)
      if (orders[i] == real(point.at(0))) result[i] = real(point.at(1));
  return result;
}

struct Priced {
  double epsilon;
  std::vector<double> rdp;
};

void read_charge(const Json& body, std::map<std::string, Priced>& sources, LedgerEntry& entry) {
  entry.source = body.at("source");
  entry.recipient = body.at("recipient");
  if (body.contains("cost")) {
    sources[entry.source] = {number(body["cost"].at("units").get<Units>()), curve_of(body)};
    entry.epsilon = sources[entry.source].epsilon;
  }
  if (body.value("pays", false)) entry.recipient_epsilon = sources.at(entry.source).epsilon;
  if (entry.epsilon || entry.recipient_epsilon) entry.rdp = sources.at(entry.source).rdp;
}

}  // namespace

void Ledger::each_entry(const std::function<void(const LedgerEntry&)>& visit) const {
  const Transaction snapshot(impl_->database, Transaction::Kind::reading);
  std::map<std::string, Priced> sources;
  Statement row(impl_->database, "SELECT sequence, at, kind, body, hash FROM entry ORDER BY sequence");
  while (row.step()) {
    LedgerEntry entry{row.integer(0), std::string(row.text(1)), std::string(row.text(2)),
                      std::string(row.text(3)), std::string(row.text(4))};
    try {
      if (entry.kind == kind_charge) read_charge(parsed(entry.body), sources, entry);
    } catch (const nlohmann::json::exception&) {
      fail_damaged();
    } catch (const std::out_of_range&) {  // paid for something that was never charged
      fail_damaged();
    }
    visit(entry);
  }
}

}  // namespace hushwalk
