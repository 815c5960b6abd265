#include <fmt/format.h>

#include "codec/json.h"
#include "hushwalk/csv.h"
#include "hushwalk/own_account.h"

namespace hushwalk {
namespace {

Json account_json(const LedgerAccount& account) {
  return {{"epsilon", number_json(account.limit)},
          {"spent", account.spent},
          {"left", number_json(account.left)},
          {"releases", account.releases}};
}

Json own_json(const LedgerAccount& account) {
  Json document = {{"recipient", account.recipient}};
  document.update(account_json(account));
  return document;
}

Json period_json(const LedgerPeriod& period) {
  Json document = {{"index", period.index},
                   {"begins", period.begins},
                   {"ends", period.ends},
                   {"length", period.days > 0 ? fmt::format("{}d", period.days) : "month"},
                   {"carry", period.carry}};
  document.update(account_json(period.account));
  return document;
}

Json payments_json(const LedgerQuote::Books& books) {
  Json list = Json::array();
  for (const auto& [recipient, epsilon, published] : books.payments) {
    list.push_back({{"recipient", recipient}, {"cost", epsilon}});
    if (published) list.back()["published"] = true;
  }
  return list;
}

Json curve_json(const LedgerEntry& entry) {
  Json curve = Json::array();
  for (std::size_t i = 0; i < entry.rdp.size(); ++i)
    curve.push_back({{"order", number_json(PrivacyCost::orders()[i])}, {"rdp", number_json(entry.rdp[i])}});
  return curve;
}

}  // namespace

std::string new_ledger_json(const LedgerState& state) {
  return Json{{"ledger_id", state.ledger_id},
              {"graph_id", state.graph_ids.front()},
              {"epsilon", number_json(state.total.limit)},
              {"delta", optional_json(state.delta)},
              {"head", state.head}}
      .dump(2);
}

std::string ledger_json(const LedgerState& state) {
  Json document = {
      {"ledger_id", state.ledger_id}, {"graph_ids", state.graph_ids}, {"graph_count", state.graph_count}};
  document.update(account_json(state.total));
  document["delta"] = optional_json(state.delta);
  document["order"] = optional_json(state.order);
  document["recipients"] = Json::array();
  for (const LedgerAccount& account : state.recipients) {
    Json row = {{"recipient", account.recipient}};
    row.update(account_json(account));
    document["recipients"].push_back(std::move(row));
  }
  if (state.recipients.size() < state.recipient_count) document["recipient_count"] = state.recipient_count;
  document["published"] = account_json(state.published);
  if (state.period) document["period"] = period_json(*state.period);
  if (state.period) document["promise"] = state.promise;
  document["stored_answers"] = state.stored;
  document["unfinished"] = state.unfinished;
  document["entries"] = state.entries;
  document["updated"] = state.updated;
  document["head"] = state.head;
  if (!state.warning.empty()) document["warning"] = state.warning;
  return document.dump(2);
}

std::string refusal_in_full(const LedgerQuote& quote) {
  const std::string& more = quote.for_custodian.refusal;
  return more.empty() ? quote.refusal : quote.refusal + "; " + more;
}

std::string quote_json(const LedgerQuote& quote) {
  const LedgerQuote::Books& books = quote.for_custodian;
  return Json{{"rankings", quote.rankings},
              {"new_releases", books.new_releases},
              {"cost", books.epsilon},
              {"recipients", payments_json(books)},
              {"spent", books.spent_before},
              {"spent_after", books.total.spent},
              {"epsilon", number_json(books.total.limit)},
              {"fits", quote.refusal.empty()},
              {"reason", refusal_in_full(quote)}}
      .dump(2);
}

std::string own_account_json(const LedgerAccount& account) { return own_json(account).dump(2); }

std::string own_quote_json(const LedgerQuote& quote, const LedgerAccount& account) {
  return Json{{"rankings", quote.rankings},
              {"cost", own_cost(quote, account.recipient)},
              {"fits", quote.refusal.empty()},
              {"refusal", quote.refusal.empty() ? Json(nullptr) : Json(quote.refusal)},
              {"account", own_json(account)}}
      .dump(2);
}

std::string entry_json_line(const LedgerEntry& entry) {
  Json line = {{"sequence", entry.sequence}, {"at", entry.at}, {"kind", entry.kind}};
  line["event"] = Json::parse(entry.body);
  if (entry.epsilon) line["epsilon"] = *entry.epsilon;
  if (entry.recipient_epsilon) line["recipient_epsilon"] = *entry.recipient_epsilon;
  if (!entry.rdp.empty()) line["curve"] = curve_json(entry);
  line["hash"] = entry.hash;
  return line.dump() + "\n";
}

std::string entries_csv_head() {
  std::string line = "sequence,at,kind,source,mechanism,recipient,epsilon,recipient_epsilon";
  for (const double order : PrivacyCost::orders()) line += fmt::format(",rdp_{}", order);
  return line + ",hash\n";
}

std::string entry_csv_line(const LedgerEntry& entry) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  std::string line =
      fmt::format("{},{},{},{},{},{},{},{}", entry.sequence, entry.at, entry.kind, entry.source,
                  csv_field(entry.mechanism), csv_field(entry.published ? "(everybody)" : entry.recipient),
                  number(entry.epsilon), number(entry.recipient_epsilon));
  for (std::size_t i = 0; i < PrivacyCost::orders().size(); ++i)
    line += entry.rdp.empty() ? "," : fmt::format(",{}", entry.rdp[i]);
  return line + fmt::format(",{}\n", entry.hash);
}

std::string entries_json_head() { return "{\"entries\": [\n"; }

std::string entries_json_entry(const LedgerEntry& entry, bool first) {
  return (first ? "" : ",") + entry_json_line(entry);
}

std::string entries_json_end() { return "]}\n"; }

std::string compacted_json(std::uintmax_t bytes_before, std::uintmax_t bytes) {
  return Json{{"bytes_before", bytes_before}, {"bytes", bytes}}.dump(2);
}

}  // namespace hushwalk
