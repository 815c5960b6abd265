// Everything is checked that a use of the ledger checks for the entries concerned, and all entries together.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

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

// How many are there.
std::size_t check_documents(const Database& database, const Replay& replay) {
  std::unordered_set<std::string> found;
  Statement document(database, "SELECT name, content FROM document");
  while (document.step()) {
    std::string name(document.text(0));
    const auto stored = replay.documents().find(name);
    if (stored == replay.documents().end())
      fail_damaged("the document '{}' was never stored by an entry", name);
    if (sha256_hex(document.blob(1)) != stored->second.sha256)
      fail_damaged("the document '{}' was altered", name);
    found.insert(std::move(name));
  }
  const auto removed = std::ranges::count_if(replay.documents(), [&](const auto& stored) {
    return !found.contains(stored.first) && !replay.may_be_gone(stored.second);
  });
  if (removed > 0) fail_damaged("{} stored documents were removed", removed);
  return found.size();
}

void check_members(const Database& database, const Replay& replay) {
  std::size_t members = 0;
  Statement member(database, "SELECT name, source, entry FROM member");
  for (; member.step(); ++members)
    if (!replay.has_member(std::string(member.text(0)), member.integer(1), member.integer(2)))
      fail_damaged("'{}' was added to those who have paid", member.text(0));
  if (members != replay.members()) fail_damaged("somebody was removed from those who have paid");
}

// How many were removed at some time. That is no damage: nobody makes one without the key, and what is
// computed again gets the same one. But it is not compared with what was shown.
std::int64_t check_tags(State& state, const Replay& replay) {
  std::int64_t tags = 0;
  Statement released(state.database(), "SELECT answer FROM released");
  for (; released.step(); ++tags)
    if (!replay.was_charged(std::string(released.text(0))))
      fail_damaged("there is a tag of what was not charged ({})", released.text(0));
  const std::int64_t answers =
      state.database().integer("SELECT count(*) FROM document WHERE name > 'answer ' AND name < 'answer!'");
  return std::max<std::int64_t>(state.tally().stored - tags - answers, 0);
}

std::string removed_words(std::int64_t tags) {
  if (tags == 0) return "";
  return fmt::format(
      "; {} {} of what was released {} removed from it at some time: such an answer is computed again, and not compared with what was shown",
      tags, tags == 1 ? "tag" : "tags", tags == 1 ? "was" : "were");
}

LedgerCheck check(Ledger::Impl& ledger, const std::optional<std::string>& head) {
  const Transaction snapshot(ledger.database, Transaction::Kind::reading);
  check_file(ledger.database);
  const Replay replay = replay_all(ledger.state, head);
  const std::size_t documents = check_documents(ledger.database, replay);
  check_members(ledger.database, replay);
  if (ledger.state.tally().recipients != replay.recipients())
    fail_damaged("the number of recipients is wrong");
  const std::int64_t removed = check_tags(ledger.state, replay);
  return {true, fmt::format("{} entries in one unbroken chain, {} stored documents; head {}{}",
                            replay.entries(), documents, replay.head(), removed_words(removed))};
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

namespace {

// What is lost when this ledger goes on in place of the one whose head was noted.
std::string forgotten_words(Ledger::Impl& ledger, const NotedHead& noted) {
  if (noted.ledger_id != ledger.terms.ledger_id)
    return fmt::format("; the noted head is that of another ledger ({})", noted.ledger_id);
  if (noted.sequence == 0 || ledger.state.hash_of(noted.sequence) == noted.hash) return "";
  const Units spent = ledger.state.account(total_account).spending.units;
  return fmt::format(
      "; the noted head, entry {}, is not among them: who asked what since then is forgotten by accepting this one. By then epsilon = {} was spent, and this ledger counts {}: what is missing is charged by accepting it, to everybody where each recipient has a limit",
      noted.sequence, decimal(noted.spent), decimal(spent));
}

}  // namespace

LedgerCheck Ledger::verify(const std::optional<std::string>& head, bool without_noted_head) const {
  const std::scoped_lock lock(impl_->mutex);
  return checked([&] {
    // Before the ledger, which may only be ahead of it. One that is damaged is in nobody's way.
    std::optional<NotedHead> noted;
    try {
      noted = impl_->head.read();
    } catch (const Error&) {
      if (!without_noted_head) throw;
    }
    LedgerCheck found = check(*impl_, head);
    if (!noted) found.reason += "; whether it is the newest was NOT checked: no head is noted beside a key";
    if (without_noted_head && noted) found.reason += forgotten_words(*impl_, *noted);
    if (!noted || noted->sequence == 0 || without_noted_head) return found;
    if (noted->ledger_id != impl_->terms.ledger_id || impl_->state.hash_of(noted->sequence) != noted->hash)
      throw Damage(fmt::format(
          "the head that is noted beside its key (entry {}) is not among them: this is an older copy, or another ledger",
          noted->sequence));
    return found;
  });
}

LedgerCheck Ledger::verify_and_accept(const Accepted& accepted, const std::optional<std::string>& head) {
  LedgerCheck found = verify(head, accepted.head);
  if (found.valid && accepted.head) accept_head();
  if (found.valid && accepted.clock) accept_clock();
  return found;
}

LedgerCheck verify_ledger(const std::filesystem::path& path, const std::optional<std::string>& head,
                          const std::filesystem::path& key, const Ledger::Accepted& accepted) {
  return checked([&] { return Ledger(path, key).verify_and_accept(accepted, head); });
}

namespace {

double real(const Json& value) {
  return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

struct Priced {
  std::string mechanism;
  double epsilon, recipient_epsilon;
  std::vector<double> rdp;
};

// What entries have said of plans and sources: those that were read, and those before them that are needed.
class Known {
 public:
  explicit Known(State& state) : state_(state) {}
  const Json& plan(std::int64_t sequence);
  void add_plan(const Entry& entry) { plans_[entry.sequence] = entry.body; }
  const Priced& source(const std::string& name, std::int64_t sequence);  // as charged before this entry
  const Priced& add_source(const std::string& name, const Json& charge);

 private:
  State& state_;
  std::map<std::int64_t, Json> plans_;
  std::map<std::string, Priced> sources_;
};

// On the grid of this version; what was written down for other orders is left out.
std::vector<double> curve_of(const Json& curve) {
  const auto orders = PrivacyCost::orders();
  std::vector<double> result(orders.size(), std::numeric_limits<double>::infinity());
  for (const Json& point : curve)
    for (std::size_t i = 0; i < orders.size(); ++i)
      if (orders[i] == real(point.at(0))) result[i] = real(point.at(1));
  return result;
}

Priced priced(const Json& charge, Known& known) {
  const bool old = charge.contains("release");  // then it says itself what later ones leave to their plan
  const Json& around = old ? charge.at("cost") : known.plan(charge.at("plan").get<std::int64_t>());
  const Json& plan = old ? charge["release"] : around.at("plan");
  const Drawn drawn = source_of(charge);
  Priced result{plan.at("mechanism"), number(drawn.total.units), number(drawn.recipient.units), {}};
  const PrivacyCost cost = PrivacyCost::of(Epsilon(plan.at("epsilon").get<double>()));
  result.rdp = around.contains("curve") ? curve_of(around["curve"])
                                        : std::vector<double>(cost.rdp().begin(), cost.rdp().end());
  return result;
}

const Json& Known::plan(std::int64_t sequence) {
  const auto found = plans_.find(sequence);
  return found != plans_.end() ? found->second : plans_[sequence] = state_.entry(sequence)->body;
}

const Priced& Known::add_source(const std::string& name, const Json& charge) {
  return sources_[name] = priced(charge, *this);
}

const Priced& Known::source(const std::string& name, std::int64_t sequence) {
  if (const auto found = sources_.find(name); found != sources_.end()) return found->second;
  const EntryPointer charge = state_.source_entry(name);
  if (!charge || charge->sequence >= sequence || !charge->body.contains("cost"))
    fail_damaged("entry {} is of something that was never charged", sequence);
  return add_source(name, charge->body);
}

void read_charge(const Json& body, Known& known, LedgerEntry& entry) {
  entry.source = source_name(body);
  entry.recipient = body.value("recipient", "");
  entry.published = entry.recipient == everybody;
  if (entry.published) entry.recipient.clear();
  const bool first = body.contains("cost");
  const Priced& source =
      first ? known.add_source(entry.source, body) : known.source(entry.source, entry.sequence);
  if (first) {
    entry.mechanism = source.mechanism;
    entry.epsilon = source.epsilon;
  }
  if (body.value("pays", body.contains("members"))) entry.recipient_epsilon = source.recipient_epsilon;
  if (entry.epsilon || entry.recipient_epsilon) entry.rdp = source.rdp;
}

LedgerEntry read(const Entry& found, Known& known) {
  LedgerEntry entry{found.sequence, found.at, found.kind, found.body_text, found.hash};
  if (found.kind == kind_plan)
    known.add_plan(found);
  else if (!source_name(found.body).empty())
    read_charge(found.body, known, entry);
  return entry;
}

}  // namespace

void Ledger::each_entry(const std::function<void(const LedgerEntry&)>& visit) const {
  const std::scoped_lock lock(impl_->mutex);
  const Transaction snapshot(impl_->database, Transaction::Kind::reading);
  Known known(impl_->state);
  readable([&] { impl_->state.each([&](const Entry& found) { visit(read(found, known)); }); });
}

std::vector<LedgerEntry> Ledger::newest_entries(std::uint64_t most) const {
  const std::scoped_lock lock(impl_->mutex);
  const Transaction snapshot(impl_->database, Transaction::Kind::reading);
  Known known(impl_->state);
  return readable([&] {
    std::vector<LedgerEntry> entries;
    const auto newest = impl_->state.last();
    if (!newest) fail_damaged("it has no entries");
    const std::int64_t last = newest->sequence;
    const std::int64_t before =
        most < static_cast<std::uint64_t>(last) ? last - static_cast<std::int64_t>(most) : 0;
    for (std::int64_t sequence = before + 1; sequence <= last; ++sequence)
      entries.push_back(read(*impl_->state.entry(sequence), known));
    return entries;
  });
}

}  // namespace hushwalk
