#include "mechanism/node_noise.h"

#include <algorithm>

#include "base/parallel.h"

namespace hushwalk {
namespace {

constexpr std::size_t piece_size = 1 << 14;  // entries per stream: a new stream costs about 100 of them
// No two draws share a stream: at most 2^18 pieces (4e9 nodes) a round and 2^22 rounds (1e6 steps) an answer.
constexpr int piece_bits = 18, round_bits = 22;

}  // namespace

void draw_noise(const NoiseStreams& streams, std::uint64_t round, const DiscreteLaplace& noise,
                std::span<std::int64_t> out) {
  const std::size_t pieces = (out.size() + piece_size - 1) / piece_size;
  const std::uint64_t first_stream = ((streams.answer << round_bits) + round) << piece_bits;
  parallel_for(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      const std::size_t begin = piece * piece_size, end = std::min(begin + piece_size, out.size());
      noise.fill(*streams.source.stream(first_stream + piece), out.subspan(begin, end - begin));
    }
  });
}

}  // namespace hushwalk
