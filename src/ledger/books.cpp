#include "ledger/books.h"

#include "accounting/round_up.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

Spending spending_of(const Json& json, const char* rdp) {
  const Spending spending{json.at("units"), json.at(rdp)};
  if (spending.units < 0 || !(spending.rdp >= 0)) fail_damaged("a cost or an account is negative");
  return spending;
}

std::optional<Budget> budget_of(const Json& init, const char* units, const char* order) {
  if (init.at(units).is_null()) return std::nullopt;
  Budget budget{init.at(units), {}, init.at(order)};
  if (!init.at("delta").is_null()) budget.delta = init.at("delta");
  return budget;
}

}  // namespace

Terms terms_of(const Json& init) {
  return {init.at("ledger_id"), budget_of(init, "units", "order").value(),
          budget_of(init, "recipient_units", "recipient_order")};
}

Account plus(const Account& a, const Account& b) {
  return {plus(a.spending, b.spending), a.releases + b.releases};
}

Account minus(const Account& a, const Account& b) {
  if (a.spending.units < b.spending.units || a.spending.rdp < b.spending.rdp || a.releases < b.releases)
    fail_damaged("more would be taken from an account than is in it");
  return {{a.spending.units - b.spending.units, accounting::add_up(a.spending.rdp, -b.spending.rdp)},
          a.releases - b.releases};
}

Account account_of(const Json& json) {
  Account account{spending_of(json, "rdp"), json.at("releases")};
  if (account.releases < 0) fail_damaged("an account has a negative number of releases");
  return account;
}

Json json_of(const Account& account) {
  return {{"units", account.spending.units}, {"rdp", account.spending.rdp}, {"releases", account.releases}};
}

Drawn source_of(const Json& charge) {
  const Json& cost = charge.at("cost");
  return {charge.at("source"), spending_of(cost, "rdp"), spending_of(cost, "recipient_rdp")};
}

Account Books::seen_by(const std::string& name) {
  const bool own_only = name == total_account || name == everybody;
  return own_only ? account(name) : plus(account(name), account(everybody));
}

Accounts accounts_after(std::string_view kind, const Json& body, Books& books) {
  Accounts after = {{total_account, books.account(total_account)}};
  if (!body.contains("source")) return after;
  const bool drawn = body.contains("cost");
  const auto source = drawn ? source_of(body) : books.source(body["source"]);
  if (!source) fail_damaged("something is paid for that was never charged");
  if (drawn) after[total_account] = plus(after[total_account], {source->total, 1});
  const std::string recipient = body.at("recipient");
  const Account share{source->recipient, 1};
  if (body.value("pays", false)) after[recipient] = plus(books.account(recipient), share);
  if (kind == kind_publish) after[recipient] = minus(books.account(recipient), share);
  return after;
}

}  // namespace hushwalk::ledger
