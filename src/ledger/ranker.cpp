// charge -> sync -> compute -> store -> show
#include <algorithm>
#include <map>
#include <utility>

#include "base/fail.h"
#include "base/sha256.h"
#include "ledger/charge.h"
#include "mechanism/certificate.h"

namespace hushwalk {

using namespace ledger;

namespace {

// Answers are computed and stored in portions of about 256 MB.
std::size_t portion_size(const Graph& graph) {
  constexpr std::uint64_t columns = 4;  // a score, up to two released numbers, and what is stored
  const std::uint64_t fit =
      (std::uint64_t{1} << 28) / (columns * sizeof(double) * std::max<std::uint64_t>(graph.nodes(), 1));
  return std::clamp<std::uint64_t>(fit, 1, 1024);
}

void store(Ledger::Impl& ledger, std::span<const Document> documents) {
  Transaction transaction(ledger.database, Transaction::Kind::writing);
  ledger.documents.store(ledger.now(), documents);
  transaction.commit();
}

Plan plan_of_text(const std::string& json) {
  try {
    return plan_of(parsed(json));
  } catch (const nlohmann::json::exception&) {
    fail_damaged();
  }
}

// A charge may be older than this program, which makes its plan anew.
void check_cost(Ledger::Impl& ledger, const Plan& plan, const Answer& answer) {
  if (ledger.known && ledger.known->text == answer.plan) return;  // charged by this program
  if (plan_document(plan).dump() == answer.plan) return;
  const Source now = cost_of(plan, privacy_cost(plan), ledger.terms),
               then = ledger.state.source(answer.source).value();
  if (now.total.units > then.total.units || now.total.rdp > then.total.rdp ||
      now.recipient.rdp > then.recipient.rdp)
    fail(
        "another version of the program charged this and would have added more noise; finish it with that "
        "version, or ask with other parameters");
}

// The artefact that the store holds; made now if there is none.
Bytes stored_artefact(Ledger::Impl& ledger, const Answer& answer, const Plan& plan, const Graph& graph,
                      const Progress& progress) {
  const std::string name = artefact_document(answer.source);
  if (auto found = ledger.documents.find(name)) return std::move(*found);
  check_cost(ledger, plan, answer);
  ReleaseRequest request{.mechanism = "shared", .scope = Scope::edge, .epsilon = Epsilon(plan.epsilon)};
  request.taper = plan.taper;
  const SharedArtefact artefact = SharedArtefact::make(make_plan(plan.graph, request), graph, progress,
                                                       {.ledger = ledger.terms.ledger_id});
  const Document document{name, artefact.bytes()};
  store(ledger, std::span(&document, 1));
  return ledger.documents.find(name).value();
}

using Scores = std::function<std::vector<PrivateScores>(std::span<const SeedVector>, const Progress&)>;

// Fresh scores by a plan for `count` rankings.
Scores scores_by(Ledger::Impl& ledger, const Plan& plan, std::uint64_t count, const Answer& answer,
                 const Graph& graph, const Progress& progress) {
  if (plan.mechanism == "shared") {
    const auto artefact = std::make_shared<const SharedArtefact>(
        SharedArtefact::parse(stored_artefact(ledger, answer, plan, graph, progress), "the stored artefact"));
    return [=](std::span<const SeedVector> seeds, const Progress&) {
      return artefact->answer(plan, graph, seeds);
    };
  }
  check_cost(ledger, plan, answer);
  Plan whole = plan;
  whole.rankings = count;
  const auto ranker = std::make_shared<PrivateRanker>(whole, graph, progress);
  return [=](std::span<const SeedVector> seeds, const Progress& each) { return ranker->answer(seeds, each); };
}

}  // namespace

struct LedgerRanker::Impl {
  Ledger::Impl& ledger;
  Charge charge;
  std::map<std::string, Plan> plans;  // by their JSON: what was charged says what is computed

  const Plan& plan_of_answer(const Answer& answer) {
    const auto [at, fresh] = plans.try_emplace(answer.plan);
    const auto& known = ledger.known;
    if (fresh) at->second = known && known->text == answer.plan ? known->plan : plan_of_text(answer.plan);
    return at->second;
  }

  void compute_missing(const Graph& graph, std::span<const SeedVector> seeds, const Progress& progress) {
    // Answers of one plan and one source are computed together.
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < charge.answers.size(); ++i) {
      const Answer& answer = charge.answers[i];
      if (answer.stored || ledger.documents.has(answer_document(answer.key))) continue;
      const bool shared = plan_of_answer(answer).mechanism == "shared";
      groups[{answer.plan, shared ? answer.source : ""}].push_back(i);
    }
    for (const auto& [group, members] : groups) compute(graph, seeds, members, progress);
  }

  void compute(const Graph& graph, std::span<const SeedVector> seeds, std::span<const std::size_t> members,
               const Progress& progress) {
    const Answer& first = charge.answers[members.front()];
    const Plan& plan = plan_of_answer(first);
    const auto& known = ledger.known;
    const std::string digest =
        known && known->text == first.plan ? known->digest : digest_of(plan_document(plan));
    const Scores scores = scores_by(ledger, plan, members.size(), first, graph, progress);
    const std::size_t portion = portion_size(graph);
    for (std::size_t done = 0; done < members.size(); done += portion) {
      const auto part = members.subspan(done, std::min(portion, members.size() - done));
      std::vector<SeedVector> part_seeds;
      for (const std::size_t i : part) part_seeds.push_back(seeds[i]);
      auto answers = scores(part_seeds, [&](std::string_view stage, double fraction) {
        if (progress)
          progress(stage, (static_cast<double>(done) + fraction * static_cast<double>(part.size())) /
                              static_cast<double>(members.size()));
      });
      std::vector<Document> documents;
      for (std::size_t i = 0; i < part.size(); ++i)
        documents.push_back(
            {answer_document(charge.answers[part[i]].key), encode({digest, std::move(answers[i])})});
      store(ledger, documents);
    }
  }

  // Calls `read` with a stored answer.
  template <class Read>
  void read_stored(std::size_t ranking, Read read) const {
    if (!ledger.documents.read(answer_document(charge.answers.at(ranking).key), read))
      fail("the ledger '{}' has lost an answer; run: hushwalk ledger verify", ledger.path.string());
  }

  std::optional<Json> stored_json(const std::string& name) const {
    const auto bytes = ledger.documents.find(name);
    if (!bytes) return std::nullopt;
    return parsed({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  }

  // For all answers of this request; what the store holds afterwards.
  Json store_certificate(const std::string& name, const std::string& digest, CertificateContext context) {
    const Answer& first = charge.answers.front();
    Plan plan = plan_of_answer(first);
    if (digest_of(plan_document(plan)) != digest)
      fail(
          "these answers were made by another version, which certified them for other numbers of rankings "
          "only; ask for one at a time");
    plan.rankings = charge.answers.size();
    context.ledger = ledger.terms.ledger_id;
    context.artefact = artefact_id(first);
    const std::string content =
        Json{{"certificate", certificate_document(plan, context)}, {"text", certificate_text(plan, context)}}
            .dump();
    const auto bytes = std::as_bytes(std::span(content));
    const Document document{name, {bytes.begin(), bytes.end()}};
    store(ledger, std::span(&document, 1));
    return stored_json(name).value();
  }

  // Certificates of format 1 on one artefact for everybody promised too much; they are made anew.
  bool outdated(const Json& certificate) const {
    return certificate.at("format") == 1 && promises_too_much(certificate, plan_of(certificate));
  }

  std::string artefact_id(const Answer& answer) const {
    const auto bytes = ledger.documents.find(artefact_document(answer.source));
    return bytes ? SharedArtefact::parse(*bytes, "the stored artefact").context().artefact : "";
  }

  std::string plan_digest(std::size_t ranking) const {
    std::string digest;
    read_stored(ranking, [&](std::span<const std::byte> bytes) { digest = plan_digest_of(bytes); });
    return digest;
  }
};

LedgerRanker::LedgerRanker(Ledger& ledger, const Graph& graph, const LedgerRequest& request,
                           const Progress& progress)
    : impl_(new Impl{ledger.impl(), {}, {}}) {
  if (request.seeds.empty()) fail_usage("say whose ranking you want");
  impl_->charge = ledger::charge(ledger.impl(), graph, request, Commit::yes);
  impl_->compute_missing(graph, request.seeds, progress);
}

LedgerRanker::~LedgerRanker() = default;

const LedgerQuote& LedgerRanker::charged() const noexcept { return impl_->charge.quote; }

PrivateScores LedgerRanker::answer(std::size_t ranking) const {
  if (impl_->charge.only_scores && ranking == 0)
    return *std::exchange(impl_->charge.only_scores, std::nullopt);
  PrivateScores scores;
  impl_->read_stored(ranking, [&](std::span<const std::byte> bytes) { scores = decode(bytes).scores; });
  return scores;
}

LedgerRanker::Certificate LedgerRanker::certificate(const CertificateContext& context) const {
  const std::size_t rankings = impl_->charge.answers.size();
  const std::string digest = impl_->plan_digest(0);
  for (std::size_t i = 1; i < rankings; ++i)
    if (impl_->plan_digest(i) != digest)
      fail_usage(
          "these answers were made by different plans and have no common certificate; ask for one at a time");
  std::string name = certificate_document_name(digest, rankings, context.public_candidates);
  std::optional<Json> stored = impl_->stored_json(name);
  if (stored && impl_->outdated(stored->at("certificate"))) stored = impl_->stored_json(name += " format 2");
  if (!stored) stored = impl_->store_certificate(name, digest, context);
  return {stored->at("certificate").dump(2), stored->at("text")};
}

LedgerArtefact share(Ledger& ledger, const Graph& graph, const LedgerRequest& request,
                     const Progress& progress) {
  LedgerRequest artefact = request;
  artefact.seeds.clear();
  artefact.release.mechanism = "shared";
  artefact.release.scope = Scope::edge;
  const Charge charge = ledger::charge(ledger.impl(), graph, artefact, Commit::yes);
  const Answer& answer = charge.answers.front();
  return {charge.quote, stored_artefact(ledger.impl(), answer, plan_of_text(answer.plan), graph, progress)};
}

void check_charged(const Ledger& ledger, const PublicFacts& graph, const SharedArtefact& artefact) {
  if (artefact.plan().graph.graph_id != graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", artefact.plan().graph.graph_id,
           graph.graph_id);
  const auto found = ledger.impl().documents.find(artefact_document(source_key(artefact.plan(), {})));
  // Numbers alone do: the certificate around them may be of another version.
  if (!found || !(SharedArtefact::parse(*found, "the stored artefact") == artefact))
    refuse(
        "the ledger '{}' did not charge this artefact; make it with: hushwalk share G --epsilon E --ledger L "
        "-o S",
        ledger.impl().path.string());
}

}  // namespace hushwalk
