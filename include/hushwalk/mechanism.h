// Private answers. A *release* runs a plan on a graph: the one place where noise is added to what edges say.
//
//   PrivateRanker ranker(graph, {.epsilon = Epsilon(1)});
//   const PrivateScores scores = ranker.answer(seed);       // spends epsilon
//   std::cout << certificate_json(ranker.plan());
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/certificate.h"
#include "hushwalk/graph.h"
#include "hushwalk/listing.h"
#include "hushwalk/output_file.h"
#include "hushwalk/plan.h"
#include "hushwalk/progress.h"
#include "hushwalk/ranking.h"
#include "hushwalk/seed.h"

namespace hushwalk {

class NoiseSource;
struct ArtefactFile;

// What each of mechanism_names() has, in their order.
struct MechanismKind {
  std::string name;
  bool eta = false, background = false, taper = false;  // the parameters that only some have
  Artefact artefact = Artefact::none;
};
std::vector<MechanismKind> mechanism_kinds();

// The released scores of all nodes; higher matters more. Everything here may be shown to the recipient.
struct PrivateScores {
  std::vector<double> scores;  // by Node
  // The standard deviation of the noise in a score, as far as it is public; none where nothing is known.
  std::optional<double> error(Node node) const;
  std::vector<Node> near =
      {};  // ascending; the recipient's own neighbours where their noise or doubt differs
  std::optional<double> near_error = {}, far_error = {};
  std::optional<RankDoubt> doubt = {};  // none where nothing is said of exact ranks
};

// Error{refused} when MPI or Slurm has started this program several times: each process would draw noise of
// its own, and the question would cost as many times what each certificate says. PrivateRanker,
// SharedArtefact::make(), ask() and share() look themselves, before anything is drawn or charged.
void refuse_several_processes();

// Makes a plan and runs it on a graph; nobody else's plan, which might have less noise than it says. Noise
// comes from the operating system. For one thread at a time; keeps the graph.
class PrivateRanker {
 public:
  // Errors are those of make_plan() and refuse_several_processes(). May already read the whole graph.
  PrivateRanker(Graph graph, const ReleaseParameters& request, const Progress& progress = {});
  ~PrivateRanker();
  PrivateRanker(PrivateRanker&&) noexcept;

  // One answer for each seed, each with fresh noise unless the plan has one artefact. Error{refused} when the
  // plan's rankings are used up, Error{usage} when a seed is not a node.
  std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, const Progress& progress = {});
  PrivateScores answer(const SeedVector& seed);

  const Plan& plan() const noexcept;
  // The random id of the one artefact that all answers come from; empty where each has its own noise.
  const std::string& artefact() const noexcept;

 private:
  // For the library's own, which made the plan itself.
  friend PrivateRanker planned_ranker(Graph graph, Plan plan, const Progress& progress);
  PrivateRanker(Plan plan, Graph graph, const Progress& progress);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The best nodes of an answer, as `listing` wants them; never a seed.
std::vector<RankedNode> listed_nodes(const Graph& graph, const SeedVector& seed, const PrivateScores& scores,
                                     const Listing& listing);

// The best nodes of any seed's answer from one artefact: as listed_nodes() of all scores, which are never
// made. Immutable; any number of threads may ask.
class ArtefactAnswers {
 public:
  virtual ~ArtefactAnswers() = default;
  ArtefactAnswers(const ArtefactAnswers&) = delete;
  ArtefactAnswers& operator=(const ArtefactAnswers&) = delete;
  virtual std::vector<RankedNode> best(const SeedVector& seed) const = 0;
  // One list for each seed, in their order; shares the work among all threads.
  std::vector<std::vector<RankedNode>> best(std::span<const SeedVector> seeds) const;

 protected:
  ArtefactAnswers() = default;
};

// The artefact of a mechanism that has one: noisy numbers that may be published and serve every seed, for
// ever, at no further cost. It has a random id, which the certificates of its answers name: answers from one
// artefact spend its epsilon once, answers from different artefacts the sum. Immutable: any number of threads
// may ask. What list() gives may outlive it.
class SharedArtefact {
 public:
  SharedArtefact(const SharedArtefact&) = default;  // which costs nothing, and leaves none that is empty
  SharedArtefact& operator=(const SharedArtefact&) = default;

  // Error{usage} unless the request is for such an artefact, in edge scope; Error as by
  // refuse_several_processes(). `context` is that of its certificate; the id is drawn here.
  static SharedArtefact make(const Graph& graph, const ReleaseParameters& request,
                             CertificateContext context = {}, const Progress& progress = {});
  // Error{failed} when the file is not an artefact, damaged, or its certificate does not hold.
  static SharedArtefact open(const std::filesystem::path& path);
  void save(const std::filesystem::path& path, Permissions permissions = publishable) const;
  // The same for the content of such a file; `name` is for messages.
  static SharedArtefact parse(std::span<const std::byte> bytes, const std::string& name);
  std::vector<std::byte> bytes() const;
  // The same artefact under a certificate that names who was charged for it, and what their ledger promises.
  SharedArtefact named_for(const std::string& audience,
                           const std::optional<LedgerPromise>& budget = {}) const;

  // The same under a certificate with a hash of its numbers, under a salt that nobody guesses, signed.
  SharedArtefact signed_by(const SigningKey& key, const std::string& salt) const;

  const Plan& plan() const noexcept;
  IssuedCertificate certificate() const;
  const CertificateContext& context() const noexcept;    // with its id
  const std::string& software_version() const noexcept;  // of its certificate
  // What is asked for, with the mechanism, epsilon and taper of this artefact.
  ReleaseParameters parameters_for(const ReleaseParameters& answers) const;
  // Their plan. Error{refused} when the graph is not the one the artefact was made from, or when a ledger
  // charged it to one recipient alone.
  Plan plan_for(const PublicFacts& facts, const ReleaseParameters& answers) const;
  // In personalized scope an answer uses the seed's own neighbours too. Costs nothing.
  std::vector<PrivateScores> answer(const Plan& plan, const Graph& graph,
                                    std::span<const SeedVector> seeds) const;
  // The same for long lists of seeds: what no seed changes is made once.
  std::shared_ptr<const ArtefactAnswers> list(const Plan& plan, const Graph& graph,
                                              const Listing& listing) const;
  // The same numbers under the same id, whatever else the certificate around them says.
  friend bool operator==(const SharedArtefact&, const SharedArtefact&);

  // For the library's own: by a plan for such an artefact, under an id and with noise that are known.
  static SharedArtefact make(const Graph& graph, Plan plan, CertificateContext context, NoiseSource& noise,
                             const Progress& progress = {});

 private:
  explicit SharedArtefact(ArtefactFile file);
  void check_plan(const Plan& plan, const Graph& graph) const;
  std::shared_ptr<const ArtefactFile> file_;
};

}  // namespace hushwalk
