#include "ledger/replay.h"

#include <algorithm>
#include <utility>

#include "hushwalk/version.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

const std::set<std::string> kinds = {kind_init,  kind_snapshot, kind_charge, kind_owner,
                                     kind_store, kind_publish,  kind_clock,  kind_upgrade};

}  // namespace

void Replay::apply(const Entry& entry) {
  entries_ = entry.sequence;
  head_ = entry.hash;
  if (!kinds.contains(entry.kind)) fail_damaged("entry {} is of an unknown kind", entries_);
  if ((entry.kind == kind_init) != (entries_ == 1)) fail_damaged("entry {} is out of place", entries_);
  if (entry.kind == kind_init) terms_ = terms_of(entry.body);
  if (entry.kind == kind_init || entry.kind == kind_snapshot)
    once("graph " + entry.body.at("graph_id").get<std::string>());
  check_given_back(entry);
  apply_owners(entry);
  apply_charge(entry);
  if (entry.kind == kind_store) {
    if (!documents_.emplace(entry.body.at("document"), entry.body.at("sha256")).second)
      fail_damaged("entry {} stores a document a second time: what was released first was removed", entries_);
    check_was_charged(entry.body["document"]);
  }
  apply_accounts(entry);
  apply_time(entry);
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
  if (entry.body.value("source", "") != key || entry.body.value("recipient", "") != everybody)
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
    if (node != nodes.front()) later_owned_.push_back(node);
  }
}

void Replay::apply_charge(const Entry& entry) {
  const Json& body = entry.body;
  if (!body.contains("source")) return;
  const std::string key = body["source"], recipient = body.at("recipient");
  if (body.contains("cost")) {
    once("source " + key);
    sources_[key] = source_of(body);
  }
  if (body.value("pays", false)) once("payment " + key + " " + recipient);
  if (entry.kind == kind_publish) {
    once("publication " + key + " " + recipient);
    if (!said_.contains("payment " + key + " " + recipient))
      fail_damaged("entry {} gives back what was not paid", entries_);
  }
  if (body.contains("plan")) {
    once("answer " + body.at("answer").get<std::string>());
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
  counted_ = counted_ || entry.body.contains("total");
  if (counted_) check_said(entry.body, altered);
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

// As for a charge, whoever had paid for what is published now may be beyond a limit: it adds nothing for
// them.
void Replay::check_budgets(const Json& body) {
  bool holds = terms_.total.holds(account(total_account).spending);
  const auto check = [&](const std::string& name) {
    holds = holds && terms_.recipient->holds(seen_by(name).spending);
  };
  if (terms_.recipient && body.value("pays", false)) {
    check(body.at("recipient"));
    const std::string given_back = "publication " + body.at("source").get<std::string>() + " ";
    if (body.at("recipient") == everybody)
      for (const auto& [name, account] : accounts_)
        if (name != total_account && !said_.contains(given_back + name)) check(name);
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
  for (const std::string& source : for_anyone_) {
    state.give_back(at, source);
    state.append(at, kind_upgrade, {{"source", source}, {"recipient", everybody}, {"pays", true}});
  }
}

}  // namespace hushwalk::ledger
