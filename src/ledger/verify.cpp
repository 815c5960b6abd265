// Everything is checked that a use of the ledger checks for the entries concerned, and all entries together.
#include <fmt/format.h>

#include <limits>
#include <map>

#include "base/sha256.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"
#include "ledger/replay.h"
#include "ledger/schema.h"
#include "plan/certificate.h"

namespace hushwalk {

using namespace ledger;

namespace {

void check_file(const Database& database) {
  check_schema(database);
  Statement check(database, "PRAGMA integrity_check(1)");
  if (check.step() && check.text(0) != "ok") fail_damaged("the file is not whole: {}", check.text(0));
}

Replay replay_all(State& state, const std::optional<std::string>& head) {
  Replay replay;
  bool head_found = !head;
  state.each([&](const Entry& entry) {
    replay.apply(entry);
    head_found = head_found || entry.hash == *head;
  });
  replay.finish();
  if (!head_found)
    throw Damage(fmt::format("no entry has the hash {}: this is an older copy, or another ledger", *head));
  return replay;
}

void check_documents(const Database& database, std::map<std::string, std::string> stored) {
  Statement document(database, "SELECT name, content FROM document");
  while (document.step()) {
    const std::string name(document.text(0));
    const auto found = stored.find(name);
    if (found == stored.end()) fail_damaged("the document '{}' was never stored by an entry", name);
    if (sha256_hex(document.blob(1)) != found->second) fail_damaged("the document '{}' was altered", name);
    stored.erase(found);
  }
  if (!stored.empty()) fail_damaged("{} stored documents were removed", stored.size());
}

LedgerCheck check(Ledger::Impl& ledger, const std::optional<std::string>& head) {
  const Transaction snapshot(ledger.database, Transaction::Kind::reading);
  check_file(ledger.database);
  const Replay replay = replay_all(ledger.state, head);
  check_documents(ledger.database, replay.documents());
  return {true, fmt::format("{} entries in one unbroken chain, {} stored documents; head {}",
                            replay.entries(), replay.documents().size(), replay.head())};
}

// What cannot be opened because it is damaged is not intact either; what may not be opened is an error.
template <class Action>
LedgerCheck checked(Action action) {
  try {
    return readable(action);
  } catch (const Damage& damage) {
    return {false, damage.reason()};
  }
}

}  // namespace

LedgerCheck Ledger::verify(const std::optional<std::string>& head) const {
  const std::scoped_lock lock(impl_->mutex);
  return checked([&] { return check(*impl_, head); });
}

LedgerCheck verify_ledger(const std::filesystem::path& path, const std::optional<std::string>& head) {
  return checked([&] { return Ledger(path).verify(head); });
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
  entry.published = entry.recipient == everybody;
  if (entry.published) entry.recipient.clear();
  if (body.contains("cost")) {
    entry.mechanism = body.at("release").at("mechanism");
    sources[entry.source] = {number(source_of(body).total.units), curve_of(body)};
    entry.epsilon = sources[entry.source].epsilon;
  }
  const auto priced = sources.find(entry.source);
  if (priced == sources.end())
    fail_damaged("entry {} is of something that was never charged", entry.sequence);
  if (body.value("pays", false)) entry.recipient_epsilon = priced->second.epsilon;
  if (entry.epsilon || entry.recipient_epsilon) entry.rdp = priced->second.rdp;
}

}  // namespace

void Ledger::each_entry(const std::function<void(const LedgerEntry&)>& visit) const {
  const std::scoped_lock lock(impl_->mutex);
  const Transaction snapshot(impl_->database, Transaction::Kind::reading);
  std::map<std::string, Priced> sources;
  readable([&] {
    impl_->state.each([&](const Entry& found) {
      LedgerEntry entry{found.sequence, found.at, found.kind, found.body_text, found.hash};
      if (found.body.contains("source")) read_charge(found.body, sources, entry);
      visit(entry);
    });
  });
}

}  // namespace hushwalk
