#include "ledger/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hushwalk/version.h"
#include "ledger/damage.h"
#include "ledger/keys.h"
#include "plan/certificate.h"

namespace hushwalk::ledger {
namespace {

constexpr auto kinds = std::to_array<std::string_view>(
    {kind_init, kind_snapshot, kind_charge, kind_owner, kind_store, kind_publish, kind_clock, kind_upgrade,
     kind_plan, kind_members, kind_content, kind_key, kind_extend, kind_forget});

}  // namespace

Replay::Id Replay::id_of(const std::string& text) {
  const auto [place, is_new] = ids_.try_emplace(text, static_cast<Id>(texts_.size()));
  if (!is_new) return place->second;
  texts_.push_back(&place->first);
  said_.push_back(0);
  return place->second;
}

std::optional<Replay::Id> Replay::known_id(const std::string& text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

bool Replay::was_said(Said what, const std::string& text) const {
  const auto id = known_id(text);
  return id && (said_[*id] >> static_cast<unsigned>(what) & 1U) != 0;
}

bool Replay::say(Said what, const std::string& text) {
  const unsigned bit = 1U << static_cast<unsigned>(what);
  unsigned& said = said_[id_of(text)];
  const bool first = (said & bit) == 0;
  said |= bit;
  return first;
}

void Replay::once(Said what, const std::string& text) {
  if (!say(what, text)) fail_damaged("entry {} says something a second time ({})", entries_, text);
}

Replay::DrawnSource* Replay::find_source(const std::string& key) {
  const auto id = known_id(key);
  const auto found = id ? sources_.find(*id) : sources_.end();
  return found == sources_.end() ? nullptr : &found->second;
}

const Replay::DrawnSource& Replay::drawn(const std::string& key) {
  const DrawnSource* const found = find_source(key);
  if (!found) fail_damaged("entry {} is of what was never drawn ({})", entries_, key);
  return *found;
}

Replay::Payment* Replay::payment(const std::string& source, Id payer) {
  const auto id = known_id(source);
  const auto found = id ? payments_.find(of_both(*id, payer)) : payments_.end();
  return found == payments_.end() ? nullptr : &found->second;
}

void Replay::add_payment(const std::string& source, const std::string& payer, bool member) {
  const Id id = id_of(payer);
  if (!payments_.try_emplace(of_both(id_of(source), id), Payment{entries_, member, false}).second)
    fail_damaged(for_custodian("'{}'", payer), "entry {} pays a second time for the same", entries_);
  DrawnSource* const drawn = find_source(source);
  if (drawn && payer != everybody) drawn->payers.push_back(id);
}

bool Replay::was_charged(const std::string& answer) const { return was_said(Said::answer, answer); }

bool Replay::has_member(const std::string& name, std::int64_t drawn_by, std::int64_t entry) const {
  const auto source = drawn_by_.find(drawn_by);
  const auto id = known_id(name);
  if (source == drawn_by_.end() || !id) return false;
  const auto found = payments_.find(of_both(source->second, *id));
  return found != payments_.end() && found->second.member && found->second.entry == entry;
}

void Replay::apply(const Entry& entry) {
  entries_ = entry.sequence;
  head_ = entry.hash;
  if (std::ranges::find(kinds, entry.kind) == kinds.end())
    fail_damaged("entry {} is of an unknown kind", entries_);
  if ((entry.kind == kind_init) != (entries_ == 1)) fail_damaged("entry {} is out of place", entries_);
  if (entry.kind == kind_init) terms_ = terms_of(entry.body, entry.at);
  if (entry.kind == kind_init || entry.kind == kind_snapshot) once(Said::graph, entry.body.at("graph_id"));
  apply_snapshots(entry);
  check_given_back(entry);
  apply_terms(entry);
  apply_owners(entry);
  apply_charge(entry);
  if (entry.kind == kind_members) apply_members(entry);
  check_member_count(entry.body);
  if (entry.kind == kind_store) apply_store(entry);
  apply_period(entry);
  apply_accounts(entry);
  apply_time(entry);
}

void Replay::apply_store(const Entry& entry) {
  const std::string document = entry.body.at("document");
  if (!documents_.try_emplace(document, StoredDocument{entry.body.at("sha256"), entries_}).second)
    fail_damaged("entry {} stores a document a second time: what was released first was removed", entries_);
  check_was_charged(document);
}

// Programs that did not count them left out what they say.
void Replay::apply_snapshots(const Entry& entry) {
  const Json& body = entry.body;
  if (entry.kind == kind_snapshot) {
    if (body.value("snapshot_before", snapshots_.last) != snapshots_.last)
      fail_damaged("entry {} forgets a snapshot before it", entries_);
    snapshots_ = {snapshots_.count + 1, entries_};
  }
  if (body.contains("snapshots") && snapshots_of(body["snapshots"]) != snapshots_)
    fail_damaged("entry {} has another number of snapshots than there are", entries_);
}

void Replay::apply_terms(const Entry& entry) {
  const Json& body = entry.body;
  if (entry.kind == kind_extend) extend(terms_, body);
  if (entry.kind == kind_content)
    once(Said::content,
         fmt::format("{} {}", body.at("epoch").get<std::int64_t>(), body.at("graph_id").get<std::string>()));
  if (entry.kind == kind_key) {
    const std::int64_t epoch = body.at("key").at("epoch");
    if (has_key_ ? epoch != epoch_ + 1 : epoch != 0) fail_damaged("entry {} has a wrong epoch", entries_);
    epoch_ = epoch;
  }
  has_key_ = has_key_ || body.contains("key");
  if (entry.kind == kind_plan) {
    once(Said::plan, body.at("digest"));
    if (digest_of_plan(body.at("plan"), body.at("arithmetic")) != body.at("digest").get<std::string>())
      fail_damaged("entry {} has an altered plan", entries_);
    plans_.insert(entries_);
  }
  if (entry.kind == kind_forget)
    forgotten_ = std::max(forgotten_, std::min(body.at("up_to").get<std::int64_t>(), entries_));
}

void Replay::apply_members(const Entry& entry) {
  const std::string key = entry.body.at("source");
  const DrawnSource* const source = find_source(key);
  if (!source) fail_damaged("entry {} pays for what was never charged", entries_);
  const bool pay = members_pay(entry.body);
  if (!pay && !payment(key, id_of(everybody)))
    fail_damaged("entry {} is of what was not published, and does not pay for it", entries_);
  const Account share = pay ? Account{source->drawn.recipient, 1} : Account{};
  for (const Member& member : members_of(entry.body)) {
    add_payment(key, member.name, true);
    ++members_;
    const Id id = id_of(member.name);
    if (owners_.try_emplace(id, id).first->second != id)
      fail_damaged("entry {} is of a seed that somebody else owns", entries_);
    static_cast<void>(say(Said::owner, member.name));
    Account& account = accounts_[id];
    account = plus(account, share);
    if (account != member.after)
      fail_damaged("entry {} has an account that is not the sum of what was charged to it", entries_);
    if (pay && terms_.recipient && !terms_.recipient->holds(seen_by(member.name).spending))
      fail_damaged("entry {} spends more than the budget", entries_);
  }
}

// Programs that did not count them left it out.
void Replay::check_member_count(const Json& body) const {
  if (body.contains("member_count") && body["member_count"] != members_)
    fail_damaged("entry {} has another number of members than there are", entries_);
}

// It is that of the time or a later one, and what was spent in it adds up.
void Replay::apply_period(const Entry& entry) {
  if (entry.kind == kind_init && terms_.periods) period_ = PeriodAccount{};
  if (!period_) return;
  period_ = at_time(*period_, *terms_.periods, entry.at);
  if (entry.body.contains("cost"))
    period_->account = plus(period_->account, {source_of(entry.body).total, 1});
  if (period_of(entry.body.at("period")) != *period_)
    fail_damaged("entry {} has a period that is not the sum of what was charged in it", entries_);
}

std::int64_t Replay::recipients() const {
  auto count = static_cast<std::int64_t>(accounts_.size());
  for (const char* nobody : {total_account, everybody}) {
    const auto id = known_id(nobody);
    if (id && accounts_.contains(*id)) --count;
  }
  return count;
}

// Answers and artefacts are released on a charge only.
void Replay::check_was_charged(const std::string& document) {
  constexpr std::string_view artefact = "artefact ", answer = "answer ";
  const bool charged = document.starts_with(artefact)
                           ? find_source(document.substr(artefact.size())) != nullptr
                       : document.starts_with(answer) ? was_charged(document.substr(answer.size()))
                                                      : true;
  if (!charged) fail_damaged("entry {} stores what was not charged ({})", entries_, document);
}

// What is given back to those who had paid for it is published by the next entry.
void Replay::check_given_back(const Entry& entry) {
  const std::string key =
      std::exchange(given_back_, entry.kind == kind_publish ? entry.body.at("source") : "");
  if (key.empty() || key == given_back_) return;
  if (source_name(entry.body) != key || entry.body.value("recipient", "") != everybody)
    fail_damaged("entry {} should publish what was given back", entries_);
}

void Replay::finish() const {
  if (entries_ == 0) fail_damaged("it has no entries");
  if (!given_back_.empty()) fail_damaged("its last entry gives back what is not published");
}

void Replay::apply_owners(const Entry& entry) {
  const Json nodes = entry.body.value("new_owners", Json::array());
  for (const std::string node : nodes) {
    const std::string recipient = entry.body.at("recipient");
    if (entry.kind != kind_upgrade) once(Said::owner, node);
    const Id owner = id_of(recipient);
    if (owners_.try_emplace(id_of(node), owner).first->second != owner)
      fail_damaged("entry {} names another owner of '{}'", entries_, node);
    if (node != nodes.front().get<std::string>()) later_owned_.push_back(node);
  }
}

void Replay::apply_charge(const Entry& entry) {
  const Json& body = entry.body;
  const std::string key = source_name(body);
  if (key.empty() || entry.kind == kind_plan || entry.kind == kind_members) return;
  const std::string recipient = body.at("recipient");
  if (is_lost(body) && (entry.kind != kind_charge || body.contains("answer") || !body.contains("cost")))
    fail_damaged("entry {} releases what is lost", entries_);
  if (body.contains("cost")) {
    once(Said::source, key);
    sources_[id_of(key)] = {source_of(body), entries_, {}};
    drawn_by_[entries_] = id_of(key);
  }
  if (body.value("pays", false)) add_payment(key, recipient, false);
  if (entry.kind == kind_publish) {
    Payment* const paid = payment(key, id_of(recipient));
    if (!paid) fail_damaged("entry {} gives back what was not paid", entries_);
    if (std::exchange(paid->given_back, true))
      fail_damaged(for_custodian("to '{}'", recipient), "entry {} gives back what was given back before",
                   entries_);
  }
  if (body.contains("plan")) {
    once(Said::answer, body.at("answer"));
    if (body["plan"].is_number() && !plans_.contains(body["plan"].get<std::int64_t>()))
      fail_damaged("entry {} is of a plan that is not there", entries_);
    const bool for_anyone = !counted_ && terms_.recipient && body["plan"].value("scope", "") == "edge";
    if (for_anyone && say(Said::for_anyone, key)) for_anyone_.push_back(key);
  }
  if (body.contains("request")) {
    once(Said::request, body["request"]);
    if (!was_charged(body.at("answer")))
      fail_damaged("entry {} speaks of an answer that is not there", entries_);
  }
}

void Replay::apply_accounts(const Entry& entry) {
  std::string altered;
  for (const auto& [name, account] : accounts_after(entry.kind, entry.body, *this)) {
    accounts_[id_of(name)] = account;
    if (name != total_account) altered = name;
  }
  if (pays_for_everybody(entry.body)) give_back(entry.body);
  counted_ = counted_ || entry.body.contains("total");
  if (counted_) check_said(entry.body, altered);
  apply_greatest(entry);
  if (entry.kind == kind_charge) check_budgets(entry.body);
}

// What an entry says of the accounts is what follows from all before it.
void Replay::check_said(const Json& body, const std::string& altered) {
  if (account_of(body.at("total")) != account(total_account))
    fail_damaged("entry {} has a total that is not the sum of what was charged", entries_);
  if (altered.empty() && !body.contains("account")) return;
  const Json& said = body.at("account");
  const std::string name = said.at("name");
  if ((!altered.empty() && name != altered) || account_of(said) != account(name))
    fail_damaged("entry {} has an account that is not the sum of what was charged to it", entries_);
}

// What some had paid for before it was published is everybody's from now on. Up to version 3 entries of their
// own said so.
void Replay::give_back(const Json& publication) {
  if (publication.value<std::int64_t>("published_before", 0) != last_paid_before_)
    fail_damaged("entry {} forgets a publication before it", entries_);
  if (!publication.contains("paid_before")) return check_paid_twice(publication);
  last_paid_before_ = entries_;
  const std::string key = source_name(publication);
  const DrawnSource& source = drawn(key);
  const Account share{source.drawn.recipient, 1};
  for (const Id payer : source.payers) {
    if (payment(key, payer)->given_back)
      fail_damaged(for_custodian("to '{}'", *texts_[payer]), "entry {} gives back what was given back before",
                   entries_);
    Account& account = accounts_[payer];
    account = minus(account, share);
  }
}

// What was paid for by the entry that drew it, and published by the next, was once not given back. Whoever
// paid so has counted it twice ever since: more than they see, which is safe (docs/math/22-ledger.md).
void Replay::check_paid_twice(const Json& publication) {
  const DrawnSource& source = drawn(source_name(publication));
  const bool says_so = greatest_.has_value();  // version 4, under a limit for each recipient
  if (source.payers.empty() || !says_so || source.entry + 1 == entries_) return;
  fail_damaged(for_custodian("to '{}'", *texts_[source.payers.front()]),
               "entry {} does not give back what was paid for", entries_);
}

std::vector<std::pair<std::string, Account>> Replay::accounts_by_name() const {
  std::vector<std::pair<std::string, Account>> accounts;
  accounts.reserve(accounts_.size());
  for (const auto& [id, account] : accounts_) accounts.emplace_back(*texts_[id], account);
  std::ranges::sort(accounts, {}, [](const auto& one) { return one.first; });
  return accounts;
}

// Of several that are equal the first by name, as the entry says that began with it.
Greatest Replay::greatest() const {
  Greatest greatest;
  for (const auto& [name, account] : accounts_by_name()) greatest = with(std::move(greatest), name, account);
  return greatest;
}

void Replay::apply_greatest(const Entry& entry) {
  const bool begins = !greatest_ && terms_.recipient && entry.body.contains("greatest");
  if (begins) greatest_ = greatest();
  if (!greatest_) return;
  const Greatest before = std::exchange(*greatest_, with_entry(*greatest_, entry.body));
  const Json& said = entry.body.at("greatest");
  const bool as_before = said.is_number();
  if (as_before ? *greatest_ != before || said != greatest_said_ : greatest_of(said) != *greatest_)
    fail_damaged("entry {} has another greatest account than those before it", entries_);
  if (!as_before) greatest_said_ = entries_;
}

// As for a charge, whoever had paid for what is published now may be beyond a limit: it adds nothing for
// them.
bool Replay::recipients_hold(const Json& publication) {
  const Budget& budget = *terms_.recipient;
  if (greatest_ && budget.holds(plus(greatest_->spending, account(everybody).spending))) return true;
  const std::string source = source_name(publication);
  return std::ranges::all_of(accounts_, [&](const auto& account) {
    const std::string& name = *texts_[account.first];
    return name == total_account || name == everybody || payment(source, account.first) ||
           budget.holds(seen_by(name).spending);
  });
}

// A period may be beyond its limit by what is lost, which is no fault of what draws nothing after it.
void Replay::check_budgets(const Json& body) {
  const bool lost = is_lost(body);
  bool holds = terms_.total.holds(account(total_account).spending);
  if (terms_.recipient && body.value("pays", false)) {
    const std::string recipient = body.at("recipient");
    holds = holds && terms_.recipient->holds(seen_by(recipient).spending);
    if (recipient == everybody) holds = holds && (lost || recipients_hold(body));
  }
  if (period_ && body.contains("cost") && !lost) {
    const Budget budget = terms_.periods->budget(period_->index, terms_.total);
    holds =
        holds && budget.holds((terms_.periods->carry ? account(total_account) : period_->account).spending);
  }
  if (!holds) fail_damaged("entry {} spends more than the budget", entries_);
}

void Replay::apply_time(const Entry& entry) {
  const bool accepted = entry.kind == kind_clock;
  latest_ = accepted ? entry.at : std::max(latest_, entry.at);
  if (counted_ && entry.latest() != latest_)
    fail_damaged("entry {} forgets the time of one before it", entries_);
}

Account Replay::account(const std::string& name) {
  const auto id = known_id(name);
  const auto found = id ? accounts_.find(*id) : accounts_.end();
  return found == accounts_.end() ? Account{} : found->second;
}

std::optional<Drawn> Replay::source(const std::string& key) {
  const DrawnSource* const found = find_source(key);
  return found ? std::optional(found->drawn) : std::nullopt;
}

void Replay::say_greatest(State& state, const std::string& at) const {
  if (terms_.recipient)
    state.append(at, kind_upgrade, {{"software_version", version()}, {"greatest", json_of(greatest())}});
}

void Replay::say_again(State& state, const std::string& at) {
  state.append(at, kind_upgrade,
               {{"software_version", version()}, {"total", json_of(account(total_account))}});
  for (const std::string& node : later_owned_)
    state.append(at, kind_upgrade, {{"new_owners", {node}}, {"recipient", *texts_[owners_.at(id_of(node))]}});
  for (const auto& [name, account] : accounts_by_name()) {
    if (name == total_account) continue;
    Json said = json_of(account);
    said["name"] = name;
    state.append(at, kind_upgrade, {{"account", said}});
  }
  say_greatest(state, at);
  for (const std::string& source : for_anyone_)
    state.append(at, kind_upgrade, {{"source", source}, {"recipient", everybody}, {"pays", true}});
}

}  // namespace hushwalk::ledger
