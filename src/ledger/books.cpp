#include "ledger/books.h"

#include <algorithm>
#include <utility>

#include "accounting/round_up.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

Spending checked(const Spending& spending) {
  if (spending.units < 0 || !(spending.rdp >= 0)) fail_damaged("a cost or an account is negative");
  return spending;
}

Account checked(const Account& account) {
  checked(account.spending);
  if (account.releases < 0) fail_damaged("an account has a negative number of releases");
  return account;
}

Spending spending_of(const Json& cost, const char* units, const char* rdp) {
  return checked(Spending{cost.at(units), cost.at(rdp)});
}

std::optional<double> delta_of(const Json& init) {
  return init.at("delta").is_null() ? std::nullopt : std::optional(init.at("delta").get<double>());
}

}  // namespace

Terms terms_of(const Json& init, const std::string& at) {
  const bool limited = !init.at("units").is_null();
  Terms terms{init.at("ledger_id"),
              {limited ? init.at("units").get<Units>() : 0, delta_of(init), init.at("order"), limited},
              {},
              {}};
  if (!init.at("recipient_units").is_null())
    terms.recipient = {init.at("recipient_units"), delta_of(init), init.at("recipient_order"), true};
  if (init.contains("periods")) {
    const Json& periods = init["periods"];
    terms.periods = {periods.at("units"), periods.at("days"), periods.at("carry"), at};
    if (terms.periods->units < 1 || terms.periods->days < 0) fail_damaged("its periods make no sense");
  }
  return terms;
}

void extend(Terms& terms, const Json& extension) {
  const Json& limits = extension.at("limits");
  const auto raise = [](Units& limit, const Json& to) {
    if (to.get<Units>() < limit) fail_damaged("a limit was lowered");
    limit = to;
  };
  if (terms.total.limited) raise(terms.total.units, limits.at("units"));
  if (terms.recipient) raise(terms.recipient->units, limits.at("recipient_units"));
  if (terms.periods) raise(terms.periods->units, limits.at("period_units"));
}

Json limits_json(const Terms& terms) {
  Json limits = Json::object();
  if (terms.total.limited) limits["units"] = terms.total.units;
  if (terms.recipient) limits["recipient_units"] = terms.recipient->units;
  if (terms.periods) limits["period_units"] = terms.periods->units;
  return limits;
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
  return checked(Account{Spending{json.at("units"), json.at("rdp")}, json.at("releases")});
}

Json json_of(const Account& account) {
  return {{"units", account.spending.units}, {"rdp", account.spending.rdp}, {"releases", account.releases}};
}

Drawn source_of(const Json& charge) {
  const Json& cost = charge.at("cost");
  const bool same = !cost.contains("recipient_units");  // but for what is lost
  return {source_name(charge), spending_of(cost, "units", "rdp"),
          spending_of(cost, same ? "units" : "recipient_units", "recipient_rdp")};
}

std::string source_name(const Json& body) { return body.value("source", body.value("answer", "")); }

bool is_lost(const Json& body) { return source_name(body).starts_with(lost_source); }

bool pays_for_everybody(const Json& body) {
  return body.value("pays", false) && body.at("recipient") == everybody;
}

bool pays_for_one(const Json& body) { return body.value("pays", false) && body.at("recipient") != everybody; }

Snapshots snapshots_of(const Json& json) { return {json.at("count"), json.at("last")}; }

Json json_of(const Snapshots& snapshots) { return {{"count", snapshots.count}, {"last", snapshots.last}}; }

PeriodAccount period_of(const Json& json) { return {json.at("index"), account_of(json)}; }

Json json_of(const PeriodAccount& period) {
  Json json = {{"index", period.index}};
  json.update(json_of(period.account));
  return json;
}

PeriodAccount at_time(const PeriodAccount& before, const Periods& periods, std::string_view at) {
  const std::int64_t index = periods.index(at);
  return index > before.index ? PeriodAccount{index, {}} : before;
}

namespace {

Account account_in_row(const Json& row) {
  return checked(Account{Spending{row.at(1), row.at(2)}, row.at(3)});
}

}  // namespace

std::vector<Member> members_of(const Json& body) {
  std::vector<Member> members;
  for (const Json& row : body.at("members")) members.push_back({row.at(0), account_in_row(row)});
  return members;
}

bool members_pay(const Json& body) { return body.value("pays", true); }

std::optional<Account> account_of_member(const Json& body, const std::string& name) {
  for (const Json& row : body.at("members"))
    if (row.at(0).get_ref<const std::string&>() == name) return account_in_row(row);
  return std::nullopt;
}

Json json_of(const Member& member) {
  return Json::array(
      {member.name, member.after.spending.units, member.after.spending.rdp, member.after.releases});
}

Greatest greatest_of(const Json& json) {
  return {json.at("name"), checked(Spending{json.at("units"), json.at("rdp")})};
}

Json json_of(const Greatest& greatest) {
  return {{"name", greatest.name}, {"units", greatest.spending.units}, {"rdp", greatest.spending.rdp}};
}

Greatest with(Greatest greatest, const std::string& name, const Account& account) {
  if (name == total_account || name == everybody) return greatest;
  Spending& most = greatest.spending;
  if (account.spending.units > most.units) greatest.name = name;
  most = {std::max(most.units, account.spending.units), std::max(most.rdp, account.spending.rdp)};
  return greatest;
}

Greatest with_entry(Greatest greatest, const Json& body) {
  if (body.contains("account"))
    greatest = with(std::move(greatest), body["account"].at("name"), account_of(body["account"]));
  if (body.contains("members"))
    for (const Member& member : members_of(body))
      greatest = with(std::move(greatest), member.name, member.after);
  return greatest;
}

Account Books::seen_by(const std::string& name) {
  const bool own_only = name == total_account || name == everybody;
  return own_only ? account(name) : plus(account(name), account(everybody));
}

Accounts accounts_after(std::string_view kind, const Json& body, Books& books) {
  Accounts after = {{total_account, books.account(total_account)}};
  if (source_name(body).empty() || kind == kind_plan || kind == kind_members) return after;
  const bool drawn = body.contains("cost");
  const auto source = drawn ? source_of(body) : books.source(source_name(body));
  if (!source) fail_damaged("something is paid for that was never charged");
  if (drawn) after[total_account] = plus(after[total_account], {source->total, 1});
  const std::string recipient = body.at("recipient");
  const Account share{source->recipient, 1};
  if (body.value("pays", false)) after[recipient] = plus(books.account(recipient), share);
  if (kind == kind_publish) after[recipient] = minus(books.account(recipient), share);
  return after;
}

}  // namespace hushwalk::ledger
