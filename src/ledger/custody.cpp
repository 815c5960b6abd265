// The key of a ledger, and the head beside it: docs/ledger.md.
#include <algorithm>

#include "accounting/round_up.h"
#include "base/fail.h"
#include "base/keyed_hash.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"

namespace hushwalk {

using namespace ledger;

namespace ledger {

std::string UsedKey::content_tag(const Sha256& content) const {
  const Sha256 key = master->derive(terms.salt, "content 1");
  HmacSha256 tag(std::as_bytes(std::span(key)));
  tag.add(std::as_bytes(std::span(content)));
  return to_hex(tag.finish());
}

ReleaseKey UsedKey::release_key(const std::string& release_digest) const {
  const Sha256 key = master->derive(terms.salt, "release 1", release_digest);
  return ReleaseKey(std::as_bytes(std::span(key)));
}

std::string ranking_text(const std::string& answer, const NamedSeeds& seeds) {
  std::string text = answer;
  for (const auto& [name, weight] : seeds) text += fmt::format("\n{} {}", name, weight);
  return text;
}

std::string UsedKey::ranking_salt(const std::string& answer, const NamedSeeds& seeds) const {
  const Sha256 salt = master->derive(terms.salt, "ranking salt 1", sha256_hex(ranking_text(answer, seeds)));
  return to_hex(std::span(salt).first<16>());
}

std::string UsedKey::file_salt(const std::string& rankings) const {
  const Sha256 salt = master->derive(terms.salt, "file salt 1", rankings);
  return to_hex(std::span(salt).first<16>());
}

NotedHead head_of(State& state) {
  const EntryPointer last = state.last();
  const Terms terms = state.terms();
  const Spending total = state.account(total_account).spending;
  NotedHead::Sums sums{total.rdp, {}};
  if (terms.recipient) sums.seen = plus(state.greatest().spending, state.account(everybody).spending);
  return {terms.ledger_id, last->sequence, last->hash, total.units, sums};
}

std::optional<NotedHead> readable_head(const HeadFile& head) {
  try {
    return head.read();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace ledger

namespace {

[[noreturn]] void refuse_key(const Ledger::Impl& ledger) {
  refuse(for_custodian("the key is '{}', the ledger '{}'", ledger.key_path.string(), ledger.path.string()),
         "what is in the place of the key is not the key of the ledger");
}

}  // namespace

// A charge whose head was not noted, because the process or the disk stopped in between, is noted now:
// nothing is computed for it before.
UsedKey Ledger::Impl::use_key() {
  check_head();
  {
    const Transaction snapshot(database, Transaction::Kind::reading);
    note_head();
  }
  const KeyTerms key = state.key_terms();
  if (!master) master = std::make_shared<const MasterKey>(key_path);
  if (master->commitment(key.salt) != key.commitment) refuse_key(*this);
  return {master, key};
}

// The head is read first: by the time the ledger is looked at, it may only be ahead.
void Ledger::Impl::check_head() {
  const auto noted = head.read();
  if (!noted && !key_exists(key_path)) MasterKey missing(key_path);  // says where it looked
  if (!noted)
    fail(
        "'{}', which says how far the ledger was, is not there. Restore it with the key; if it is lost, verify the ledger with `accept_head`",
        head_path(key_path).string());
  if (noted->ledger_id != terms.ledger_id)
    refuse(for_custodian("the key is '{}', of the ledger {}, not {}", key_path.string(), noted->ledger_id,
                         terms.ledger_id),
           "the key belongs to another ledger");
  const std::int64_t last = state.last()->sequence;
  if (noted->sequence > last)
    refuse(
        for_custodian("'{}' has {} entries, and had {} with epsilon = {} spent", path.string(), last,
                      noted->sequence, decimal(noted->spent)),
        "the ledger is older than it was. An older copy was put back, whose budget would be spent a second time: restore the newest one");
  if (noted->sequence > 0 && state.hash_of(noted->sequence) != noted->hash)
    refuse(
        for_custodian("entry {} of '{}' had another hash", noted->sequence, path.string()),
        "the ledger is not the one it was. A copy that was used by itself, or a chain that was written anew, was put in its place");
}

void Ledger::Impl::note_content(const PublicFacts& graph, std::int64_t epoch, const std::string& content,
                                const std::string& at) {
  const auto noted = state.content(graph.graph_id, epoch);
  if (noted && *noted != content)
    refuse(
        "the content of the graph {} is not what it was when the ledger first saw it: what was charged for one graph is not computed on another. A new snapshot has an id of its own: import it, and declare it in the lineage",
        graph.graph_id);
  if (!noted)
    state.append(at, kind_content, {{"graph_id", graph.graph_id}, {"epoch", epoch}, {"content", content}});
}

// What was charged by an older version is of a graph whose content nobody has noted yet.
void Ledger::Impl::check_content(const PublicFacts& graph, std::int64_t epoch, const std::string& content) {
  if (state.content(graph.graph_id, epoch) == content) return;
  Transaction transaction(database, Transaction::Kind::writing);
  note_content(graph, epoch, content, now());
  commit(transaction);
}

NotedHead Ledger::Impl::last_head() { return head_of(state); }

void Ledger::Impl::note_head() { head.advance(last_head()); }

void Ledger::Impl::commit(Transaction& transaction) {
  const NotedHead last = last_head();
  transaction.commit();
  head.advance(last);
}

void Ledger::Impl::check_key() {
  const KeyTerms key = state.key_terms();
  if (MasterKey(key_path).commitment(key.salt) != key.commitment) refuse_key(*this);
}

namespace {

// What is known to be spent, and not in the accounts of a ledger.
struct Lost {
  Spending total, seen;
};

Spending minus(const Spending& after, const Spending& before) {
  return {std::max<Units>(after.units - before.units, 0),
          std::max(accounting::add_up(after.rdp, -before.rdp), 0.0)};
}

// A head that is ahead is taken for what became of this ledger. Else each went its own way, and what they
// have in common is not known: nothing, to be safe.
Lost lost_by(State& state, const Terms& terms, const NotedHead& noted) {
  const bool ahead = noted.sequence > state.last()->sequence;
  const auto counted = [&](const char* name) { return ahead ? state.account(name).spending : Spending{}; };
  const auto sums = noted.sums.value_or(NotedHead::Sums{0, {noted.spent, 0}});
  Lost lost{minus({noted.spent, sums.rdp}, counted(total_account)), {}};
  if (terms.recipient) lost.seen = minus(sums.seen, counted(everybody));
  if (noted.sums) return lost;
  lost.total = spending_of(lost.total.units, terms.total);
  if (terms.recipient) lost.seen = spending_of(lost.seen.units, *terms.recipient);
  return lost;
}

// Whether it had to be.
bool raise_to_hold(Budget& budget, const Spending& spending) {
  if (budget.holds(spending)) return false;
  budget.units = std::max(budget.units, computed_units_up(budget.epsilon(spending)));
  while (!budget.holds(spending)) ++budget.units;
  return true;
}

}  // namespace

// A limit that this passes was raised by an entry that is lost, too, or many small releases count as one now:
// it is raised to what is spent, so that certificates say no less. Nothing more fits until somebody extends
// it.
void Ledger::Impl::charge_lost(const NotedHead& noted) {
  Transaction transaction(database, Transaction::Kind::writing);
  terms = state.terms();
  const std::string source = lost_source + noted.hash;
  if (noted.ledger_id != terms.ledger_id || noted.sequence == 0 ||
      state.hash_of(noted.sequence) == noted.hash || state.source(source))
    return;
  const Lost lost = lost_by(state, terms, noted);
  if (lost.total.units == 0 && lost.seen.units == 0) return;
  const std::string at = std::max(time_text(clock()), state.last()->latest());
  bool raised = raise_to_hold(terms.total, plus(state.account(total_account).spending, lost.total));
  if (terms.recipient)
    raised |= raise_to_hold(*terms.recipient, plus(state.account(everybody).spending, lost.seen));
  if (raised)
    state.append(at, kind_extend,
                 {{"limits", limits_json(terms)},
                  {"reason", fmt::format("what a newer copy had charged by its entry {}", noted.sequence)}});
  Json body = {
      {"source", source},
      {"recipient", terms.recipient ? everybody : ""},
      {"release", {{"mechanism", "lost"}, {"epsilon", number(std::max(lost.total.units, lost.seen.units))}}},
      {"cost", {{"units", lost.total.units}, {"rdp", lost.total.rdp}, {"recipient_rdp", lost.seen.rdp}}}};
  if (terms.recipient) {
    body["cost"]["recipient_units"] = lost.seen.units;
    body["pays"] = true;
  }
  state.append(at, kind_charge, std::move(body));
  state.count({0, 1, 0});  // nothing of it is to be computed
  transaction.commit();
}

void Ledger::accept_head() {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    impl_->check_key();
    if (const auto noted = readable_head(impl_->head)) impl_->charge_lost(*noted);
    const Transaction snapshot(impl_->database, Transaction::Kind::reading);
    HeadFile::create(head_path(impl_->key_path), impl_->last_head());
  });
}

}  // namespace hushwalk
