#include "ledger/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hushwalk/version.h"
#include "ledger/damage.h"
#include "plan/certificate.h"

namespace hushwalk::ledger {
namespace {

const std::set<std::string> kinds = {kind_init,    kind_snapshot, kind_charge,  kind_owner, kind_store,
                                     kind_publish, kind_clock,    kind_upgrade, kind_plan,  kind_members,
                                     kind_content, kind_key,      kind_extend,  kind_forget};

}  // namespace

void Replay::apply(const Entry& entry) {
  entries_ = entry.sequence;
  head_ = entry.hash;
  if (!kinds.contains(entry.kind)) fail_damaged("entry {} is of an unknown kind", entries_);
  if ((entry.kind == kind_init) != (entries_ == 1)) fail_damaged("entry {} is out of place", entries_);
  if (entry.kind == kind_init) terms_ = terms_of(entry.body, entry.at);
  if (entry.kind == kind_init || entry.kind == kind_snapshot)
    once("graph " + entry.body.at("graph_id").get<std::string>());
  check_given_back(entry);
  apply_terms(entry);
  apply_owners(entry);
  apply_charge(entry);
  if (entry.kind == kind_members) apply_members(entry);
  if (entry.kind == kind_store) {
    stored_by_[entry.body.at("document")] = entries_;
    if (!documents_.emplace(entry.body.at("document"), entry.body.at("sha256")).second)
      fail_damaged("entry {} stores a document a second time: what was released first was removed", entries_);
    check_was_charged(entry.body["document"]);
  }
  apply_period(entry);
  apply_accounts(entry);
  apply_time(entry);
}

void Replay::apply_terms(const Entry& entry) {
  const Json& body = entry.body;
  if (entry.kind == kind_extend) extend(terms_, body);
  if (entry.kind == kind_content)
    once(fmt::format("content {} {}", body.at("epoch").get<std::int64_t>(),
                     body.at("graph_id").get<std::string>()));
  if (entry.kind == kind_key) {
    const std::int64_t epoch = body.at("key").at("epoch");
    if (said_.contains("key") ? epoch != epoch_ + 1 : epoch != 0)
      fail_damaged("entry {} has a wrong epoch", entries_);
    epoch_ = epoch;
  }
  if (body.contains("key")) said_.insert("key");
  if (entry.kind == kind_plan) {
    once("plan " + body.at("digest").get<std::string>());
    if (digest_of(body.at("plan")) != body.at("digest").get<std::string>())
      fail_damaged("entry {} has an altered plan", entries_);
    plans_.insert(entries_);
  }
  if (entry.kind == kind_forget)
    for (const auto& [document, sequence] : stored_by_)
      if (sequence <= body.at("up_to").get<std::int64_t>()) forgotten_.insert(document);
}

void Replay::apply_members(const Entry& entry) {
  const std::string key = entry.body.at("source");
  const auto source = sources_.find(key);
  if (source == sources_.end()) fail_damaged("entry {} pays for what was never charged", entries_);
  for (const Member& member : members_of(entry.body)) {
    once("payment " + key + " " + member.name);
    payers_[key].push_back(member.name);
    if (owners_.try_emplace(member.name, member.name).first->second != member.name)
      fail_damaged("entry {} is of a seed that somebody else owns", entries_);
    said_.insert("owner of " + member.name);
    Account& account = accounts_[member.name];
    account = plus(account, {source->second.recipient, 1});
    if (account != member.after)
      fail_damaged("entry {} has an account that is not the sum of what was charged to it", entries_);
    if (terms_.recipient && !terms_.recipient->holds(seen_by(member.name).spending))
      fail_damaged("entry {} spends more than the budget", entries_);
    members_.insert({member.name, source_entries_.at(key), entries_});
  }
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
  return static_cast<std::int64_t>(accounts_.size() - accounts_.count(total_account) -
                                   accounts_.count(everybody));
}

// Answers and artefacts are released on a charge only.
void Replay::check_was_charged(const std::string& document) const {
  constexpr std::string_view artefact = "artefact ";
  const bool charged = document.starts_with(artefact)    ? sources_.contains(document.substr(artefact.size()))
                       : document.starts_with("answer ") ? said_.contains(document)
                                                         : true;
  if (!charged) fail_damaged("entry {} stores what was not charged ({})", entries_, document);
}

void Replay::once(const std::string& what) {
  if (!said_.insert(what).second) fail_damaged("entry {} says something a second time ({})", entries_, what);
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
    if (entry.kind != kind_upgrade) once("owner of " + node);
    if (owners_.try_emplace(node, recipient).first->second != recipient)
      fail_damaged("entry {} names another owner of '{}'", entries_, node);
    if (node != nodes.front().get<std::string>()) later_owned_.push_back(node);
  }
}

void Replay::apply_charge(const Entry& entry) {
  const Json& body = entry.body;
  const std::string key = source_name(body);
  if (key.empty() || entry.kind == kind_plan || entry.kind == kind_members) return;
  const std::string recipient = body.at("recipient");
  if (body.contains("cost")) {
    once("source " + key);
    sources_[key] = source_of(body);
    source_entries_[key] = entries_;
  }
  if (body.value("pays", false)) once("payment " + key + " " + recipient);
  if (pays_for_one(body)) payers_[key].push_back(recipient);
  if (entry.kind == kind_publish) {
    once("publication " + key + " " + recipient);
    if (!said_.contains("payment " + key + " " + recipient))
      fail_damaged("entry {} gives back what was not paid", entries_);
  }
  if (body.contains("plan")) {
    once("answer " + body.at("answer").get<std::string>());
    if (body["plan"].is_number() && !plans_.contains(body["plan"].get<std::int64_t>()))
      fail_damaged("entry {} is of a plan that is not there", entries_);
    const bool for_anyone = !counted_ && terms_.recipient && body["plan"].value("scope", "") == "edge";
    if (for_anyone && said_.insert("for anyone " + key).second) for_anyone_.push_back(key);
  }
  if (body.contains("request")) {
    once("request " + body["request"].get<std::string>());
    if (!said_.contains("answer " + body.at("answer").get<std::string>()))
      fail_damaged("entry {} speaks of an answer that is not there", entries_);
  }
}

void Replay::apply_accounts(const Entry& entry) {
  std::string altered;
  for (const auto& [name, account] : accounts_after(entry.kind, entry.body, *this)) {
    accounts_[name] = account;
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
  const Account share{sources_.at(key).recipient, 1};
  for (const std::string& name : payers_[key]) {
    if (said_.contains(fmt::format("publication {} {}", key, name)))
      fail_damaged("entry {} gives '{}' back what was given back before", entries_, name);
    accounts_[name] = minus(accounts_[name], share);
  }
}

// What was paid for by the entry that drew it, and published by the next, was once not given back. Whoever
// paid so has counted it twice ever since: more than they see, which is safe (docs/math/22-ledger.md).
void Replay::check_paid_twice(const Json& publication) {
  const std::string key = source_name(publication);
  const auto payers = payers_.find(key);
  const bool says_so = greatest_.has_value();  // version 4, under a limit for each recipient
  if (payers == payers_.end() || !says_so || source_entries_.at(key) + 1 == entries_) return;
  fail_damaged("entry {} does not give back what '{}' had paid for", entries_, payers->second.front());
}

Greatest Replay::greatest() const {
  Greatest greatest;
  for (const auto& [name, account] : accounts_) greatest = with(std::move(greatest), name, account);
  return greatest;
}

void Replay::apply_greatest(const Entry& entry) {
  const bool begins = !greatest_ && terms_.recipient && entry.body.contains("greatest");
  if (begins) greatest_ = greatest();
  if (!greatest_) return;
  greatest_ = with_entry(std::move(*greatest_), entry.body);
  if (greatest_of(entry.body.at("greatest")) != *greatest_)
    fail_damaged("entry {} has another greatest account than those before it", entries_);
}

// As for a charge, whoever had paid for what is published now may be beyond a limit: it adds nothing for
// them.
bool Replay::recipients_hold(const Json& publication) {
  const Budget& budget = *terms_.recipient;
  if (greatest_ && budget.holds(plus(greatest_->spending, account(everybody).spending))) return true;
  const std::string had_paid = "payment " + source_name(publication) + " ";
  return std::ranges::all_of(accounts_, [&](const auto& account) {
    const std::string& name = account.first;
    return name == total_account || name == everybody || said_.contains(had_paid + name) ||
           budget.holds(seen_by(name).spending);
  });
}

void Replay::check_budgets(const Json& body) {
  bool holds = terms_.total.holds(account(total_account).spending);
  if (terms_.recipient && body.value("pays", false)) {
    const std::string recipient = body.at("recipient");
    holds = holds && terms_.recipient->holds(seen_by(recipient).spending);
    if (recipient == everybody) holds = holds && recipients_hold(body);
  }
  if (period_) {
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
  const auto found = accounts_.find(name);
  return found == accounts_.end() ? Account{} : found->second;
}

std::optional<Drawn> Replay::source(const std::string& key) {
  const auto found = sources_.find(key);
  return found == sources_.end() ? std::nullopt : std::optional(found->second);
}

void Replay::say_greatest(State& state, const std::string& at) const {
  if (terms_.recipient)
    state.append(at, kind_upgrade, {{"software_version", version()}, {"greatest", json_of(greatest())}});
}

void Replay::say_again(State& state, const std::string& at) {
  state.append(at, kind_upgrade,
               {{"software_version", version()}, {"total", json_of(account(total_account))}});
  for (const std::string& node : later_owned_)
    state.append(at, kind_upgrade, {{"new_owners", {node}}, {"recipient", owners_.at(node)}});
  for (const auto& [name, account] : accounts_) {
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
