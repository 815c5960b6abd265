// charge -> sync -> compute -> store -> show
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/fail.h"
#include "base/sha256.h"
#include "ledger/charge.h"
#include "ledger/damage.h"
#include "mechanism/certificate.h"

namespace hushwalk {

using namespace ledger;

namespace {

constexpr const char* stored_name = "the stored artefact";  // in messages

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
  return readable([&] { return plan_of(Json::parse(json)); });
}

// Who the certificate of all these answers names. What version 1 showed, which named nobody, is shown again
// as it was.
std::string audience_of(Ledger::Impl& ledger, const LedgerRequest& request, std::span<const Answer> answers) {
  if (request.release.scope != Scope::edge) return "";
  State& state = ledger.state;
  const bool published = std::ranges::all_of(
      answers, [&](const Answer& answer) { return state.paid(answer.source, everybody); });
  const std::string who = published ? everybody : request.recipient;
  const bool as_before = std::ranges::all_of(
      answers, [&](const Answer& answer) { return state.paid_in_version_1(answer.source, who); });
  return as_before ? "" : who;
}

// Nothing was drawn yet for what an earlier command was charged for and did not finish. Entries are found by
// an index; before noise is drawn at no charge, all of them are looked at.
void check_never_stored(Ledger::Impl& ledger, const std::set<std::string>& names) {
  ledger.state.each([&](const Entry& entry) {
    if (entry.kind == kind_store && names.contains(entry.body.at("document")))
      fail_damaged("what was released ({}) is not found", entry.body.at("document").get<std::string>());
  });
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
  if (!answer.charged) check_never_stored(ledger, {name});
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
        SharedArtefact::parse(stored_artefact(ledger, answer, plan, graph, progress), stored_name));
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
  std::uint64_t nodes;
  std::string audience;  // in edge scope, who was charged
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
    std::set<std::string> unfinished;
    for (std::size_t i = 0; i < charge.answers.size(); ++i) {
      const Answer& answer = charge.answers[i];
      if (answer.stored || ledger.documents.has(answer_document(answer.key))) continue;
      const bool shared = plan_of_answer(answer).mechanism == "shared";
      groups[{answer.plan, shared ? answer.source : ""}].push_back(i);
      if (!answer.charged && !shared) unfinished.insert(answer_document(answer.key));
    }
    if (!unfinished.empty()) check_never_stored(ledger, unfinished);
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
      fail_damaged("an answer was lost while it was read");
  }

  std::optional<Json> stored_json(const std::string& name) const {
    const auto bytes = ledger.documents.find(name);
    if (!bytes) return std::nullopt;
    const auto* const text = reinterpret_cast<const char*>(bytes->data());
    return Json::parse(text, text + bytes->size());
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

  Json certificate(const CertificateContext& context);

  // Certificates of format 1 on one artefact for everybody promised too much; they are made anew.
  static bool outdated(const Json& certificate) {
    return certificate.value("format", 0) == 1 && promises_too_much(certificate, plan_of(certificate));
  }

  std::string artefact_id(const Answer& answer) const {
    const auto bytes = ledger.documents.find(artefact_document(answer.source));
    return bytes ? SharedArtefact::parse(*bytes, stored_name).context().artefact : "";
  }

  std::string plan_digest(std::size_t ranking) const {
    std::string digest;
    read_stored(ranking, [&](std::span<const std::byte> bytes) { digest = plan_digest_of(bytes); });
    return digest;
  }
};

LedgerRanker::LedgerRanker(Ledger& ledger, const Graph& graph, const LedgerRequest& request,
                           const Progress& progress)
    : impl_(new Impl{ledger.impl(), graph.nodes(), "", {}, {}}) {
  if (request.seeds.empty()) fail_usage("say whose ranking you want");
  impl_->charge = ledger::charge(ledger.impl(), graph, request, Commit::yes);
  readable([&] {
    impl_->audience = audience_of(ledger.impl(), request, impl_->charge.answers);
    impl_->compute_missing(graph, request.seeds, progress);
  });
}

LedgerRanker::~LedgerRanker() = default;

const LedgerQuote& LedgerRanker::charged() const noexcept { return impl_->charge.quote; }

PrivateScores LedgerRanker::answer(std::size_t ranking) const {
  if (impl_->charge.only_scores && ranking == 0)
    return *std::exchange(impl_->charge.only_scores, std::nullopt);
  PrivateScores scores;
  readable([&] {
    impl_->read_stored(
        ranking, [&](std::span<const std::byte> bytes) { scores = decode(bytes, impl_->nodes).scores; });
  });
  return scores;
}

LedgerRanker::Certificate LedgerRanker::certificate(const CertificateContext& context) const {
  return readable([&] {
    CertificateContext named = context;
    named.audience = impl_->audience;
    const Json content = impl_->certificate(named);
    return Certificate{content.at("certificate").dump(2), content.at("text")};
  });
}

// As it is stored; made now if there is none.
Json LedgerRanker::Impl::certificate(const CertificateContext& context) {
  const std::size_t rankings = charge.answers.size();
  const std::string digest = plan_digest(0);
  for (std::size_t i = 1; i < rankings; ++i)
    if (plan_digest(i) != digest)
      fail_usage(
          "these answers were made by different plans and have no common certificate; ask for one at a time");
  std::string name = certificate_document_name(digest, rankings, context);
  std::optional<Json> stored = stored_json(name);
  if (stored && outdated(stored->at("certificate"))) stored = stored_json(name += " format 2");
  return stored ? *stored : store_certificate(name, digest, context);
}

LedgerArtefact share(Ledger& ledger, const Graph& graph, const LedgerRequest& request,
                     const Progress& progress) {
  LedgerRequest artefact = request;
  artefact.seeds.clear();
  artefact.release.mechanism = "shared";
  artefact.release.scope = Scope::edge;
  const Charge charge = ledger::charge(ledger.impl(), graph, artefact, Commit::yes);
  const Answer& answer = charge.answers.front();
  return readable([&]() -> LedgerArtefact {
    Bytes bytes = stored_artefact(ledger.impl(), answer, plan_of_text(answer.plan), graph, progress);
    const std::string audience = audience_of(ledger.impl(), artefact, charge.answers);
    if (!audience.empty()) bytes = SharedArtefact::parse(bytes, stored_name).named_for(audience).bytes();
    return {charge.quote, std::move(bytes)};
  });
}

void check_charged(const Ledger& ledger, const PublicFacts& graph, const SharedArtefact& artefact) {
  if (artefact.plan().graph.graph_id != graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", artefact.plan().graph.graph_id,
           graph.graph_id);
  const auto found = readable(
      [&] { return ledger.impl().documents.find(artefact_document(source_key(artefact.plan(), {}))); });
  // Numbers alone do: the certificate around them may be of another version.
  if (!found || !(SharedArtefact::parse(*found, stored_name) == artefact))
    refuse(
        "the ledger '{}' did not charge this artefact; make it with: hushwalk share G --epsilon E --ledger L "
        "-o S",
        ledger.impl().path.string());
}

}  // namespace hushwalk
