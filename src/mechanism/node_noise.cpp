#include "mechanism/node_noise.h"

#include <algorithm>

#include "base/parallel.h"

namespace hushwalk {
namespace {

constexpr std::size_t piece_size = 1 << 14;  // entries per stream: a new stream costs about 100 of them
constexpr std::uint64_t streams_per_answer = std::uint64_t{1} << 40;

}  // namespace

void draw_noise(const NoiseStreams& streams, std::uint64_t round, const DiscreteLaplace& noise,
                std::span<std::int64_t> out) {
  const std::size_t pieces = (out.size() + piece_size - 1) / piece_size;
  const std::uint64_t first_stream = streams.answer * streams_per_answer + round * pieces;
  parallel_for(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      const std::size_t begin = piece * piece_size, end = std::min(begin + piece_size, out.size());
      noise.fill(*streams.source.stream(first_stream + piece), out.subspan(begin, end - begin));
    }
  });
}

}  // namespace hushwalk
