// What a ledger says of itself, and the changes that its custodian makes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/units.h"
#include "base/fail.h"
#include "base/utf8.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"
#include "ledger/promise.h"

namespace hushwalk {

using namespace ledger;

std::string spent_text(double epsilon) {
  return std::isfinite(epsilon) ? accounting::decimal(accounting::written_units_up(epsilon)) : "inf";
}
std::string left_text(double epsilon) {
  return std::isfinite(epsilon) ? accounting::decimal(accounting::written_units_down(epsilon)) : "inf";
}

namespace {

constexpr std::uint64_t listed_unasked = 100;  // recipients
constexpr std::size_t listed_graphs = 10;      // the last snapshots

std::vector<LedgerAccount> recipients_of(Ledger::Impl& ledger, std::uint64_t most) {
  std::vector<LedgerAccount> accounts;
  const auto keep_greatest = [&] {
    std::ranges::stable_sort(accounts, std::greater(), &LedgerAccount::spent);
    accounts.resize(std::min<std::uint64_t>(accounts.size(), most));
  };
  ledger.state.each_recipient([&](const std::string& name) {
    if (name != everybody) accounts.push_back(ledger.account(name));
    if (accounts.size() / 2 > most) keep_greatest();
  });
  keep_greatest();
  return accounts;
}

LedgerPeriod period_now(Ledger::Impl& ledger, const PeriodAccount& last) {
  const Periods& periods = *ledger.terms.periods;
  const PeriodAccount now = at_time(last, periods, time_text(ledger.clock()));
  const Budget budget = periods.budget(now.index, ledger.terms.total);
  const Account account = periods.carry ? ledger.state.account(total_account) : now.account;
  return {now.index,
          periods.begin(now.index),
          periods.begin(now.index + 1),
          periods.days,
          periods.carry,
          {"", number(budget.units), budget.epsilon(account.spending), budget.left(account.spending),
           static_cast<std::uint64_t>(account.releases)}};
}

// Of a head that was read before the ledger, which may only be ahead of it.
std::string warning_of(Ledger::Impl& ledger, const std::optional<NotedHead>& noted) {
  if (!noted || noted->ledger_id != ledger.terms.ledger_id || noted->sequence == 0) return "";
  const std::int64_t last = ledger.state.last()->sequence;
  if (noted->sequence > last)
    return fmt::format(
        "this is an older copy: it ends with entry {}, and the head beside the key '{}' is entry {}, by which epsilon = {} was spent in all. Nothing is charged or answered by it",
        last, ledger.key_path.string(), noted->sequence, decimal(noted->spent));
  if (ledger.state.hash_of(noted->sequence) == noted->hash) return "";
  return fmt::format("this is not the ledger that was used with the key '{}': its entry {} had another hash",
                     ledger.key_path.string(), noted->sequence);
}

}  // namespace

LedgerState Ledger::state(std::optional<std::uint64_t> recipients) const {
  const std::scoped_lock lock(impl_->mutex);
  return readable([&] {
    Impl& ledger = *impl_;
    std::optional<NotedHead> noted;
    LedgerState state;
    try {
      noted = ledger.head.read();
    } catch (const Error& error) {
      state.warning = error.what();
    }
    const Transaction snapshot(ledger.database, Transaction::Kind::reading);
    ledger.terms = ledger.state.terms();
    if (state.warning.empty()) state.warning = warning_of(ledger, noted);
    state.ledger_id = ledger.terms.ledger_id;
    state.delta = ledger.terms.total.delta;
    if (state.delta) state.order = ledger.terms.total.order;
    state.total = ledger.account(total_account);
    state.graph_count = static_cast<std::uint64_t>(ledger.state.snapshots().count);
    state.graph_ids = ledger.state.last_graph_ids(listed_graphs);
    const Tally tally = ledger.state.tally();
    state.recipient_count = static_cast<std::uint64_t>(tally.recipients);
    if (recipients || state.recipient_count <= listed_unasked)
      state.recipients = recipients_of(ledger, recipients.value_or(listed_unasked));
    state.published = ledger.account(everybody);
    state.stored = static_cast<std::uint64_t>(tally.stored);
    state.unfinished =
        state.total.releases -
        std::min<std::uint64_t>(state.total.releases, static_cast<std::uint64_t>(tally.finished));
    if (const auto period = ledger.state.period()) state.period = period_now(ledger, *period);
    state.promise = promise_words(promise_of(ledger.terms));
    const EntryPointer last = ledger.state.last();
    state.entries = static_cast<std::uint64_t>(last->sequence);
    state.head = last->hash;
    state.updated = last->at;
    return state;
  });
}

bool Ledger::has_graph(const std::string& graph_id) const {
  const std::scoped_lock lock(impl_->mutex);
  return readable([&] {
    const Transaction snapshot(impl_->database, Transaction::Kind::reading);
    return impl_->state.knows_graph(graph_id);
  });
}

void Ledger::add_snapshot(const PublicFacts& graph) {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    Impl& ledger = *impl_;
    ledger.check_head();
    Transaction transaction(ledger.database, Transaction::Kind::writing);
    if (ledger.state.knows_graph(graph.graph_id))
      fail_usage("the graph {} belongs to the ledger '{}' already", graph.graph_id, ledger.path.string());
    ledger.state.append(ledger.now(), kind_snapshot, {{"graph_id", graph.graph_id}});
    ledger.commit(transaction);
  });
}

void Ledger::accept_clock() {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    impl_->check_head();
    Transaction transaction(impl_->database, Transaction::Kind::writing);
    impl_->state.append(time_text(impl_->clock()), kind_clock, Json::object());
    impl_->commit(transaction);
  });
}

namespace {

void raise(const char* name, Units* limit, const std::optional<Epsilon>& by) {
  if (!by) return;
  if (!limit) fail_usage("the ledger has no limit `{}` to raise", name);
  const Units more = written_units_down(by->value());
  if (more < 1) refuse("{} is less than the smallest unit, 1e-9", by->value());
  *limit = plus(*limit, more);
}

}  // namespace

void Ledger::extend(const Extension& extension) {
  if (extension.reason.empty() || !is_printable_utf8(extension.reason))
    fail_usage("say why a limit is raised: a `reason`, in printable text");
  if (!extension.epsilon && !extension.per_recipient && !extension.per_period)
    fail_usage("say which limit is raised, and by how much");
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    Impl& ledger = *impl_;
    ledger.check_head();
    Transaction transaction(ledger.database, Transaction::Kind::writing);
    Terms terms = ledger.state.terms();
    raise("epsilon", terms.total.limited ? &terms.total.units : nullptr, extension.epsilon);
    raise("per_recipient", terms.recipient ? &terms.recipient->units : nullptr, extension.per_recipient);
    raise("per_period", terms.periods ? &terms.periods->units : nullptr, extension.per_period);
    ledger.state.append(ledger.now(), kind_extend,
                        {{"limits", limits_json(terms)}, {"reason", extension.reason}});
    ledger.terms = terms;
    ledger.commit(transaction);
  });
}

}  // namespace hushwalk
