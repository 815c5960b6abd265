// What a mechanism does with a plan: it releases answers. To add one, write such a class in a file of its own
// and name it in plan/mechanism_list.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "hushwalk/extend.h"
#include "hushwalk/mechanism.h"
#include "noise/noise_source.h"
#include "plan/mechanism_list.h"

namespace hushwalk {

// What noise has been added to: columns of whole numbers in lattice units, each by Node. A mechanism with one
// number a node has one column.
using Columns = std::vector<Column>;

// How released numbers come about, so that a plan, a graph and a release key give the same numbers wherever
// and however they are computed: the sampler, addresses, the counting of links, the lattice, and every choice
// that decides what is released next. All of it is whole numbers, or + - * / and sqrt of IEEE 754 without
// contraction and without libm, whose functions differ between processors. Plans are its input, and are kept.
// Estimates (scores) are made afterwards and not covered: they may use libm, so that their last bits are
// those of one machine. Whoever changes a released number changes this number, and that of the mechanisms
// whose numbers change, Planner::release_arithmetic().
inline constexpr int release_arithmetic_version = 2;

// What numbers were before their noise, and the scales of that; by column and node, as the numbers. A scale
// of 0: there is no such number, or it tells nothing that another does not tell.
struct Centres {
  Columns centre;
  std::vector<std::vector<double>> scale;
};

// A plan at work on a graph. The numbers are the release; scores are post-processing of them.
class Release {
 public:
  virtual ~Release() = default;
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  // The noisy numbers for each seed. `first` is the number of the first answer among all of this release:
  // answer i draws its noise from the source of that answer, so that nothing depends on how seeds are
  // grouped. An answer can be asked for once. Where processes release together, the first has the numbers,
  // and the others have columns of what they need to go on, or empty ones.
  virtual std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                       const Progress& progress) = 0;

  // Where one artefact serves all answers, throws it away and draws another from the source of `answer`.
  // That would spend epsilon again: for audits, which need many artefacts and never show one.
  virtual void renew(std::uint64_t answer) { static_cast<void>(answer); }

  // The scale of the noise in lattice units: public, given what the recipient knows.
  virtual double scale(const SeedVector& seed, std::size_t column, Node node) const = 0;

  // Of a release in blocks, each decided by those before it (docs/math/25-adaptive-blocks.md): what its
  // numbers were on this graph, had everything before each come out as in `released`. For audits.
  virtual std::optional<Centres> centres(const Columns& released, const SeedVector& seed) const {
    static_cast<void>(released), static_cast<void>(seed);
    return {};
  }

  // Sees the numbers, the plan and, in personalized scope, the seed's own links.
  virtual PrivateScores scores(const Columns& columns, const SeedVector& seed) const = 0;

  // What was released for one seed, as bytes: all numbers. A mechanism that chooses sets or labels from
  // released numbers gives those as well. A ledger keeps a tag of these bytes and compares.
  using Bytes = std::function<void(std::span<const std::byte>)>;
  virtual void each_released(const Columns& columns, const Bytes& visit) const {
    for (const Column& column : columns) {
      const std::uint64_t size = column.size();
      visit(std::as_bytes(std::span(&size, 1)));
      visit(std::as_bytes(std::span(column)));
    }
  }

  // The numbers of each seed in turn, with their scores.
  using Answer = std::function<void(const Columns& columns, PrivateScores scores)>;
  virtual void each_answer(std::span<const SeedVector> seeds, std::uint64_t first, const Progress& progress,
                           const Answer& visit) {
    const std::vector<Columns> released = numbers(seeds, first, progress);
    if (released.size() != seeds.size()) fail("{} seeds have {} answers", seeds.size(), released.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) visit(released[i], scores(released[i], seeds[i]));
  }

  // The scores alone.
  virtual std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, std::uint64_t first,
                                            const Progress& progress) {
    std::vector<PrivateScores> answers;
    answers.reserve(seeds.size());
    each_answer(seeds, first, progress,
                [&](const Columns&, PrivateScores scores) { answers.push_back(std::move(scores)); });
    return answers;
  }

 protected:
  Release() = default;
};

class Mechanism {
 public:
  virtual ~Mechanism() = default;
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;

  // The release keeps references to all three.
  virtual std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                         const Progress& progress) const = 0;

  // Whether the processes of a job, each with a part of the graph, can release it together.
  virtual bool can_be_spread() const { return true; }

  // Where plans have Artefact::numbers. The numbers of an artefact, which is released:
  virtual std::vector<std::int64_t> artefact(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                             const Progress& progress) const;
  // Error{failed} when they are not such numbers.
  virtual void check_artefact(const Plan& plan, std::span<const std::int64_t> values) const;
  // Post-processing of them, for the diffusion and the scope of the plan.
  virtual std::vector<PrivateScores> answers(const Plan& plan, std::span<const std::int64_t> values,
                                             const Graph& graph, std::span<const SeedVector> seeds) const;
  // The same, for long lists of seeds. May keep none of its arguments but the graph.
  virtual std::unique_ptr<ArtefactAnswers> list(const Plan& plan, std::span<const std::int64_t> values,
                                                const Graph& graph, const Listing& listing) const;

 protected:
  Mechanism() = default;
};

// Error{usage} naming those there are.
const Mechanism& find_mechanism(const std::string& name);

// The mechanisms of this repository; their plans are made in src/plan.
#define HUSHWALK_DECLARED(name, code) std::unique_ptr<Mechanism> code##_mechanism();
HUSHWALK_MECHANISMS(HUSHWALK_DECLARED)
#undef HUSHWALK_DECLARED

// The artefact of `shared`: B_v + Laplace, in units of 2^-32, by Node.
std::vector<std::int64_t> release_links(const Plan& plan, const Graph& graph, NoiseSource& source,
                                        const Progress& progress = {});

// One from outside this repository, whose planner has been added.
void add_mechanism(const std::string& name, std::unique_ptr<Mechanism> mechanism);

// Puts another in the place of each, before any is used.
void replace_mechanisms(
    const std::function<std::unique_ptr<Mechanism>(const std::string&, std::unique_ptr<Mechanism>)>& by);

// refuse_several_processes(), unless the graph is spread over them all: those draw noise as one.
void refuse_processes_beside(const Graph& graph);

// A ranker by a plan that make_plan() made: whoever brings another lowers its noise. Does not look for other
// processes: its callers have.
PrivateRanker planned_ranker(Graph graph, Plan plan, const Progress& progress);

}  // namespace hushwalk
