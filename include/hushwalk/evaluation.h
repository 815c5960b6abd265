// How good private rankings are, against the exact ones; and parameters by simulation on a public proxy.
// An evaluation reads every edge and is itself NOT private: its numbers are for the custodian, or about a
// public graph.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hushwalk/accounting.h"
#include "hushwalk/graph.h"
#include "hushwalk/parameters.h"
#include "hushwalk/progress.h"

namespace hushwalk {

struct EvaluationRequest {
  // mechanism_names(), `auto`, and two that only an evaluation knows:
  //   exact  the truth itself
  //   free   what costs no budget: the recipient's own neighbours by their known share of a first step, then
  //          all other nodes, equals in random order (ids may follow the edges); in edge scope, where
  //          nobody's neighbours are known, all nodes in random order
  std::vector<std::string> mechanisms = {"auto"};
  std::vector<Epsilon> epsilons = {Epsilon(1)};
  std::vector<Eta> etas = {};  // for mechanisms that clip; empty: their default
  // All others; background and taper for mechanisms that have them. With several `rankings` an epsilon is
  // what so many recipients share: one artefact has it once, fresh noise for each an equal part, and `auto`
  // chooses for all of them.
  ReleaseParameters release = {};
  std::uint64_t seeds = 100;      // drawn from the nodes of degree >= 1, the same for all mechanisms
  std::uint64_t random_seed = 1;  // of the choice of seeds and of `free`; noise is never seeded
  std::uint64_t top = 100;        // R, at most n - 1
  std::uint64_t exact_scores_at_a_time = std::uint64_t{1} << 26;  // 8 bytes each; 16 seeds always fit
};

// A mean over seeds and the half-width of its 95 % interval, 1.96 standard errors. Seeds for which the number
// is undefined are left out; no value when none is left, no interval when one is.
struct Measure {
  std::optional<double> mean, ci;
  friend bool operator==(const Measure&, const Measure&) = default;
};

// How another row of the same epsilon compares, seed by seed.
struct Versus {
  std::string other;  // its mechanism, or mechanism@eta when several etas were asked for
  Measure ndcg;       // of this row less the other's
  friend bool operator==(const Versus&, const Versus&) = default;
};

// One cell of the table. The seed is left out everywhere; equal scores are in the order of the user's ids.
struct EvaluationRow {
  std::string mechanism;                // as given
  std::optional<std::string> resolved;  // what `auto` stands for; none when refused
  std::optional<double> epsilon, eta;   // as given; none where meaningless
  Measure ndcg;      // NDCG@R: relevance is the exact score (0 if negative), discount log2(rank + 1)
  Measure recall;    // the share of the true best R nodes that are among the answer's best R
  Measure new_ndcg;  // the same two with the seed's neighbours left out of truth and answer
  Measure new_recall;
  Measure l1;       // sum over nodes of |answer - exact|
  Measure kendall;  // tau-b between exact scores and answer over the true best R nodes, from -1 to 1
  Measure gain;     // ndcg less that of `free`, seed by seed
  // Of the answer's best R nodes that have a range for their exact rank (RankRange): the share whose exact
  // rank is in it, how many ranks are in it, and what share of the R nodes has one.
  Measure rank_coverage, rank_width, rank_share;
  std::vector<Versus>
      versus;          // against the earlier rows of the same epsilon, so that each pair is there once
  double seconds = 0;  // of all answers together
  std::optional<std::string> refused;  // why no proof covers the cell; then it has no numbers
  std::vector<double> seed_ndcg;       // of every seed, NaN where undefined
};

struct EvaluationSummary {
  std::uint64_t seeds = 0;  // fewer than asked for when there are not enough nodes of degree >= 1
  std::uint64_t top = 0;    // R
};

// One row for each epsilon, mechanism and, where the mechanism clips, eta, in that order of nesting; `exact`
// and `free` come first, once. `on_row` is called on the calling thread as soon as a row is done; rows of
// `done`, from an earlier run of the same request, are not done again. `auto` sees one ranking at a time
// unless `release.rankings` says more. An artefact is drawn afresh for every ten seeds, else one lucky
// artefact would decide all and the interval would mean nothing. When the exact scores of all seeds do not
// fit, seeds are taken in portions and all rows come at the end. Error{usage} when the request makes no
// sense.
EvaluationSummary evaluate(const Graph& graph, const EvaluationRequest& request,
                           const std::function<void(const EvaluationRow&)>& on_row,
                           const Progress& progress = {}, std::span<const EvaluationRow> done = {});

// What `tune` looks for: the best parameters at an epsilon, or the smallest epsilon for an expected NDCG.
struct TuneRequest {
  std::optional<Epsilon> epsilon = {};     // one of these two
  std::optional<double> target_ndcg = {};  // above 0, at most 1
  // All but mechanism and epsilon, which are looked for. Several `rankings` share an epsilon, as in an
  // evaluation.
  ReleaseParameters release = {};
  std::uint64_t seeds = 30;  // fewer when the exact scores of all would take more than 512 MB
  std::uint64_t random_seed = 1;
  std::uint64_t top = 100;
};

// What was tried, for the proxy; the parameters are those of its plan, none where meaningless.
struct TunedPlan {
  ReleaseParameters parameters;  // epsilon is of each ranking: what each recipient gets
  Epsilon total_epsilon{1};      // what all recipients share
  Measure ndcg, new_ndcg;
};

struct Tuned {
  TunedPlan best;
  Measure free_ndcg, free_new_ndcg;  // what costs no budget
  // Own neighbours alone reach the target, or do no worse than the best of what was tried: there is nothing
  // to spend a budget on. With a target, nothing is tried then.
  bool free_is_enough = false;
  std::vector<TunedPlan> tried;  // in the order of trying
  std::uint64_t seeds = 0;
};

inline constexpr double smallest_tuned_epsilon = 1e-3, largest_tuned_epsilon = 10;

// By simulation on `proxy`, which is taken as PUBLIC: parameters chosen on the secret graph would tell about
// its edges, so never pass that one.
//   epsilon      the highest mean NDCG of all that the planners offer to tune, in the order of
//                mechanism_names(): each with its defaults first, then with others of its own parameters.
//                Within 0.001 the earlier, which is the simpler, wins. new_ndcg is measured, but never
//                decides.
//   target_ndcg  the epsilon, within 5 %, from which `auto` reaches the target, between 0.001 and 10; noise
//                makes the edge of the search soft. Nothing but `auto` is tried, so never `frontier`.
//                Error{failed} when 10 is not enough.
// Both are epsilons that all recipients share; each plan is measured at what each recipient gets of it.
// Error{usage} when the request makes no sense, Error{refused} when no candidate has a proof.
Tuned tune(const Graph& proxy, const TuneRequest& request, const Progress& progress = {});
// The same on a generated graph of about that size, which is taken as public.
struct ProxySize {
  std::uint64_t nodes = 0, edges = 0;
};
Tuned tune(const ProxySize& size, const TuneRequest& request, const Progress& progress = {});

}  // namespace hushwalk
