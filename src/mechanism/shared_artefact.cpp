// An artefact that serves everybody: made once, kept, and answered from.
#include <utility>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/phase.h"
#include "base/system_random.h"
#include "hushwalk/output_file.h"
#include "mechanism/mechanism.h"
#include "noise/keyed_noise.h"
#include "plan/artefact_file.h"
#include "plan/certificate.h"

namespace hushwalk {

SharedArtefact::SharedArtefact(ArtefactFile file)
    : file_(std::make_shared<const ArtefactFile>(std::move(file))) {}

const Plan& SharedArtefact::plan() const noexcept { return file_->plan; }
const CertificateContext& SharedArtefact::context() const noexcept { return file_->context; }
const std::string& SharedArtefact::software_version() const noexcept { return file_->software_version; }

SharedArtefact SharedArtefact::make(const Graph& graph, const ReleaseParameters& request,
                                    CertificateContext context, const Progress& progress) {
  refuse_processes_beside(graph);
  context.artefact = random_id("the id of an artefact");
  KeyedNoise noise(ReleaseKey::fresh());
  return make(graph, make_plan(graph.facts(), request), std::move(context), noise, progress);
}

SharedArtefact SharedArtefact::make(const Graph& graph, Plan plan, CertificateContext context,
                                    NoiseSource& noise, const Progress& progress) {
  if (plan.artefact != Artefact::numbers || plan.parameters.scope != Scope::edge)
    fail_usage("an artefact needs a `mechanism` that has one, and `scope edge`");
  graph.check();
  if (progress) progress("releasing", 0);
  std::vector<std::int64_t> values =
      find_mechanism(plan.parameters.mechanism).artefact(plan, graph, noise, progress);
  if (progress) progress("releasing", 1);
  return SharedArtefact(new_artefact_file(std::move(plan), std::move(context), std::move(values)));
}

std::vector<std::byte> SharedArtefact::bytes() const { return artefact_bytes(*file_); }

SharedArtefact SharedArtefact::named_for(const std::string& audience,
                                         const std::optional<LedgerPromise>& budget) const {
  CertificateContext named = unsigned_context(context());
  named.audience = audience;
  named.budget = budget;
  return SharedArtefact(new_artefact_file(plan(), std::move(named), file_->values));
}

SharedArtefact SharedArtefact::signed_by(const SigningKey& key, const std::string& salt) const {
  return SharedArtefact(signed_artefact(plan(), context(), file_->values, key, salt));
}

IssuedCertificate SharedArtefact::certificate() const {
  return issued_as(file_->certificate, plan(), context());
}

bool operator==(const SharedArtefact& a, const SharedArtefact& b) {
  return a.context().artefact == b.context().artefact && a.plan() == b.plan() &&
         a.file_->values == b.file_->values;
}

void SharedArtefact::save(const std::filesystem::path& path, Permissions permissions) const {
  OutputFile file(path, FileKind::artefact, permissions);
  file.write(bytes());
  file.commit();
}

SharedArtefact SharedArtefact::open(const std::filesystem::path& path) {
  if (const std::string_view kind = kind_of_file(path); !kind.empty() && kind != a_shared_artefact)
    fail("'{}' is {}, not a shared artefact; share makes one", path.string(), kind);
  const MappedFile file(path);
  return parse(file.bytes(), path.string());
}

SharedArtefact SharedArtefact::parse(std::span<const std::byte> bytes, const std::string& name) {
  ArtefactFile file = parse_artefact(bytes, name);
  find_mechanism(file.plan.parameters.mechanism).check_artefact(file.plan, file.values);
  return SharedArtefact(std::move(file));
}

Plan SharedArtefact::plan_for(const PublicFacts& facts, const ReleaseParameters& answers) const {
  if (facts.graph_id != plan().graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", plan().graph.graph_id, facts.graph_id);
  if (!context().audience.empty() && context().audience != everybody)
    refuse(
        for_custodian("it was charged to '{}'", context().audience),
        "the artefact was charged to one recipient alone: whoever else gets an answer from it must be charged too, by the ledger {}",
        context().ledger);
  return make_plan(facts, parameters_for(answers));
}

ReleaseParameters SharedArtefact::parameters_for(const ReleaseParameters& answers) const {
  ReleaseParameters parameters = answers;  // whatever else is asked for is refused by the plan, not dropped
  parameters.mechanism = plan().parameters.mechanism;
  parameters.epsilon = plan().parameters.epsilon;
  parameters.taper = plan().parameters.taper;
  return parameters;
}

void SharedArtefact::check_plan(const Plan& plan, const Graph& graph) const {
  const PublicFacts& own = file_->plan.graph;
  if (graph.facts().graph_id != own.graph_id || graph.nodes() != own.nodes)
    refuse("the artefact was made from another graph (id {})", own.graph_id);
  if (plan.noise != file_->plan.noise) fail_usage("the plan is not one of this artefact: take plan_for()");
  graph.check();  // answers read single rows only, and certificates speak of undirected graphs
}

std::vector<PrivateScores> SharedArtefact::answer(const Plan& plan, const Graph& graph,
                                                  std::span<const SeedVector> seeds) const {
  check_plan(plan, graph);
  check_seeds(seeds, graph.nodes());
  return find_mechanism(plan.parameters.mechanism).answers(plan, file_->values, graph, seeds);
}

std::shared_ptr<const ArtefactAnswers> SharedArtefact::list(const Plan& plan, const Graph& graph,
                                                            const Listing& listing) const {
  check_plan(plan, graph);
  return find_mechanism(plan.parameters.mechanism).list(plan, file_->values, graph, listing);
}

std::vector<std::vector<RankedNode>> ArtefactAnswers::best(std::span<const SeedVector> seeds) const {
  const Phase phase("answering from an artefact");
  constexpr std::size_t seeds_per_task = 16;
  std::vector<std::vector<RankedNode>> found(seeds.size());
  parallel_for(seeds.size(), seeds_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) found[i] = best(seeds[i]);
  });
  return found;
}

}  // namespace hushwalk
