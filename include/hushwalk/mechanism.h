// Private answers. A *plan* is made from public facts only and says everything: mechanism, parameters, noise,
// guarantee. A *release* runs a plan on a graph. Nothing else in the library adds noise to graph data.
//
//   const Plan plan = make_plan(public_facts(graph), {.epsilon = Epsilon(1)});
//   PrivateRanker ranker(plan, graph);
//   const PrivateScores scores = ranker.answer(seed);       // spends plan.epsilon
//   std::cout << certificate_json(plan);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"
#include "hushwalk/graph.h"
#include "hushwalk/progress.h"

namespace hushwalk {

// What anybody may know of a graph.
struct PublicFacts {
  std::uint64_t nodes = 0;
  std::uint64_t max_edges = 0;  // a bound, not a count
  bool nodes_declared = true;   // false: the node list was collected from the edges
  bool max_edges_declared = false;
  std::string graph_id;  // empty for a graph that is not there
  friend bool operator==(const PublicFacts&, const PublicFacts&) = default;
};
PublicFacts public_facts(const Graph& graph);
// n(n-1)/2 without a bound; Error{usage} when there are no nodes, too many, or the bound is beyond all pairs.
PublicFacts public_facts(std::uint64_t nodes, std::optional<std::uint64_t> max_edges = {});

inline constexpr double default_eta = 1e-6;

// What is wanted. A parameter that is not given gets a public default.
struct ReleaseRequest {
  std::string mechanism = "auto";  // or one of mechanism_names()
  Diffusion diffusion = Diffusion::ppr();
  Scope scope = Scope::personalized;
  Epsilon epsilon{1};  // of each ranking
  std::optional<Delta> delta = {};
  std::optional<Eta> eta = {};  // `paper`, `output`, `pushflow`: default_eta
  // `twohop`: r, from 0 to 1. Without it an epsilon from 0.4 on gets separate numbers instead of one score.
  std::optional<double> background = {};
  std::optional<double> taper = {};     // `twohop`, `shared`: a whole number from 1, or infinity
  std::uint64_t rankings = 1;           // how many answers
  std::uint64_t seeds_per_ranking = 1;  // the size of the largest seed set
};

std::vector<std::string> mechanism_names();  // without `auto`

// Independent discrete Laplace draws added to some released numbers; or, where there is a flip probability,
// randomized response on them.
struct NoiseUse {
  std::string on;            // which numbers
  double laplace_scale = 0;  // in the unit of the number
  // The same in whole steps of the lattice, as it is drawn. Of randomized response: the scale t of the
  // geometric skips from flip to flip, so that the flip probability is exactly 1 - e^(-1/t).
  double lattice_scale = 0;
  int draws = 1;
  double flip_probability = 0;
  friend bool operator==(const NoiseUse&, const NoiseUse&) = default;
};

// Plain data. Two plans that are equal have equal certificates.
struct Plan {
  std::string mechanism;  // never `auto`
  PublicFacts graph;
  Diffusion diffusion = Diffusion::ppr();
  Scope scope = Scope::personalized;
  double epsilon = 0;           // of one ranking, as asked; the guarantee is not above it
  std::optional<double> delta;  // as asked
  std::uint64_t rankings = 1;
  std::uint64_t seeds_per_ranking = 1;

  std::optional<double> eta;         // as asked; the lattice uses the next multiple of its unit below
  std::optional<double> background;  // r; none where `twohop` releases separate numbers
  std::optional<double> taper;       // infinity: the plain degree
  int lattice_bits = 0;              // released numbers are multiples of 2^-lattice_bits
  double sensitivity = 0;            // l1, in the unit of the numbers, rounding included
  std::string sensitivity_bound;     // the name of its proof
  double slack = 0;                  // the part of the sensitivity that is rounding
  std::vector<NoiseUse> noise;
  Guarantee guarantee;  // of one ranking
  std::string theorem;  // in words, with its note in docs/math

  // What all rankings of the plan spend together: one noisy artefact serves all, or each has its own noise
  // and their epsilons add up, in the units of a ledger: ten times 0.1 is 1.
  bool one_artefact = false;
  double total_epsilon() const;
  double total_delta() const noexcept;
  double certified_delta() const noexcept;  // 0 when the guarantee is pure
  friend bool operator==(const Plan&, const Plan&) = default;
};

// Error{usage} when the request makes no sense, Error{refused} with the reason and the remedy when no proof
// covers it. Sees nothing but its arguments.
Plan make_plan(const PublicFacts& facts, const ReleaseRequest& request);

// Error{refused} unless the plan is what make_plan makes of its own parameters: nobody may lower its noise.
void check_plan(const Plan& plan);

// What one ranking costs (the artefact, where one serves all) when it is added up with other releases.
PrivacyCost privacy_cost(const Plan& plan);

// About how many bytes an answer needs beside the graph, and how long all rankings take on one core of our
// time.
double plan_memory(const Plan& plan);
struct PlanTime {
  double noise = 0, per_million_edges = 0;  // seconds
};
PlanTime plan_time(const Plan& plan);

// The released scores of all nodes; higher matters more. Everything here may be shown to the recipient.
struct PrivateScores {
  std::vector<double> scores;  // by Node
  // The standard deviation of the noise in a score, as far as it is public; none where nothing is known.
  std::optional<double> error(Node node) const;
  std::vector<Node> near = {};  // ascending; the recipient's own neighbours where their noise differs
  std::optional<double> near_error = {}, far_error = {};
};

// Runs a plan on a graph. Noise comes from the operating system.
class PrivateRanker {
 public:
  // Error{usage} when the plan was made for other public facts, Error{refused} when it was altered. May
  // already read the whole graph.
  PrivateRanker(Plan plan, Graph graph, const Progress& progress = {});
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
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The audience of what was published. No recipient can have this name: it begins with a blank.
inline constexpr const char* everybody = " everybody";

// What a certificate says beside its plan.
struct CertificateContext {
  bool public_candidates = false;  // only nodes of a list that is taken as public are shown
  bool released = true;            // false: only a plan, nothing was given out
  // The id of the one noisy artefact behind the answers. Empty: each answer has its own noise, or it is not
  // known, and the certificate speaks of the answers of one command.
  std::string artefact = {};
  std::string ledger = {};    // the id of the ledger that charged the release; empty: nobody keeps count
  std::string audience = {};  // in edge scope: the recipient that a ledger charged, or everybody
  friend bool operator==(const CertificateContext&, const CertificateContext&) = default;
};

// The artefact of `shared`: noisy numbers that may be published and serve every seed, for ever, at no further
// cost. It has a random id, which the certificates of its answers name: answers from one artefact spend its
// epsilon once, answers from different artefacts the sum.
class SharedArtefact {
 public:
  // `context` is that of its certificate; the id is drawn here.
  static SharedArtefact make(const Plan& plan, const Graph& graph, const Progress& progress = {},
                             CertificateContext context = {});
  // Error{failed} when the file is not an artefact, damaged, or its certificate does not hold.
  static SharedArtefact open(const std::filesystem::path& path);
  void save(const std::filesystem::path& path) const;
  // The same for the content of such a file; `name` is for messages.
  static SharedArtefact parse(std::span<const std::byte> bytes, const std::string& name);
  std::vector<std::byte> bytes() const;
  // The same artefact under a certificate that names who was charged for it.
  SharedArtefact named_for(const std::string& audience) const;

  const Plan& plan() const noexcept { return plan_; }
  const CertificateContext& context() const noexcept { return context_; }  // with its id
  // The plan of answers from this artefact: diffusion, scope and numbers of the request, the rest as it is.
  // Error{refused} when the graph is not the one the artefact was made from, or when a ledger charged it to
  // one recipient alone.
  Plan plan_for(const PublicFacts& facts, const ReleaseRequest& answers) const;
  // In personalized scope an answer uses the seed's own neighbours too. Costs nothing.
  std::vector<PrivateScores> answer(const Plan& plan, const Graph& graph,
                                    std::span<const SeedVector> seeds) const;
  // The same numbers under the same id, whatever else the certificate around them says.
  friend bool operator==(const SharedArtefact&, const SharedArtefact&);

 private:
  SharedArtefact(Plan plan, CertificateContext context, std::vector<std::int64_t> values);
  Plan plan_;
  CertificateContext context_;
  std::vector<std::int64_t> values_;
};

}  // namespace hushwalk
