// What was charged is computed, stored, and only then shown.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/fail.h"
#include "ledger/charge.h"
#include "ledger/compute.h"
#include "ledger/damage.h"
#include "mechanism/portions.h"
#include "plan/certificate.h"

namespace hushwalk {

using namespace ledger;

Plan LedgerCharge::Impl::plan_of(const Answer& answer) const {
  const auto& known = charge.known;
  if (known && known->text == answer.plan) return known->plan;
  return readable([&] { return hushwalk::plan_of(Json::parse(answer.plan)); });
}

namespace ledger {
namespace {

// Nothing was drawn yet for what an earlier command was charged for and did not finish. Entries are found by
// an index; before noise is drawn at no charge, all of them are looked at.
void check_never_stored(Ledger::Impl& ledger, const std::set<std::string>& names) {
  ledger.state.each([&](const Entry& entry) {
    if (entry.kind == kind_store && names.contains(entry.body.at("document")))
      fail_damaged("what was released ({}) is not found", entry.body.at("document").get<std::string>());
  });
}

// A charge may be older than this program, which makes its plan anew.
void check_cost(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Plan& plan,
                const Answer& answer) {
  if (charge.charge.known && charge.charge.known->text == answer.plan) return;  // charged by this program
  if (plan_document(plan).dump() == answer.plan) return;
  const Drawn now = cost_of(plan, privacy_cost(plan), ledger.terms),
              then = ledger.state.source(answer.source).value();
  if (now.total.units > then.total.units || now.total.rdp > then.total.rdp ||
      now.recipient.rdp > then.recipient.rdp)
    fail(
        "another version of the program charged this and would have added more noise; finish it with that version, or ask with other parameters");
}

using Scores = std::function<std::vector<PrivateScores>(std::span<const SeedVector>, const Progress&)>;

// Computes what is missing of a charge.
class Computing {
 public:
  Computing(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Graph& graph,
            const Progress& progress)
      : ledger_(ledger), charge_(charge), graph_(graph), progress_(progress) {}

  void run() {
    for (const auto& [group, members] : missing()) compute(members);
  }

 private:
  // Answers of one plan and one artefact are computed together.
  using Groups = std::map<std::pair<std::string, std::string>, std::vector<std::size_t>>;

  // One snapshot: between two, another process may store what the first did not find.
  Groups missing() {
    const std::scoped_lock lock(ledger_.mutex);
    const Transaction snapshot(ledger_.database, Transaction::Kind::reading);
    Groups groups;
    std::set<std::string> unfinished;
    const std::vector<Answer>& answers = charge_.charge.answers;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::string document = answer_document(answers[i].key);
      if (answers[i].stored || ledger_.documents.has(document)) continue;
      const bool from_artefact = charge_.plan_of(answers[i]).artefact == Artefact::numbers;
      groups[{answers[i].plan, from_artefact ? answers[i].source : ""}].push_back(i);
      if (!answers[i].fresh && !from_artefact) unfinished.insert(document);
    }
    if (!unfinished.empty()) check_never_stored(ledger_, unfinished);
    return groups;
  }

  void compute(std::span<const std::size_t> members) {
    const Answer& first = charge_.charge.answers[members.front()];
    const Plan plan = charge_.plan_of(first);
    const auto& known = charge_.charge.known;
    const std::string digest =
        known && known->text == first.plan ? known->digest : digest_of(plan_document(plan));
    const Scores scores = scores_by(plan, members.size(), first);
    constexpr std::uint64_t columns = 4;  // a score, up to two released numbers, and what is stored
    const std::size_t portion = portion_size(graph_.nodes(), columns);
    for (std::size_t done = 0; done < members.size(); done += portion) {
      const auto part = members.subspan(done, std::min(portion, members.size() - done));
      std::vector<SeedVector> seeds;
      for (const std::size_t i : part) seeds.push_back(charge_.request.seeds[i]);
      auto answers = scores(seeds, part_of(progress_, done, part.size(), members.size()));
      std::vector<Document> documents;
      for (std::size_t i = 0; i < part.size(); ++i)
        documents.push_back(
            {answer_document(charge_.charge.answers[part[i]].key), encode({digest, std::move(answers[i])})});
      store(ledger_, documents);
    }
  }

  // Fresh scores by a plan for `count` rankings.
  Scores scores_by(const Plan& plan, std::uint64_t count, const Answer& answer) {
    if (plan.artefact == Artefact::numbers) {
      const auto artefact = std::make_shared<const SharedArtefact>(
          SharedArtefact::parse(stored_artefact(ledger_, charge_, answer, graph_), stored_artefact_name));
      return [=, this](std::span<const SeedVector> seeds, const Progress&) {
        return artefact->answer(plan, graph_, seeds);
      };
    }
    {
      const std::scoped_lock lock(ledger_.mutex);
      check_cost(ledger_, charge_, plan, answer);
    }
    ReleaseParameters all = plan.parameters;
    all.rankings = count;
    const auto ranker = std::make_shared<PrivateRanker>(graph_, all, progress_);
    return
        [=](std::span<const SeedVector> seeds, const Progress& each) { return ranker->answer(seeds, each); };
  }

  Ledger::Impl& ledger_;
  const LedgerCharge::Impl& charge_;
  const Graph& graph_;
  const Progress& progress_;
};

}  // namespace

void store(Ledger::Impl& ledger, std::span<const Document> documents) {
  const std::scoped_lock lock(ledger.mutex);
  Transaction transaction(ledger.database, Transaction::Kind::writing);
  ledger.documents.store(ledger.now(), documents);
  transaction.commit();
}

Bytes stored_artefact(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Answer& answer,
                      const Graph& graph) {
  const std::string name = artefact_document(answer.source);
  const Plan plan = charge.plan_of(answer);
  const auto find = [&] {
    const std::scoped_lock lock(ledger.mutex);
    const Transaction snapshot(ledger.database, Transaction::Kind::reading);
    auto found = ledger.documents.find(name);
    if (found) return found;
    if (!answer.fresh) check_never_stored(ledger, {name});
    check_cost(ledger, charge, plan, answer);
    return found;
  };
  if (auto found = find()) return std::move(*found);
  // Nothing in it tells who asked first, and for which diffusion.
  const ReleaseParameters request{.mechanism = plan.parameters.mechanism,
                                  .scope = Scope::edge,
                                  .epsilon = plan.parameters.epsilon,
                                  .taper = plan.parameters.taper};
  const SharedArtefact artefact = SharedArtefact::make(graph, request, {.ledger = ledger.terms.ledger_id});
  const Document document{name, artefact.bytes()};
  store(ledger, std::span(&document, 1));
  const std::scoped_lock lock(ledger.mutex);
  return ledger.documents.find(name).value();  // somebody else may have been quicker
}

}  // namespace ledger

void Ledger::compute(const LedgerCharge& charge, const Graph& graph, const Progress& progress) {
  charge.impl_->check_charged_by(*impl_);
  charge.impl_->check_charged_for(graph);
  if (charge.impl_->request.seeds.empty()) fail_usage("an artefact was charged, not a ranking");
  readable([&] { Computing(*impl_, *charge.impl_, graph, progress).run(); });
}

PrivateScores Ledger::answer(const LedgerCharge& charge, std::size_t ranking) const {
  charge.impl_->check_charged_by(*impl_);
  const Charge& charged = charge.impl_->charge;
  if (charged.only_scores && ranking == 0) return *charged.only_scores;
  const std::scoped_lock lock(impl_->mutex);
  PrivateScores scores;
  const bool found = readable([&] {
    return impl_->documents.read(
        answer_document(charged.answers.at(ranking).key),
        [&](std::span<const std::byte> bytes) { scores = decode(bytes, charge.impl_->graph.nodes).scores; });
  });
  if (!found) fail("ranking {} was charged and not computed yet", ranking);
  return scores;
}

SharedArtefact Ledger::artefact(const LedgerCharge& charge, const Graph& graph) {
  charge.impl_->check_charged_by(*impl_);
  charge.impl_->check_charged_for(graph);
  if (!charge.impl_->request.seeds.empty()) fail_usage("rankings were charged, not an artefact");
  return readable([&] {
    const SharedArtefact artefact = SharedArtefact::parse(
        stored_artefact(*impl_, *charge.impl_, charge.impl_->charge.answers.front(), graph),
        stored_artefact_name);
    return charge.impl_->audience.empty() ? artefact : artefact.named_for(charge.impl_->audience);
  });
}

void Ledger::check_charged(const PublicFacts& graph, const SharedArtefact& artefact) const {
  if (artefact.plan().graph.graph_id != graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", artefact.plan().graph.graph_id,
           graph.graph_id);
  const std::scoped_lock lock(impl_->mutex);
  const auto found =
      readable([&] { return impl_->documents.find(artefact_document(source_key(artefact.plan(), {}))); });
  // Numbers alone do: the certificate around them may be of another version.
  if (!found || !(SharedArtefact::parse(*found, stored_artefact_name) == artefact))
    refuse("the ledger '{}' did not charge this artefact; share one under this `ledger`",
           impl_->path.string());
}

}  // namespace hushwalk
