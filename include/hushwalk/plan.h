// Plans of private answers. A plan is made from public facts only and says everything: parameters, noise,
// guarantee. It cannot see a graph.
//
//   const Plan plan = make_plan(public_facts(10'000), {.epsilon = Epsilon(1)});
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hushwalk/accounting.h"
#include "hushwalk/facts.h"
#include "hushwalk/parameters.h"

namespace hushwalk {

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

// What all rankings of a plan are made from.
enum class Artefact {
  none,     // nothing in common: each has noise of its own
  numbers,  // noisy numbers, which can be kept and published
  pairs,    // noisy pairs of nodes, too many to be kept
};

// Plain data. Two plans that are equal have equal certificates. Plans are written into certificates,
// artefacts and ledgers: what a member means may never change; a new meaning needs a new member, and a new
// version of the certificate (certificate_format).
struct Plan {
  ReleaseParameters
      parameters;  // what they came to: no `auto`; epsilon as asked, the guarantee is not above it
  PublicFacts graph;

  int lattice_bits = 0;           // released numbers are multiples of 2^-lattice_bits; eta too, rounded down
  double sensitivity = 0;         // l1, in the unit of the numbers, rounding included
  std::string sensitivity_bound;  // the name of its proof
  double slack = 0;               // the part of the sensitivity that is rounding
  std::vector<NoiseUse> noise;
  Guarantee guarantee;           // of one ranking
  std::string theorem;           // in words, with its note in docs/math
  bool proven = true;            // false: by a mechanism from outside, on its author's word
  bool needs_max_edges = false;  // the guarantee rests on the bound on edges
  Artefact artefact = Artefact::none;

  bool one_artefact() const noexcept { return artefact != Artefact::none; }
  // What all rankings of the plan spend together: one noisy artefact serves all, or each has its own noise
  // and their epsilons add up, in the units of a ledger: ten times 0.1 is 1.
  double epsilon() const noexcept { return parameters.epsilon.value(); }  // of one ranking
  double total_epsilon() const;
  double total_delta() const noexcept;
  double certified_delta() const noexcept;  // 0 when the guarantee is pure
  friend bool operator==(const Plan&, const Plan&) = default;
};

// Error{usage} when the request makes no sense, Error{refused} with the reason and the remedy when no proof
// covers it. Sees nothing but its arguments.
Plan make_plan(const PublicFacts& facts, const ReleaseParameters& request);

// Error{refused} unless the plan is what make_plan makes of its own parameters: nobody may lower its noise.
void check_plan(const Plan& plan);

// What one ranking costs (the artefact, where one serves all) when it is added up with other releases.
PrivacyCost privacy_cost(const Plan& plan);

// The theorems of proofs/ that cover the plan, as file.name; none: it is proven on paper only, or not at all.
std::vector<std::string> machine_checked(const Plan& plan);

// About what all rankings of a plan take on one core of our time, and an answer beside the graph.
struct PlanWork {
  double bytes = 0;
  double noise_seconds = 0, seconds_per_million_edges = 0;
};
PlanWork plan_work(const Plan& plan);

}  // namespace hushwalk
