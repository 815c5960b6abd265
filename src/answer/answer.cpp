// From a question to its answers: four sources behind one call.
#include "hushwalk/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/fail.h"
#include "base/sha256.h"
#include "base/system_random.h"
#include "diffusion/best_exactly.h"
#include "hushwalk/codec.h"
#include "hushwalk/version.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"
#include "mechanism/mechanism.h"
#include "plan/parameter_json.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

// How many answers are held in memory at a time: about 256 MB; `columns` are numbers of eight bytes for each
// node and answer.
std::size_t portion_size(std::uint64_t nodes, std::uint64_t columns) {
  const std::uint64_t fit =
      (std::uint64_t{1} << 28) / (columns * sizeof(double) * std::max<std::uint64_t>(nodes, 1));
  return std::clamp<std::uint64_t>(fit, 1, 1024);
}

}  // namespace

// Rankings of a portion of the seeds, wherever they come from.
struct AnswerSource::Impl {
  Impl(const Graph& over, AnswerRequest what)
      : graph(over),
        request(std::move(what)),
        listing{request.top.value_or(graph.nodes()), request.exclude_neighbors, request.candidates} {}
  virtual ~Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  virtual std::vector<Ranking> rankings(std::size_t first, std::span<const SeedVector> seeds,
                                        const Progress& progress) = 0;
  // How many at a time; by default each has all its scores in memory.
  virtual std::size_t portion() const {
    constexpr std::uint64_t columns = 3;  // a score, and up to two released numbers
    return portion_size(graph.nodes(), columns);
  }
  virtual std::optional<IssuedCertificate> certificate(const CertificateContext& context,
                                                       const SigningKey* key,
                                                       std::optional<std::size_t> ranking) = 0;

  Graph graph;
  AnswerRequest request;
  Listing listing;
  std::optional<IssuedCertificate> old_certificate;
  std::optional<LedgerQuote> quote;
};

namespace {

// Of answers whose noise nobody keeps, each under a salt that nobody keeps either.
std::string fresh_salt() { return random_id("the salt of an answer"); }

struct ExactSource final : AnswerSource::Impl {
  using Impl::Impl;
  std::vector<Ranking> rankings(std::size_t, std::span<const SeedVector> seeds,
                                const Progress& progress) override {
    std::vector<Ranking> result;
    for (const auto& best : best_exactly(graph, request.release.diffusion, seeds, listing, progress)) {
      Ranking& ranking = result.emplace_back(Ranking{seeds[result.size()], {}});
      for (const auto& [node, score] : best) ranking.nodes.push_back({node, score});
    }
    return result;
  }
  // Never fewer than a batch of the kernel.
  std::size_t portion() const override {
    constexpr std::size_t batch = 16;
    return std::max(Impl::portion() / batch * batch, batch);
  }
  std::optional<IssuedCertificate> certificate(const CertificateContext&, const SigningKey*,
                                               std::optional<std::size_t>) override {
    return std::nullopt;
  }
};

struct ReleaseSource final : AnswerSource::Impl {
  ReleaseSource(const Graph& over, AnswerRequest what, Plan plan, const Progress& progress)
      : Impl(over, std::move(what)), ranker(planned_ranker(graph, std::move(plan), progress)) {}
  std::vector<Ranking> rankings(std::size_t, std::span<const SeedVector> seeds,
                                const Progress& progress) override {
    std::vector<Ranking> result;
    for (const PrivateScores& scores : ranker.answer(seeds, progress)) {
      const SeedVector& seed = seeds[result.size()];
      result.push_back({seed, listed_nodes(graph, seed, scores, listing), fresh_salt()});
    }
    return result;
  }
  std::optional<IssuedCertificate> certificate(const CertificateContext& context, const SigningKey* key,
                                               std::optional<std::size_t>) override {
    CertificateContext complete = context;
    complete.artefact = ranker.artefact();
    return issue(ranker.plan(), complete, key);
  }
  PrivateRanker ranker;
};

struct ArtefactSource final : AnswerSource::Impl {
  ArtefactSource(const Graph& over, AnswerRequest what)
      : Impl(over, std::move(what)), plan(request.artefact->plan_for(graph.facts(), request.release)) {
    graph.check();  // answers read single rows only, and certificates speak of undirected graphs
    answers = request.artefact->list(plan, graph, listing);
  }
  // The same again and again, and so without a salt: nobody has a secret that it could come from. What will
  // be signed is bound all the same.
  std::vector<Ranking> rankings(std::size_t, std::span<const SeedVector> seeds, const Progress&) override {
    std::vector<Ranking> result;
    for (std::vector<RankedNode>& nodes : answers->best(seeds))
      result.push_back(
          {seeds[result.size()], std::move(nodes), request.to_be_signed ? fresh_salt() : std::string()});
    return result;
  }
  std::size_t portion() const override {
    constexpr std::uint64_t columns = 8;  // a node, its score, and what is written of them
    return portion_size(std::min(listing.top, graph.nodes()), columns);
  }
  std::optional<IssuedCertificate> certificate(const CertificateContext& context, const SigningKey* key,
                                               std::optional<std::size_t>) override {
    CertificateContext complete = unsigned_context(request.artefact->context());
    complete.public_candidates = context.public_candidates;
    complete.shown = context.shown;
    if (plan.parameters.scope == Scope::personalized) complete.audience.clear();  // the seed's owner
    return issue(plan, complete, key);
  }
  Plan plan;
  std::shared_ptr<const ArtefactAnswers> answers;
};

// With an artefact the privacy is that of the artefact.
LedgerRequest ledger_request(const Graph& graph, const AnswerRequest& request) {
  LedgerRequest made{request.release, request.seeds, request.audience.recipient, request.audience.publish};
  if (!request.artefact) return made;
  request.audience.ledger->check_charged(graph.facts(), *request.artefact);
  made.release = request.artefact->parameters_for(request.release);
  return made;
}

struct LedgerSource final : AnswerSource::Impl {
  LedgerSource(const Graph& over, AnswerRequest what)
      : Impl(over, std::move(what)),
        ledger(*request.audience.ledger),
        charge(ledger.charge(graph, ledger_request(graph, request))) {
    quote = charge.quote();
    old_certificate = ledger.old_certificate(charge, {.public_candidates = request.candidates.has_value()});
  }
  std::vector<Ranking> rankings(std::size_t first, std::span<const SeedVector> seeds,
                                const Progress& progress) override {
    return ledger.rankings(charge, graph, first, seeds.size(), listing, progress);
  }
  std::optional<IssuedCertificate> certificate(const CertificateContext& context, const SigningKey* key,
                                               std::optional<std::size_t> ranking) override {
    return ledger.certificate(charge, context, key, ranking);
  }
  Ledger& ledger;
  LedgerCharge charge;
};

std::unique_ptr<AnswerSource::Impl> open_source(const Graph& graph, AnswerRequest request,
                                                std::optional<Plan> plan, const Progress& progress) {
  if (request.exact) return std::make_unique<ExactSource>(graph, std::move(request));
  if (request.audience.ledger) return std::make_unique<LedgerSource>(graph, std::move(request));
  if (request.artefact) return std::make_unique<ArtefactSource>(graph, std::move(request));
  if (!plan) plan = make_plan(graph.facts(), request.release);
  return std::make_unique<ReleaseSource>(graph, std::move(request), std::move(*plan), progress);
}

// A seed that is given twice is released once.
void drop_repeats(std::vector<SeedVector>& seeds) {
  std::set<std::vector<std::pair<Node, double>>> seen;
  std::erase_if(seeds, [&](const SeedVector& seed) {
    return !seen.emplace(seed.entries().begin(), seed.entries().end()).second;
  });
}

void count_seeds(AnswerRequest& request) {
  if (request.seeds.empty()) return;
  drop_repeats(request.seeds);
  request.release.rankings = request.seeds.size();
  request.release.seeds_per_ranking = 1;
  for (const SeedVector& seed : request.seeds)
    request.release.seeds_per_ranking =
        std::max<std::uint64_t>(request.release.seeds_per_ranking, seed.entries().size());
}

// Before anything is charged.
void check_nodes(const Graph& graph, const AnswerRequest& request) {
  check_seeds(request.seeds, graph.nodes());
  if (!request.candidates) return;
  for (const Node node : *request.candidates)
    if (node >= graph.nodes())
      fail_usage("candidate {} is not a node of the graph, which has {} nodes, numbered from 0", node,
                 graph.nodes());
}

// Every parameter counts but the epsilon, which is asked for by itself, and what exact answers have, too.
bool asks_for_noise(const ReleaseParameters& asked) {
  ReleaseParameters without;
  without.epsilon = asked.epsilon;
  without.scope = asked.scope;
  without.diffusion = asked.diffusion;
  without.rankings = asked.rankings;
  without.seeds_per_ranking = asked.seeds_per_ranking;
  return asked != without;
}

void check_audience(const Audience& audience) {
  if (!audience.recipient.empty() && !audience.ledger)
    fail_usage("`recipient` goes with `ledger`: nobody else keeps count");
  if (audience.publish && !audience.ledger)
    fail_usage("`publish` goes with `ledger`: nobody else keeps count");
  if (audience.publish && !audience.recipient.empty()) fail_usage("give `recipient` or `publish`, not both");
}

}  // namespace

void check_privacy(const GivenPrivacy& given, const ReleaseParameters& asked) {
  const bool noise = asks_for_noise(asked);
  if (given.exact && (given.epsilon || noise))
    fail_usage("`exact` is the answer without privacy; it takes no `epsilon`, `mechanism` or other noise");
  if (given.shared && (given.exact || given.epsilon || noise))
    fail_usage(
        "`shared` uses an artefact whose privacy is fixed; it takes no `exact`, `epsilon`, `mechanism` or other noise");
  if (!given.exact && !given.shared && !given.epsilon)
    fail_usage("say how private the answer must be: `epsilon E`, for example `epsilon 1`{}", given.otherwise);
}

void check_request(const AnswerRequest& request) {
  if (request.top == 0U) fail_usage("`top` must be at least 1");
  if (request.exact && request.artefact) fail_usage("an exact answer uses no artefact");
  if (request.exact || request.artefact)
    check_privacy({.exact = request.exact, .shared = request.artefact != nullptr}, request.release);
  check_audience(request.audience);
  if (request.exact && request.audience.ledger)
    refuse(
        "an exact answer is not private and is refused under a `ledger`; without one the custodian may ask for it");
  if (request.exclude_neighbors && !request.exact && request.release.scope == Scope::edge)
    refuse(
        "`exclude_neighbors` would show the seed's neighbours by leaving them out, and `scope edge` protects them; leave it out, or use `scope personalized`");
}

struct CheckedRequest::Impl {
  Graph graph;
  AnswerRequest request;
  std::optional<Plan> plan = {};
  bool planned = false;
};

CheckedRequest::CheckedRequest(Graph graph, AnswerRequest request) {
  if (!request.exact) refuse_processes_beside(graph);
  check_request(request);
  if (request.seeds.empty()) fail_usage("say whose ranking you want: a `seed`");
  check_nodes(graph, request);
  count_seeds(request);
  impl_ = std::make_unique<Impl>(Impl{std::move(graph), std::move(request)});
}
CheckedRequest::~CheckedRequest() = default;
CheckedRequest::CheckedRequest(CheckedRequest&&) noexcept = default;
const AnswerRequest& CheckedRequest::request() const noexcept { return impl_->request; }

const std::optional<Plan>& CheckedRequest::plan() {
  const AnswerRequest& request = impl_->request;
  if (impl_->planned || request.exact || request.artefact) return impl_->plan;
  impl_->planned = true;
  try {
    impl_->plan = request.audience.ledger
                      ? request.audience.ledger->plan(impl_->graph.facts(), request.release)
                      : make_plan(impl_->graph.facts(), request.release);
  } catch (const Error&) {  // found again, where something hangs on it
    impl_->plan.reset();
  }
  return impl_->plan;
}

AnswerSource::AnswerSource(CheckedRequest question, const Progress& progress)
    : impl_(open_source(question.impl_->graph, std::move(question.impl_->request),
                        std::move(question.impl_->plan), progress)) {}
AnswerSource::~AnswerSource() = default;
AnswerSource::AnswerSource(AnswerSource&&) noexcept = default;
std::optional<IssuedCertificate> AnswerSource::certificate(const std::optional<ShownAnswer>& shown,
                                                           const SigningKey* key,
                                                           std::optional<std::size_t> ranking) {
  if (impl_->old_certificate) return impl_->old_certificate;
  return impl_->certificate({.public_candidates = impl_->request.candidates.has_value(), .shown = shown}, key,
                            ranking);
}
std::optional<IssuedCertificate> AnswerSource::old_certificate() const { return impl_->old_certificate; }
const std::optional<LedgerQuote>& AnswerSource::quote() const noexcept { return impl_->quote; }
const std::vector<SeedVector>& AnswerSource::seeds() const noexcept { return impl_->request.seeds; }

void AnswerSource::each(const std::function<void(const Ranking&)>& visit, const Progress& progress,
                        std::size_t first) {
  const std::span<const SeedVector> seeds = impl_->request.seeds;
  const std::size_t portion = impl_->portion();
  for (; first < seeds.size(); first += portion) {
    const auto part = seeds.subspan(first, std::min(portion, seeds.size() - first));
    for (const Ranking& ranking :
         impl_->rankings(first, part, part_of(progress, first, part.size(), seeds.size())))
      visit(ranking);
    if (progress && impl_->request.artefact)  // others tell by themselves
      progress("ranking", static_cast<double>(first + part.size()) / static_cast<double>(seeds.size()));
  }
}

namespace {

std::string digest_of(std::span<const SeedVector> seeds) {
  std::string text;
  for (const SeedVector& seed : seeds) {
    for (const auto& [node, weight] : seed.entries()) text += fmt::format("{} {},", node, weight);
    text += '\n';
  }
  return sha256_hex(text);
}

// Of one epoch: what is forgotten with another is not shown again.
Json epoch_of(Ledger& ledger) {
  const std::scoped_lock lock(ledger.impl().mutex);
  return ledger::readable([&] { return Json{ledger.impl().id, ledger.impl().state.key_terms().epoch}; });
}

RankingHead head_of(const Graph& graph, const AnswerRequest& request) {
  return {.nodes = graph.node_list(),
          .is_private = !request.exact,
          .diffusion = request.release.diffusion,
          .seed_sets = request.seed_set || request.release.seeds_per_ranking > 1};
}

}  // namespace

RankingHead CheckedRequest::head() const { return head_of(impl_->graph, impl_->request); }
RankingHead AnswerSource::head() const {
  RankingHead head = head_of(impl_->graph, impl_->request);
  head.old_certificate = impl_->old_certificate;
  return head;
}

bool CheckedRequest::can_be_taken_up() const noexcept {
  return !impl_->request.exact && (impl_->request.audience.ledger || impl_->request.artefact);
}

std::string CheckedRequest::digest() const {
  if (!can_be_taken_up())
    refuse(
        "`resume` needs `ledger` or `shared`: without them every run draws noise of its own, and what the first run gave away would be given away again");
  const auto& [seeds, seed_set, release, exact, artefact, audience, to_be_signed, top, exclude_neighbors,
               candidates] = impl_->request;
  Json asked = {
      {"version", version()}, {"graph", impl_->graph.facts().graph_id}, {"seeds", digest_of(seeds)}};
  each_parameter(release, [&](const char* name, const auto& value) { asked[name] = parameter_json(value); });
  asked["seed_set"] = seed_set;
  asked["artefact"] = artefact ? artefact->context().artefact : "";
  asked["ledger"] = audience.ledger ? epoch_of(*audience.ledger) : Json(nullptr);
  asked["audience"] = {audience.recipient, audience.publish, to_be_signed};
  asked["top"] = top ? Json(*top) : Json(nullptr);
  asked["exclude_neighbors"] = exclude_neighbors;
  asked["candidates"] = candidates ? Json(*candidates) : Json(nullptr);
  return sha256_hex(asked.dump());
}

AnswerSource ask(CheckedRequest question, const Progress& progress) {
  return AnswerSource(std::move(question), progress);
}
AnswerSource ask(const Graph& graph, AnswerRequest request, const Progress& progress) {
  return ask(CheckedRequest(graph, std::move(request)), progress);
}

PlannedAnswer plan_answer(const PublicFacts& facts, AnswerRequest request) {
  check_request(request);
  count_seeds(request);
  const CertificateContext context{.public_candidates = request.candidates.has_value(), .released = false};
  if (request.artefact) {
    Plan plan = request.artefact->plan_for(facts, request.release);
    std::string expects = expected_of(plan);
    return {std::move(plan), context, {}, "the artefact that answers come from was made by it", expects};
  }
  Plan plan = make_plan(facts, request.release);
  std::optional<OtherPlan> alternative = alternative_to(plan, request.release);
  std::string expects = expected_of(plan);
  return {std::move(plan), context, std::move(alternative), why_chosen(request.release), std::move(expects)};
}

LedgerQuote quote_answer(const CheckedRequest& question) {
  const auto& [graph, request, plan, planned] = *question.impl_;
  if (!request.audience.ledger) fail_usage("say which `ledger`");
  return request.audience.ledger->quote(graph, ledger_request(graph, request));
}
LedgerQuote quote_answer(const Graph& graph, AnswerRequest request) {
  return quote_answer(CheckedRequest(graph, std::move(request)));
}

namespace {

// Of an artefact, which has no seeds.
LedgerRequest share_request(const ShareRequest& request) {
  ReleaseParameters release = choose_artefact(request.release);
  release.scope = Scope::edge;
  return {release, {}, request.audience.recipient, request.audience.publish};
}

}  // namespace

Sharing share(const Graph& graph, const ShareRequest& request, const Progress& progress) {
  refuse_processes_beside(graph);
  check_audience(request.audience);
  const LedgerRequest asked = share_request(request);
  const std::shared_ptr<Ledger>& ledger = request.audience.ledger;
  if (!ledger) {
    SharedArtefact made = SharedArtefact::make(graph, asked.release, {}, progress);
    if (request.key) made = made.signed_by(*request.key, random_id("the salt of an artefact"));
    return {made, {}};
  }
  const LedgerCharge charge = ledger->charge(graph, asked);
  return {ledger->artefact(charge, graph, request.key.get(), progress), charge.quote()};
}

LedgerQuote quote_share(const Graph& graph, const ShareRequest& request) {
  check_audience(request.audience);
  if (!request.audience.ledger) fail_usage("say which `ledger`");
  return request.audience.ledger->quote(graph, share_request(request));
}

}  // namespace hushwalk
