// Many releases of one graph: only the numbers an attacker looks at are kept.
#pragma once

#include <functional>
#include <vector>

#include "audit/exact_loss.h"

namespace hushwalk::auditing {

// Some numbers of many releases: place p of trial t is values[t * places + p].
struct Sample {
  std::size_t places = 0;
  std::vector<std::int64_t> values;

  std::size_t trials() const noexcept { return places == 0 ? 0 : values.size() / places; }
  std::span<const std::int64_t> trial(std::size_t t) const {
    return std::span(values).subspan(t * places, places);
  }
};

// Independent releases for the seed, on all threads; `done` is told how many there are from time to time.
Sample sample(const Subject& subject, const Graph& graph, const SeedVector& seed,
              std::span<const Place> places, std::uint64_t trials,
              const std::function<void(std::uint64_t)>& done);

// Of releases in blocks, on the graph without the edge or on that with it: how much likelier all numbers of
// each are without it, ln(P/P').
std::vector<double> sample_losses(const Subject& subject, const AdjacentPair& pair, bool with_edge,
                                  std::uint64_t trials, const std::function<void(std::uint64_t)>& done);

}  // namespace hushwalk::auditing
