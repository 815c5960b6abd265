#include "mechanism/node_noise.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace hushwalk {
namespace {

constexpr std::size_t piece_size = 1 << 14;  // entries per stream: a new stream costs about 100 of them
// Streams of one round, enough for max_nodes, however few of them it draws for: rounds of different lengths
// must not meet. Room for four million rounds an answer.
constexpr std::uint64_t streams_per_round = std::uint64_t{1} << 18;
static_assert(streams_per_round * piece_size >= max_nodes);

}  // namespace

void draw_noise(const NoiseStreams& streams, std::uint64_t round, const DiscreteLaplace& noise,
                std::span<std::int64_t> out) {
  const std::size_t pieces = (out.size() + piece_size - 1) / piece_size;
  const std::uint64_t first_stream = streams.answer * streams_per_answer + round * streams_per_round;
  parallel_for(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      const std::size_t begin = piece * piece_size, end = std::min(begin + piece_size, out.size());
      noise.fill(*streams.source.stream(first_stream + piece), out.subspan(begin, end - begin));
    }
  });
}

void add_noise_by_part(const NoiseStreams& streams, std::uint64_t round, const NoiseByPart& noise,
                       const SeedVector& seed, std::span<const Node> near, std::span<std::int64_t> numbers) {
  std::vector<std::int64_t> drawn(numbers.size()), near_drawn(near.size());
  draw_noise(streams, 2 * round, noise.far, drawn);
  draw_noise(streams, 2 * round + 1, noise.near, near_drawn);
  for (std::size_t i = 0; i < near.size(); ++i) drawn[near[i]] = near_drawn[i];
  for (const auto& [node, weight] : seed.entries()) drawn[node] = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = plus_noise(numbers[i], drawn[i]);
}

}  // namespace hushwalk
