// What was charged is computed, a tag of it is stored or compared, and only then it is shown.
#include "ledger/compute.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/keyed_hash.h"
#include "hushwalk/version.h"
#include "ledger/damage.h"
#include "ledger/promise.h"
#include "mechanism/mechanism.h"
#include "plan/certificate.h"
#include "plan/planner.h"

namespace hushwalk {

using namespace ledger;

void LedgerCharge::Impl::check_charged_by(const Ledger::Impl& ledger) const {
  if (ledger_id != ledger.id) fail_usage("another ledger charged this ({}, not {})", ledger_id, ledger.id);
}

void LedgerCharge::Impl::check_charged_for(const Graph& other) const {
  if (other.facts() != graph)
    fail_usage("this was charged for another graph (id {}, not {})", graph.graph_id, other.facts().graph_id);
}

bool LedgerCharge::Impl::made_now(const ChargedPlan& plan) const {
  return charge.known && charge.known->digest == plan.digest;
}

const Plan& LedgerCharge::Impl::plan_of(const ChargedPlan& plan) const {
  if (made_now(plan)) return charge.known->plan;
  const std::scoped_lock lock(plans_mutex);
  const auto found = plans.find(plan.digest);
  if (found != plans.end()) return found->second;
  return plans.emplace(plan.digest, readable([&] { return written_plan(plan.document); })).first->second;
}

namespace ledger {

namespace {

// Older versions drew noise that cannot be drawn again. Entries are found by an index; before anything is
// computed for what they charged and did not finish, all of them are looked at.
void check_never_stored(Ledger::Impl& ledger, const std::set<std::string>& names) {
  ledger.state.each([&](const Entry& entry) {
    if (entry.kind == kind_store && names.contains(entry.body.at("document")))
      fail_damaged("what was released ({}) is not found", entry.body.at("document").get<std::string>());
  });
}

[[noreturn]] void fail_cheaper() {
  fail(
      "another version of the program charged this and would have added more noise; finish it with that version, or ask with other parameters");
}

// Error when it was charged for less.
void check_paid(const Drawn& then, const Drawn& now) {
  if (now.total.units > then.total.units || now.total.rdp > then.total.rdp ||
      now.recipient.rdp > then.recipient.rdp)
    fail_cheaper();
}

// What a plan costs by all that this program knows, which may be newer than the one that made it.
Drawn cost_now(Ledger::Impl& ledger, const Plan& plan) {
  const Plan anew = make_plan(plan.graph, plan.parameters);
  if (anew.noise.size() != plan.noise.size()) fail_cheaper();
  constexpr double another_logarithm = 1 - 1e-9;
  for (std::size_t i = 0; i < plan.noise.size(); ++i)
    if (plan.noise[i].lattice_scale < another_logarithm * anew.noise[i].lattice_scale) fail_cheaper();
  return cost_of(anew, find_planner(anew.parameters.mechanism).cost(anew), ledger.state.terms());
}

}  // namespace

void check_arithmetic(const ChargedPlan& charged, const Plan& plan) {
  const int now = find_planner(plan.parameters.mechanism).release_arithmetic(plan);
  if (charged.arithmetic != now)
    refuse(
        "this was released by version {} of release arithmetic, and this program computes by version {}: other numbers with the same noise would tell their difference. Ask with a program of that version",
        charged.arithmetic, now);
}

void check_charged_enough(Ledger::Impl& ledger, const Drawn& charged, const Plan& plan) {
  check_paid(charged, cost_now(ledger, plan));
}

namespace {

// Computes what is asked of a charge.
class Computing {
 public:
  Computing(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Graph& graph,
            const Progress& progress)
      : ledger_(ledger), charge_(charge), graph_(graph), progress_(progress) {}

  std::vector<LedgerAnswer> run(std::size_t first, std::size_t count) {
    std::vector<LedgerAnswer> result;
    each_group(first, count, [&](std::size_t begin, std::size_t end) {
      for (LedgerAnswer& answer : computed(begin, end)) result.push_back(std::move(answer));
    });
    return result;
  }

  std::vector<Ranking> list(std::size_t first, std::size_t count, const Listing& listing) {
    std::vector<Ranking> result;
    each_group(first, count, [&](std::size_t begin, std::size_t end) {
      if (!old_.contains(begin) && charge_.plan_of(*answers()[begin].plan).artefact == Artefact::numbers)
        return list_from_artefact(begin, end, listing, result);
      for (LedgerAnswer& answer : computed(begin, end)) {
        const SeedVector& seed = charge_.request.seeds[first + result.size()];
        result.push_back({seed, listed_nodes(graph_, seed, answer.scores, listing), std::move(answer.salt),
                          answer.estimated_anew});
      }
    });
    for (Ranking& ranking : result)
      if (!ranking.salt.empty()) ranking.file_salt = file_salt();
    return result;
  }

 private:
  // Answers of one plan are computed together.
  template <class Visit>
  void each_group(std::size_t first, std::size_t count, const Visit& visit) {
    if (first > answers().size() || count > answers().size() - first)
      fail_usage("{} rankings were charged", answers().size());
    look_up(first, count);
    for (std::size_t begin = first, end = first; begin < first + count; begin = end) {
      ++end;
      while (end < first + count && answers()[end].plan == answers()[begin].plan &&
             old_.contains(end) == old_.contains(begin))
        ++end;
      visit(begin, end);
    }
  }

  void list_from_artefact(std::size_t begin, std::size_t end, const Listing& listing,
                          std::vector<Ranking>& result) {
    const auto seeds = std::span(charge_.request.seeds).subspan(begin, end - begin);
    const auto artefact = stored_artefact(ledger_, charge_, answers()[begin], graph_, progress_);
    std::vector<std::vector<RankedNode>> nodes = listed_answers(*artefact, begin, listing)->best(seeds);
    const bool anew = estimated_anew(*artefact);
    for (std::size_t i = 0; i < seeds.size(); ++i)
      result.push_back({seeds[i], std::move(nodes[i]), salt(begin + i), anew});
  }

  // Who had which answer from it, and by which version, is not kept: it may have been the one that made it.
  static bool estimated_anew(const SharedArtefact& artefact) {
    return artefact.software_version() != version();
  }

  std::shared_ptr<const ArtefactAnswers> listed_answers(const SharedArtefact& artefact, std::size_t begin,
                                                        const Listing& listing) {
    const Answer& answer = answers()[begin];
    const std::scoped_lock lock(charge_.mutex);
    auto& kept = charge_.listed;
    if (!kept || kept->plan != answer.plan.get() || kept->listing != listing)
      kept = {answer.plan.get(), listing, artefact.list(charge_.plan_of(*answer.plan), graph_, listing)};
    return kept->answers;
  }

  const std::vector<Answer>& answers() const { return charge_.charge.answers; }

  // One snapshot: between two, another process may store what the first did not find.
  void look_up(std::size_t first, std::size_t count) {
    const std::scoped_lock lock(ledger_.mutex);
    key_.emplace(ledger_.use_key());
    if (key_->terms.salt != charge_.salt) fail("a new epoch of the ledger has begun since this was charged");
    const Transaction snapshot(ledger_.database, Transaction::Kind::reading);
    std::set<std::string> unfinished;
    for (std::size_t i = first; i < first + count; ++i) {
      const Answer& answer = answers()[i];
      const bool has_tag = ledger_.state.released(answer.key).has_value();
      if (!answer.old || has_tag) continue;
      StoredAnswer stored;
      if (ledger_.documents.read(answer_document(answer.key), [&](std::span<const std::byte> bytes) {
            stored = decode(bytes, charge_.graph.nodes);
          }))
        old_.emplace(i, std::move(stored.scores));
      else if (charge_.plan_of(*answer.plan).artefact != Artefact::numbers)
        unfinished.insert(answer_document(answer.key));
    }
    if (!unfinished.empty()) check_never_stored(ledger_, unfinished);
  }

  std::vector<LedgerAnswer> computed(std::size_t begin, std::size_t end) {
    if (old_.contains(begin)) {
      std::vector<LedgerAnswer> result;
      for (std::size_t i = begin; i < end; ++i) result.push_back({std::move(old_.at(i)), "", false});
      return result;
    }
    const Plan& plan = charge_.plan_of(*answers()[begin].plan);
    const auto seeds = std::span(charge_.request.seeds).subspan(begin, end - begin);
    return plan.artefact == Artefact::numbers ? from_artefact(plan, seeds, begin)
                                              : released(plan, seeds, begin);
  }

  std::vector<LedgerAnswer> from_artefact(const Plan& plan, std::span<const SeedVector> seeds,
                                          std::size_t begin) {
    const auto artefact = stored_artefact(ledger_, charge_, answers()[begin], graph_, progress_);
    const bool anew = estimated_anew(*artefact);
    std::vector<LedgerAnswer> result;
    for (PrivateScores& scores : artefact->answer(plan, graph_, seeds))
      result.push_back({std::move(scores), salt(begin + result.size()), anew});
    return result;
  }

  NamedSeeds seeds_of(std::size_t i) const { return named(charge_.request.seeds[i], graph_.node_list()); }
  std::string salt(std::size_t i) const { return key_->ranking_salt(answers()[i].key, seeds_of(i)); }

  std::string file_salt() const {
    const std::scoped_lock lock(charge_.mutex);
    if (!charge_.file_salt.empty()) return charge_.file_salt;
    Sha256Stream rankings;
    for (std::size_t i = 0; i < answers().size(); ++i)
      rankings.add(ranking_text(answers()[i].key, seeds_of(i)) + "\n\n");
    return charge_.file_salt = key_->file_salt(rankings.hex());
  }

  std::vector<LedgerAnswer> released(const Plan& plan, std::span<const SeedVector> seeds, std::size_t begin) {
    check_arithmetic(*answers()[begin].plan, plan);
    check_unfinished(plan, begin, seeds.size());
    auto computed = release_by(plan, begin)->answer(seeds, begin, progress_);
    return shown(computed, begin);
  }

  // A charge that was not finished may be older than this program.
  void check_unfinished(const Plan& plan, std::size_t begin, std::size_t count) {
    const std::scoped_lock lock(ledger_.mutex);
    const Transaction snapshot(ledger_.database, Transaction::Kind::reading);
    std::optional<Drawn> now;
    for (const Answer& answer : std::span(answers()).subspan(begin, count)) {
      if (ledger_.state.released(answer.key)) continue;
      if (!now) now = charge_.made_now(*answer.plan) ? charge_.charge.known->drawn : cost_now(ledger_, plan);
      check_paid(ledger_.state.source(answer.source).value(), *now);
    }
  }

  // By the plan as it was charged, each answer under a key of its own.
  std::shared_ptr<KeyedRelease> release_by(const Plan& plan, std::size_t begin) {
    const ChargedPlan& as_charged = *answers()[begin].plan;
    const std::scoped_lock lock(charge_.mutex);
    auto& release = charge_.releases[&as_charged];
    if (release) return release;
    const auto key = [plan, arithmetic = as_charged.arithmetic, used = *key_, &charge = charge_,
                      nodes = graph_.node_list()](std::uint64_t number) {
      return used.release_key(
          release_digest(plan, named(charge.request.seeds.at(number), nodes), charge.content, arithmetic));
    };
    return release = std::make_shared<KeyedRelease>(graph_, plan, key, progress_);
  }

  // Stores tags of what is new, and shows nothing whose tag is not that of the first time.
  std::vector<LedgerAnswer> shown(std::vector<KeyedRelease::Answer>& computed, std::size_t begin) {
    const std::scoped_lock lock(ledger_.mutex);
    store_tags(computed, begin);
    std::vector<LedgerAnswer> result;
    for (std::size_t i = 0; i < computed.size(); ++i) {
      const Released kept = ledger_.state.released(answers()[begin + i].key).value();
      if (!same_secret(kept.tag, std::as_bytes(std::span(computed[i].tag)))) refuse_difference();
      result.push_back({std::move(computed[i].scores), salt(begin + i), kept.software != version()});
    }
    return result;
  }

  void store_tags(const std::vector<KeyedRelease::Answer>& computed, std::size_t begin) {
    const auto missing = [&](std::size_t i) { return !ledger_.state.released(answers()[begin + i].key); };
    bool any = false;
    for (std::size_t i = 0; i < computed.size() && !any; ++i) any = missing(i);
    if (!any) return;
    Transaction transaction(ledger_.database, Transaction::Kind::writing);
    for (std::size_t i = 0; i < computed.size(); ++i) {
      const auto tag = std::as_bytes(std::span(computed[i].tag));
      if (missing(i))
        ledger_.state.add_released(answers()[begin + i].key, {{tag.begin(), tag.end()}, version()});
    }
    transaction.commit();
  }

  [[noreturn]] static void refuse_difference() {
    refuse(
        "computed again, this answer is not the one that was released: the program, the machine or a file is not what it was. Nothing is shown, because two answers with the same noise tell their difference");
  }

  Ledger::Impl& ledger_;
  const LedgerCharge::Impl& charge_;
  const Graph& graph_;
  const Progress& progress_;
  std::optional<UsedKey> key_;
  std::map<std::size_t, PrivateScores> old_;  // as older versions stored them
};

}  // namespace

namespace {

std::optional<Bytes> find_artefact(Ledger::Impl& ledger, const std::string& name) {
  const std::scoped_lock lock(ledger.mutex);
  const Transaction snapshot(ledger.database, Transaction::Kind::reading);
  return ledger.documents.find(name);
}

// Nothing in it tells who asked first, and for which diffusion.
Plan artefact_plan(const Plan& plan) {
  ReleaseParameters request = plan.parameters;
  request.scope = Scope::edge;
  request.delta.reset();
  request.diffusion = Diffusion::ppr();
  request.rankings = request.seeds_per_ranking = 1;
  return request == plan.parameters ? plan : make_plan(plan.graph, request);
}

// By the plan that the source was drawn by, whoever asked for it first; other answers may have been charged
// for it since, by other plans.
SharedArtefact new_artefact(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Answer& answer,
                            const Graph& graph, const Progress& progress) {
  std::unique_lock lock(ledger.mutex);
  const UsedKey used = ledger.use_key();
  std::optional<Transaction> snapshot(std::in_place, ledger.database, Transaction::Kind::reading);
  const auto drawn = ledger.state.plan_of_source(answer.source);
  const ChargedPlan& as_charged = drawn ? *drawn : *answer.plan;
  const Plan plan = artefact_plan(charge.plan_of(as_charged));
  check_arithmetic(as_charged, plan);
  if (answer.old) check_never_stored(ledger, {artefact_document(answer.source)});
  check_paid(ledger.state.source(answer.source).value(),
             charge.made_now(as_charged) ? charge.charge.known->drawn : cost_now(ledger, plan));
  snapshot.reset();
  ReleaseKey key = used.release_key(release_digest(plan, {}, charge.content, as_charged.arithmetic));
  lock.unlock();
  return keyed_artefact(graph, plan, {.ledger = ledger.id}, std::move(key), progress);
}

}  // namespace

std::shared_ptr<const SharedArtefact> stored_artefact(Ledger::Impl& ledger, const LedgerCharge::Impl& charge,
                                                      const Answer& answer, const Graph& graph,
                                                      const Progress& progress) {
  const std::scoped_lock once(charge.mutex);
  if (charge.artefact) return charge.artefact;
  const std::string name = artefact_document(answer.source);
  std::optional<SharedArtefact> made;
  auto bytes = find_artefact(ledger, name);
  if (!bytes) {
    made = new_artefact(ledger, charge, answer, graph, progress);
    const Document document{name, made->bytes()};
    {
      const std::scoped_lock lock(ledger.mutex);
      Transaction transaction(ledger.database, Transaction::Kind::writing);
      ledger.documents.store(ledger.now(), std::span(&document, 1));
      ledger.commit(transaction);
    }
    bytes = find_artefact(ledger, name).value();  // somebody else may have been quicker
    if (*bytes != document.content) made.reset();
  }
  charge.artefact =
      made ? std::make_shared<const SharedArtefact>(std::move(*made)) : ledger.parsed_artefacts.parse(*bytes);
  return charge.artefact;
}

std::shared_ptr<const SharedArtefact> ParsedArtefacts::parse(const std::vector<std::byte>& bytes) {
  const std::scoped_lock lock(mutex_);
  if (!last_ || bytes_ != bytes)
    keep(bytes, std::make_shared<const SharedArtefact>(SharedArtefact::parse(bytes, stored_artefact_name)));
  return last_;
}

bool ParsedArtefacts::is(const std::vector<std::byte>& bytes, const SharedArtefact& artefact) {
  if (artefact.bytes() != bytes)
    return *parse(bytes) == artefact;  // the certificate may be of another version
  const std::scoped_lock lock(mutex_);
  if (!last_ || bytes_ != bytes) keep(bytes, std::make_shared<const SharedArtefact>(artefact));
  return true;
}

void ParsedArtefacts::keep(const std::vector<std::byte>& bytes,
                           std::shared_ptr<const SharedArtefact> artefact) {
  bytes_ = bytes;
  last_ = std::move(artefact);
}

}  // namespace ledger

void Ledger::check_answerable(const LedgerCharge& charge, const Graph& graph) const {
  charge.impl_->check_charged_by(*impl_);
  charge.impl_->check_charged_for(graph);
  if (charge.impl_->request.seeds.empty()) fail_usage("an artefact was charged, not a ranking");
}

std::vector<LedgerAnswer> Ledger::answers(const LedgerCharge& charge, const Graph& graph, std::size_t first,
                                          std::size_t count, const Progress& progress) {
  check_answerable(charge, graph);
  return readable([&] { return Computing(*impl_, *charge.impl_, graph, progress).run(first, count); });
}

std::vector<Ranking> Ledger::rankings(const LedgerCharge& charge, const Graph& graph, std::size_t first,
                                      std::size_t count, const Listing& listing, const Progress& progress) {
  check_answerable(charge, graph);
  return readable(
      [&] { return Computing(*impl_, *charge.impl_, graph, progress).list(first, count, listing); });
}

SharedArtefact Ledger::artefact(const LedgerCharge& charge, const Graph& graph, const SigningKey* key,
                                const Progress& progress) {
  charge.impl_->check_charged_by(*impl_);
  charge.impl_->check_charged_for(graph);
  if (!charge.impl_->request.seeds.empty()) fail_usage("rankings were charged, not an artefact");
  return readable([&] {
    const Answer& answer = charge.impl_->charge.answers.front();
    const auto artefact = stored_artefact(*impl_, *charge.impl_, answer, graph, progress);
    if (!key && answer.old) return *artefact;  // as it was first shown
    const std::scoped_lock lock(impl_->mutex);
    const LedgerPromise promise = [&] {
      const Transaction snapshot(impl_->database, Transaction::Kind::reading);
      return promise_of(impl_->state.terms());
    }();
    const SharedArtefact named = artefact->named_for(charge.impl_->audience, promise);
    return key ? named.signed_by(*key, impl_->use_key().ranking_salt(answer.source, {})) : named;
  });
}

void Ledger::check_charged(const PublicFacts& graph, const SharedArtefact& artefact) const {
  if (artefact.plan().graph.graph_id != graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", artefact.plan().graph.graph_id,
           graph.graph_id);
  const auto found = readable([&]() -> std::optional<Bytes> {
    const std::scoped_lock lock(impl_->mutex);
    const Transaction snapshot(impl_->database, Transaction::Kind::reading);
    const auto source = impl_->state.source(artefact_key(artefact.plan(), impl_->state.key_terms().epoch));
    return source ? impl_->documents.find(artefact_document(source->key)) : std::nullopt;
  });
  if (!found || !impl_->parsed_artefacts.is(*found, artefact))
    refuse(for_custodian("the ledger is '{}'", impl_->path.string()),
           "the ledger did not charge this artefact; share one under this `ledger`");
}

}  // namespace hushwalk
