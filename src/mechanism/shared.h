#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mechanism/estimate.h"
#include "mechanism/mechanism.h"

namespace hushwalk {

// One noisy number a node, drawn once; every answer is made from them and the seed's own links.
std::unique_ptr<Mechanism> make_shared();

// The artefact: B_v + Laplace, in units of 2^-32, by Node.
std::vector<std::int64_t> release_background(const Plan& plan, const Graph& graph,
                                             const RandomSource& source);

// What any number of answers are made from: post-processing of an artefact.
class SharedAnswers {
 public:
  SharedAnswers(const Plan& plan, std::span<const std::int64_t> background);
  PrivateScores answer(const Graph& graph, const Diffusion& diffusion, Scope scope,
                       const SeedVector& seed) const;

 private:
  double scale_;
  Shrunk shrunk_;
};

}  // namespace hushwalk
