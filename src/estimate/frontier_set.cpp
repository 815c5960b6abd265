#include "estimate/frontier_set.h"

#include <algorithm>

#include "diffusion/lattice.h"

namespace hushwalk {
namespace {

// From so many links of a node of N on average, its nodes are hubs; divided by the scale of the noise where
// that is above a link: what is blurred more must gain more.
constexpr double links_of_a_hub = 150;
constexpr double unit = std::int64_t{1} << 32;

// By more than one standard deviation of the noise in the sum, sqrt(2 |O|) scales: compared as squares. By
// products and quotients alone, which every machine rounds alike.
bool leads_to_hubs(std::span<const std::int64_t> into_near, double lattice_scale,
                   const std::vector<Node>& far, std::size_t near) {
  Int128 sum = 0;
  for (const Node v : far) sum += into_near[v];
  const auto hub = static_cast<std::int64_t>(links_of_a_hub * unit / std::max(1.0, lattice_scale / unit));
  const Int128 beyond = sum - Int128{hub} * static_cast<std::int64_t>(near);
  if (beyond <= 0) return false;
  const auto units = static_cast<double>(beyond);
  return units * units > 2 * static_cast<double>(far.size()) * (lattice_scale * lattice_scale);
}

}  // namespace

std::vector<Node> nodes_to_look_at_again(std::span<const std::int64_t> into_near, double lattice_scale,
                                         const std::vector<Node>& far, std::size_t near, std::uint64_t most) {
  const std::size_t count = std::min<std::size_t>(most, far.size() / 2);
  if (count == 0 || near == 0 || leads_to_hubs(into_near, lattice_scale, far, near)) return {};
  std::vector<Node> chosen = far;
  const auto last = chosen.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(chosen.begin(), last, chosen.end(), [&](Node a, Node b) {
    return into_near[a] != into_near[b] ? into_near[a] > into_near[b] : a < b;
  });
  chosen.erase(last, chosen.end());
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace hushwalk
