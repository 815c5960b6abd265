// Where answers come from: four sources behind one call.
#include "hushwalk/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/fail.h"
#include "base/sha256.h"
#include "base/system_random.h"
#include "diffusion/rows.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/version.h"
#include "mechanism/portions.h"
#include "plan/parameter_json.h"
#include "plan/planner.h"

namespace hushwalk {

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
  std::optional<LedgerQuote> charged;
};

namespace {

using Source = AnswerSource::Impl;

// Of answers whose noise nobody keeps, each under a salt that nobody keeps either.
std::string fresh_salt() { return random_id("the salt of an answer"); }

struct ExactSource final : Source {
  using Source::Source;
  std::vector<Ranking> rankings(std::size_t, std::span<const SeedVector> seeds,
                                const Progress& progress) override {
    std::vector<Ranking> result;
    for (auto& exact : diffuse_exactly(graph, request.release.diffusion, seeds, {}, progress)) {
      const SeedVector& seed = seeds[result.size()];
      result.push_back({seed, listed_nodes(graph, seed, {std::move(exact)}, listing)});
    }
    return result;
  }
  // Never fewer than a batch of the kernel.
  std::size_t portion() const override {
    constexpr std::size_t batch = 16;
    return std::max(Source::portion() / batch * batch, batch);
  }
  std::optional<IssuedCertificate> certificate(const CertificateContext&, const SigningKey*,
                                               std::optional<std::size_t>) override {
    return std::nullopt;
  }
};

struct ReleaseSource final : Source {
  ReleaseSource(const Graph& over, AnswerRequest what, const Progress& progress)
      : Source(over, std::move(what)), ranker(graph, request.release, progress) {}
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

struct ArtefactSource final : Source {
  ArtefactSource(const Graph& over, AnswerRequest what)
      : Source(over, std::move(what)), plan(request.artefact->plan_for(graph.facts(), request.release)) {
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
  const ReleaseParameters& artefact = request.artefact->plan().parameters;
  made.release.mechanism = artefact.mechanism;
  made.release.epsilon = artefact.epsilon;
  made.release.taper = artefact.taper;
  return made;
}

struct LedgerSource final : Source {
  LedgerSource(const Graph& over, AnswerRequest what)
      : Source(over, std::move(what)),
        ledger(*request.audience.ledger),
        charge(ledger.charge(graph, ledger_request(graph, request))) {
    charged = charge.quote();
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

std::unique_ptr<Source> open_source(const Graph& graph, AnswerRequest request, const Progress& progress) {
  if (request.exact) return std::make_unique<ExactSource>(graph, std::move(request));
  if (request.audience.ledger) return std::make_unique<LedgerSource>(graph, std::move(request));
  if (request.artefact) return std::make_unique<ArtefactSource>(graph, std::move(request));
  return std::make_unique<ReleaseSource>(graph, std::move(request), progress);
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

void check_audience(const Audience& audience) {
  if (!audience.recipient.empty() && !audience.ledger)
    fail_usage("`recipient` goes with `ledger`: nobody else keeps count");
  if (audience.publish && !audience.ledger)
    fail_usage("`publish` goes with `ledger`: nobody else keeps count");
  if (audience.publish && !audience.recipient.empty()) fail_usage("give `recipient` or `publish`, not both");
}

}  // namespace

void check_request(const AnswerRequest& request) {
  if (request.top == 0U) fail_usage("`top` must be at least 1");
  if (request.exact && request.artefact) fail_usage("an exact answer uses no artefact");
  check_audience(request.audience);
  if (request.exact && request.audience.ledger)
    refuse(
        "an exact answer is not private and is refused under a `ledger`; without one the custodian may ask for it");
  if (request.exclude_neighbors && !request.exact && request.release.scope == Scope::edge)
    refuse(
        "`exclude_neighbors` would show the seed's neighbours by leaving them out, and `scope edge` protects them; leave it out, or use `scope personalized`");
}

AnswerSource::AnswerSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
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
const std::optional<LedgerQuote>& AnswerSource::charged() const noexcept { return impl_->charged; }

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

}  // namespace

std::string request_digest(const Graph& graph, const AnswerRequest& request) {
  if (request.exact || (!request.audience.ledger && !request.artefact))
    refuse(
        "`resume` needs a `ledger` or an artefact (`shared`): without one every run draws noise of its own, and what was shown before would have been given away beside it");
  AnswerRequest counted = request;
  count_seeds(counted);
  Json asked = {
      {"version", version()}, {"graph", graph.facts().graph_id}, {"seeds", digest_of(counted.seeds)}};
  each_parameter(counted.release,
                 [&](const char* name, const auto& value) { asked[name] = parameter_json(value); });
  asked["artefact"] = request.artefact ? request.artefact->context().artefact : "";
  asked["ledger"] = request.audience.ledger ? request.audience.ledger->state(0).ledger_id : "";
  asked["audience"] = {request.audience.recipient, request.audience.publish, request.to_be_signed};
  asked["top"] = request.top ? Json(*request.top) : Json(nullptr);
  asked["exclude_neighbors"] = request.exclude_neighbors;
  asked["candidates"] = request.candidates ? Json(*request.candidates) : Json(nullptr);
  return sha256_hex(asked.dump());
}

AnswerSource ask(const Graph& graph, AnswerRequest request, const Progress& progress) {
  if (!request.exact && !spread_rows(graph)) refuse_several_processes();
  check_request(request);
  if (request.seeds.empty()) fail_usage("say whose ranking you want: a `seed`");
  count_seeds(request);
  return AnswerSource(open_source(graph, std::move(request), progress));
}

Plan plan_answer(const PublicFacts& facts, const AnswerRequest& request) {
  check_request(request);
  AnswerRequest counted = request;
  count_seeds(counted);
  return make_plan(facts, counted.release);
}

LedgerQuote quote_answer(const Graph& graph, const AnswerRequest& request) {
  check_request(request);
  if (!request.audience.ledger) fail_usage("say which `ledger`");
  if (request.seeds.empty()) fail_usage("say whose ranking you want: a `seed`");
  AnswerRequest counted = request;
  count_seeds(counted);
  return request.audience.ledger->quote(graph, ledger_request(graph, counted));
}

namespace {

// Of an artefact, which has no seeds.
LedgerRequest share_request(const ShareRequest& request) {
  ReleaseParameters release = choose_artefact(request.release);
  release.scope = Scope::edge;
  return {release, {}, request.audience.recipient, request.audience.publish};
}

}  // namespace

Sharing share(const Graph& graph, const ShareRequest& request) {
  if (!spread_rows(graph)) refuse_several_processes();
  check_audience(request.audience);
  const LedgerRequest asked = share_request(request);
  const std::shared_ptr<Ledger>& ledger = request.audience.ledger;
  if (!ledger) {
    SharedArtefact made = SharedArtefact::make(graph, asked.release);
    if (request.key) made = made.signed_by(*request.key, random_id("the salt of an artefact"));
    return {std::move(made), {}};
  }
  const LedgerCharge charge = ledger->charge(graph, asked);
  return {ledger->artefact(charge, graph, request.key.get()), charge.quote()};
}

LedgerQuote quote_share(const Graph& graph, const ShareRequest& request) {
  check_audience(request.audience);
  if (!request.audience.ledger) fail_usage("say which `ledger`");
  return request.audience.ledger->quote(graph, share_request(request));
}

}  // namespace hushwalk
