#include "mechanism/node_noise.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "base/phase.h"

namespace hushwalk {

void draw_noise(const NoiseAddress& address, const DiscreteLaplace& noise, std::span<std::int64_t> out,
                Node first) {
  const Phase phase("drawing noise");
  const std::size_t pieces = (out.size() + nodes_per_piece - 1) / nodes_per_piece;
  parallel_for(pieces, 1, [&](std::size_t begin, std::size_t end) {
    const std::size_t from = begin * nodes_per_piece, to = std::min(end * nodes_per_piece, out.size());
    draw_by_address(address.source, address.kind, address.step, noise, first + from,
                    out.subspan(from, to - from));
  });
}

std::vector<std::int64_t> draw_noise_for(const NoiseAddress& address, const DiscreteLaplace& noise,
                                         std::span<const Node> nodes) {
  const Phase phase("drawing noise");
  std::vector<std::int64_t> drawn;
  std::unique_ptr<PieceWords> words;
  std::array<std::int64_t, nodes_per_group> group;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node node = nodes[i];
    const std::uint64_t piece = node / nodes_per_piece, within = node % nodes_per_piece;
    if (i == 0 || nodes[i - 1] / nodes_per_piece != piece)
      words = address.source.piece({address.kind, address.step, piece});
    if (i == 0 || nodes[i - 1] / nodes_per_group != node / nodes_per_group)
      noise.fill(*words, within / nodes_per_group, group);
    drawn.push_back(group[node % nodes_per_group]);
  }
  return drawn;
}

namespace {

// Those of some nodes, in ascending order, that have numbers.
std::span<const Node> within(std::span<const Node> nodes, const NumbersOfNodes& to) {
  const auto first = std::ranges::lower_bound(nodes, to.first);
  return {first, std::ranges::lower_bound(first, nodes.end(), to.first + std::uint64_t{to.numbers.size()})};
}

}  // namespace

void add_noise(const NoiseAddress& address, const DiscreteLaplace& noise, std::span<const Node> nodes,
               const NumbersOfNodes& to) {
  std::vector<std::int64_t> drawn(to.numbers.size());
  draw_noise(address, noise, drawn, to.first);
  for (const Node node : within(nodes, to)) {
    std::int64_t& number = to.numbers[node - to.first];
    number = plus_noise(number, drawn[node - to.first]);
  }
}

void add_noise_by_part(NoiseSource& source, std::uint64_t column, const NoiseByPart& noise,
                       const SeedVector& seed, std::span<const Node> near, const NumbersOfNodes& to) {
  std::vector<std::int64_t> drawn(to.numbers.size());
  draw_noise({source, NoiseKind::rest, column}, noise.far, drawn, to.first);
  const std::span<const Node> here = within(near, to);
  const std::vector<std::int64_t> near_drawn =
      draw_noise_for({source, NoiseKind::neighbors, column}, noise.near, here);
  for (std::size_t i = 0; i < here.size(); ++i) drawn[here[i] - to.first] = near_drawn[i];
  for (const auto& [node, weight] : seed.entries())
    if (to.has(node)) drawn[node - to.first] = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) to.numbers[i] = plus_noise(to.numbers[i], drawn[i]);
}

}  // namespace hushwalk
