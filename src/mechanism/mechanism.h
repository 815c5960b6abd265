// What a mechanism is: it completes a plan from public numbers, and it releases answers by the plan. To add
// one, write such a class in a file of its own and name it in registry.cpp (docs/extending.md).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/mechanism.h"
#include "noise/random_source.h"

namespace hushwalk {

// A plan at work on a graph.
class Release {
 public:
  virtual ~Release() = default;
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  // One answer for each seed. `first` is the number of the first answer among all of this release: answer i
  // draws its noise from streams of its own, so that nothing depends on how seeds are grouped.
  virtual std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, std::uint64_t first,
                                            const Progress& progress) = 0;

 protected:
  Release() = default;
};

class Mechanism {
 public:
  virtual ~Mechanism() = default;
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;

  virtual std::string name() const = 0;

  // Adds parameters, lattice, noise and guarantee to a plan that has the common part of the request.
  // Error{refused} when no proof covers it, with what to use instead.
  virtual void complete(Plan& plan, const ReleaseRequest& request) const = 0;

  // The release keeps references to all three.
  virtual std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, const RandomSource& source,
                                         const Progress& progress) const = 0;

 protected:
  Mechanism() = default;
};

// Error{usage} naming those there are.
const Mechanism& find_mechanism(const std::string& name);

}  // namespace hushwalk
