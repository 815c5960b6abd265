// Who has paid for what: the accounts that entries say, payments, members of artefacts, what was published.
#include <fmt/format.h>

#include <algorithm>

#include "ledger/damage.h"
#include "ledger/state.h"

namespace hushwalk::ledger {
namespace {

std::string payment_key(const std::string& source, const std::string& recipient) {
  return source + " " + recipient;
}

}  // namespace

void State::append_members(const std::string& at, const std::string& source,
                           const std::vector<Member>& members, bool pay) {
  constexpr std::size_t together = 256;
  const EntryPointer drawn = found_by_digits(source_, source, "/source");
  if (!drawn) fail_damaged("something is paid for that was never charged");
  for (std::size_t first = 0; first < members.size(); first += together) {
    Json rows = Json::array();
    const std::size_t last = std::min(first + together, members.size());
    for (std::size_t i = first; i < last; ++i) rows.push_back(json_of(members[i]));
    Json body = {{"source", source}, {"members", std::move(rows)}};
    if (!pay) body["pays"] = false;
    append(at, kind_members, std::move(body));
    const std::int64_t sequence = this->last()->sequence;
    Tally more;
    for (std::size_t i = first; i < last; ++i) {
      more.recipients += has_account(members[i].name) ? 0 : 1;
      add_member_.bind(members[i].name, drawn->sequence, sequence).run();
    }
    if (more.recipients > 0) count(more);
  }
}

// From the first on every entry says how many there are.
void State::add_member_count(Json& body, const Entry* before, std::string_view kind) {
  const bool more = kind == kind_members;
  if (!before || (!more && !before->body.contains("member_count"))) return;
  const auto said = before->body.find("member_count");
  // An older program may have added some.
  const std::int64_t earlier =
      said != before->body.end()
          ? said->get<std::int64_t>()
          : database_.integer(
                "SELECT coalesce(sum(json_array_length(body, '$.members')), 0) FROM entry WHERE kind = 'members'");
  body["member_count"] = earlier + static_cast<std::int64_t>(more ? body.at("members").size() : 0);
}

void State::check_members() {
  const EntryPointer last = members_checked_ ? nullptr : this->last();
  if (!last || !last->body.contains("member_count")) return;
  const Reading reading(member_count_.bind());
  member_count_.step();
  if (member_count_.integer(0) != member_count_.integer(1))
    fail_damaged("somebody was removed from those who have paid, or added to them");
  members_checked_ = true;
}

EntryPointer State::last_as_member(const std::string& name) {
  EntryPointer entry = found(member_account_, name);
  if (!entry) check_members();
  return entry;
}

EntryPointer State::payment(const std::string& source, const std::string& recipient) {
  const std::string key = payment_key(source, recipient);
  EntryPointer entry = found(payment_, key);
  if (!entry) return membership(source, recipient);
  const Json& body = entry->body;
  if (!body.value("pays", false) || payment_key(source_name(body), body.at("recipient")) != key)
    fail_misled(*entry, key);
  return entry;
}

EntryPointer State::membership(const std::string& source, const std::string& name) {
  const EntryPointer drawn = found_by_digits(source_, source, "/source");
  if (!drawn) return nullptr;
  const Reading reading(member_.bind(name, drawn->sequence));
  if (!member_.step()) {
    check_members();
    return nullptr;
  }
  EntryPointer entry = this->entry(member_.integer(0));
  if (entry->kind != kind_members || entry->body.at("source") != source_name(drawn->body) ||
      !account_of_member(entry->body, name))
    fail_misled(*entry, name);
  return entry;
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
  if (name == total_account) {
    const EntryPointer entry = last();
    return entry ? account_of(entry->body.at("total")) : Account{};
  }
  const EntryPointer entry = account_entry(name);
  if (!entry) return {};
  if (entry->kind != kind_members) return settled(account_of(entry->body.at("account")), name, *entry);
  const auto account = account_of_member(entry->body, name);
  if (!account) fail_misled(*entry, name);
  return settled(*account, name, *entry);
}

EntryPointer State::account_entry(const std::string& name) {
  const EntryPointer entry = found(account_, name, "/account/name"), member = last_as_member(name);
  return member && (!entry || member->sequence > entry->sequence) ? member : entry;
}

// What they had paid for, and was published since that entry, is in everybody's account now.
Account State::settled(Account account, const std::string& name, const Entry& said) {
  if (name == everybody) return account;
  for (const EntryPointer& publication : published_since(said.sequence)) {
    const std::string source = source_name(publication->body);
    if (paid(source, name)) account = minus(account, {this->source(source).value().recipient, 1});
  }
  return account;
}

std::vector<EntryPointer> State::published_since(std::int64_t sequence) {
  std::vector<EntryPointer> publications;
  EntryPointer publication = found(account_, everybody, "/account/name");
  if (publication && !publication->body.contains("paid_before")) publication = published_before(*publication);
  for (; publication && publication->sequence > sequence; publication = published_before(*publication))
    publications.push_back(publication);
  std::ranges::reverse(publications);
  return publications;
}

EntryPointer State::published_before(const Entry& publication) {
  const auto before = publication.body.value<std::int64_t>("published_before", 0);
  if (before >= publication.sequence) fail_damaged("entry {} is before itself", publication.sequence);
  return before == 0 ? nullptr : entry(before);
}

namespace {

// Whether somebody may have paid before an entry that follows the last one: by an entry in between, or by the
// one that drew the source.
bool may_have_payers(const Entry& drawn, const Entry& last) {
  return drawn.sequence < last.sequence || pays_for_one(drawn.body);
}

}  // namespace

void State::add_earlier_payers(Json& body, const Entry* before) {
  if (!before || !pays_for_everybody(body)) return;
  if (const EntryPointer last = found(account_, everybody, "/account/name")) {
    const bool itself = last->body.contains("paid_before");
    const std::int64_t earlier =
        itself ? last->sequence : last->body.value<std::int64_t>("published_before", 0);
    if (earlier > 0) body["published_before"] = earlier;
  }
  const EntryPointer drawn = body.contains("cost") ? nullptr : source_entry(source_name(body));
  if (drawn && may_have_payers(*drawn, *before)) body["paid_before"] = true;
}

void State::add_greatest(Json& body, const Entry* before) {
  if (!before) {
    if (!body.at("recipient_units").is_null()) body["greatest"] = json_of(Greatest{});
  } else if (body.contains("greatest") || before->body.contains("greatest")) {
    if (body.contains("greatest")) return;  // the first that says it, for older entries
    const EntryPointer said = greatest_entry(*before);
    const Greatest greatest = greatest_of(said->body.at("greatest")), now = with_entry(greatest, body);
    body["greatest"] = now == greatest ? Json(said->sequence) : json_of(now);
  }
}

EntryPointer State::greatest_entry(const Entry& entry) {
  const Json& said = entry.body.at("greatest");
  return this->entry(said.is_number() ? said.get<std::int64_t>() : entry.sequence);
}

Greatest State::greatest() { return greatest_of(greatest_entry(*last())->body.at("greatest")); }

bool State::has_account(const std::string& name) {
  return name == everybody || found(account_, name) || found(member_account_, name);
}

std::optional<std::string> State::next(Statement& statement, const std::string& name) {
  const Reading reading(statement.bind(name));
  return statement.step() ? std::optional<std::string>(statement.text(0)) : std::nullopt;
}

// From one name to the next, however many entries each has.
void State::each_recipient(const std::function<void(const std::string&)>& visit) {
  if (has_account("")) visit("");
  auto account = next(next_account_, ""), member = next(next_member_, "");
  while (account || member) {
    const std::string name = !member || (account && *account < *member) ? *account : *member;
    visit(name);
    if (account == name) account = next(next_account_, name);
    if (member == name) member = next(next_member_, name);
  }
}

}  // namespace hushwalk::ledger
