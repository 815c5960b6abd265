// Which stream of random words serves which draw of a release, told once more and by itself: whoever changes
// how noise is drawn changes this file, and no other test of released numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "noise/discrete_laplace.h"
#include "noise/geometric.h"
#include "noise/random_source.h"

namespace hushwalk::testing {

class NoiseOfAnswer {
 public:
  NoiseOfAnswer(const RandomSource& source, std::uint64_t answer) : source_(source), answer_(answer) {}

  // `paper`, `output`, `pushflow`: draw `draw` of `draws` on every node after step `step`, counted from 0.
  std::vector<std::int64_t> after_step(std::size_t step, std::size_t draw, std::size_t draws, double scale,
                                       std::size_t nodes) const {
    return round(step * draws + draw, scale, nodes);
  }

  // `twohop`: column `column` of the nodes that are no neighbours of a seed, by node, as if all were such...
  std::vector<std::int64_t> of_rest(std::size_t column, double scale, std::size_t nodes) const {
    return round(2 * column, scale, nodes);
  }
  // ... and of the neighbours, in the order of the node list.
  std::vector<std::int64_t> of_neighbors(std::size_t column, double scale, std::size_t neighbors) const {
    return round(2 * column + 1, scale, neighbors);
  }

  // `shared`: the artefact is drawn for answer 0.
  std::vector<std::int64_t> of_artefact(double scale, std::size_t nodes) const {
    return round(0, scale, nodes);
  }

  // `edgeflip`, for answer 0 too: whether pair {u, v}, u < v, is flipped, at v (v - 1) / 2 + u.
  std::vector<char> flips(double skip_scale, std::size_t nodes) const {
    std::vector<char> flipped(nodes * (nodes - 1) / 2);
    std::size_t first = 0, piece = 0;
    for (std::size_t v = 1; v <= nodes; ++v) {
      const std::size_t pairs = v * (v - 1) / 2 - first, more = v < nodes ? v : 0;
      const bool full = pairs + more > pairs_per_stream && pairs > 0;
      if (!full && v < nodes) continue;
      flip(std::span(flipped).subspan(first, pairs), skip_scale, *stream(piece++));
      first += pairs;
    }
    return flipped;
  }

 private:
  static constexpr std::size_t draws_per_stream = 1 << 14, pairs_per_stream = 1 << 22;

  std::unique_ptr<RandomStream> stream(std::uint64_t number) const {
    return source_.stream((answer_ << 40) + number);
  }

  std::vector<std::int64_t> round(std::uint64_t number, double scale, std::size_t count) const {
    const DiscreteLaplace noise(scale);
    std::vector<std::int64_t> drawn(count);
    for (std::size_t i = 0; i < count; i += draws_per_stream)
      noise.fill(*stream((number << 18) + i / draws_per_stream),
                 std::span(drawn).subspan(i, std::min(draws_per_stream, count - i)));
    return drawn;
  }

  static void flip(std::span<char> pairs, double skip_scale, RandomStream& stream) {
    const DiscreteLaplace noise(skip_scale);
    GeometricSkips skips(noise, stream);
    for (std::uint64_t next = skips.next(); next < pairs.size(); next += 1 + skips.next()) pairs[next] = 1;
  }

  const RandomSource& source_;
  std::uint64_t answer_;
};

}  // namespace hushwalk::testing
