// Counts are exact. Triangles are counted exactly while the graph has few wedges (paths of two edges), else
// estimated from a sample of them (Schank and Wagner, "Approximating clustering coefficient and
// transitivity", 2005) that is drawn from a fixed seed, so the same graph always shows the same numbers.

#include "hushwalk/statistics.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "graph/generate/counter_random.h"
#include "graph/graph_impl.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t exact_wedges = 4'000'000;
constexpr std::uint64_t sampled_wedges = 400'000;  // standard error at most 0.0008

// Rows are in descending order of degree, which gives the order statistics for nothing.
void describe_degrees(const Csr& csr, GraphStatistics& s) {
  if (csr.rows() == 0) return;
  const auto at = [&](std::size_t row) { return csr.degree(static_cast<Row>(row)); };
  s.max_degree = at(0);
  s.min_degree = at(csr.rows() - 1);
  // The smallest degree that at least this percentage of nodes do not exceed.
  const auto quantile = [&](std::size_t percent) {
    return at(csr.rows() - (csr.rows() * percent + 99) / 100);
  };
  s.median_degree = quantile(50);
  s.p90_degree = quantile(90);
  s.p99_degree = quantile(99);
  s.mean_degree = static_cast<double>(csr.neighbors.size()) / static_cast<double>(csr.rows());
  const auto bin_of = [](std::uint64_t degree) { return static_cast<std::size_t>(std::bit_width(degree)); };
  s.degrees.push_back({.from = 0, .to = 0, .nodes = 0});
  for (std::uint64_t from = 1; from <= s.max_degree; from *= 2)
    s.degrees.push_back({.from = from, .to = 2 * from - 1, .nodes = 0});
  for (std::size_t row = 0; row < csr.rows(); ++row) ++s.degrees[bin_of(at(row))].nodes;
  s.isolated = s.degrees[0].nodes;
}

// Disjoint sets with path halving, the smaller row as representative.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), Row{0}); }

  Row find(Row x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(Row x, Row y) {
    const auto [low, high] = std::minmax({find(x), find(y)});
    parent_[high] = low;
  }

 private:
  std::vector<Row> parent_;
};

void describe_components(const Csr& csr, GraphStatistics& s) {
  Sets sets(csr.rows());
  for (Row row = 0; row < csr.rows(); ++row)
    for (const Row other : csr.row(row))
      if (other < row) sets.join(row, other);
  std::vector<std::uint32_t> sizes(csr.rows());
  for (Row row = 0; row < csr.rows(); ++row) ++sizes[sets.find(row)];
  for (const std::uint64_t size : sizes) {
    s.components += size > 0;
    s.largest_component = std::max(s.largest_component, size);
  }
}

std::uint64_t pairs(std::uint64_t degree) { return degree < 2 ? 0 : degree * (degree - 1) / 2; }

bool adjacent(const Csr& csr, Row a, Row b) {
  // The row with the larger number has the smaller degree.
  return std::ranges::binary_search(csr.row(std::max(a, b)), std::min(a, b));
}

std::uint64_t closed_wedges_at(const Csr& csr, Row row) {
  const auto neighbors = csr.row(row);
  std::uint64_t closed = 0;
  for (std::size_t i = 1; i < neighbors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) closed += adjacent(csr, neighbors[i], neighbors[j]);
  return closed;
}

bool random_wedge_is_closed(const Csr& csr, Row center, std::uint64_t first, std::uint64_t second) {
  const auto neighbors = csr.row(center);
  const std::size_t i = below(neighbors.size(), first);
  const std::size_t j = below(neighbors.size() - 1, second);
  return adjacent(csr, neighbors[i], neighbors[j < i ? j : j + 1]);
}

// Rows of degree 2 or more come first; wedges_before[r] counts the wedges centred at rows below r.
struct Wedges {
  Row centers = 0;
  std::vector<std::uint64_t> before = {0};

  explicit Wedges(const Csr& csr) {
    for (; centers < csr.rows() && csr.degree(centers) >= 2; ++centers) {
      const std::uint64_t more = pairs(csr.degree(centers));
      // Beyond 2^64 wedges (several hubs of billions) the first hubs stand for all.
      if (__builtin_add_overflow(before.back(), more, &before.emplace_back()))
        before.back() = before.end()[-2];
    }
  }
  std::uint64_t total() const { return before.back(); }
  Row center_of(std::uint64_t wedge) const {
    return static_cast<Row>(std::ranges::upper_bound(before, wedge) - before.begin() - 1);
  }
};

void count_triangles(const Csr& csr, const Wedges& wedges, GraphStatistics& s) {
  std::vector<std::uint64_t> closed(wedges.centers);
  parallel_for(wedges.centers, 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      closed[row] = closed_wedges_at(csr, static_cast<Row>(row));
  });
  double local = 0;
  for (Row row = 0; row < wedges.centers; ++row)
    local += static_cast<double>(closed[row]) / static_cast<double>(pairs(csr.degree(row)));
  const std::uint64_t all = std::accumulate(closed.begin(), closed.end(), std::uint64_t{0});
  s.clustering = local / static_cast<double>(wedges.centers);
  s.transitivity = static_cast<double>(all) / static_cast<double>(wedges.total());
}

// The share of closed wedges among `sampled_wedges` with random centres.
template <class Center>
double closed_share(const Csr& csr, Stream stream, const Center& center) {
  const CounterRandom random(1, stream);
  std::vector<unsigned char> closed(sampled_wedges);
  parallel_for(sampled_wedges, 1 << 12, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      closed[i] =
          random_wedge_is_closed(csr, center(random.word(i, 0)), random.word(i, 1), random.word(i, 2));
  });
  return static_cast<double>(std::ranges::count(closed, 1)) / static_cast<double>(sampled_wedges);
}

void describe_triangles(const Csr& csr, GraphStatistics& s) {
  const Wedges wedges(csr);
  if (wedges.centers == 0) return;
  if (wedges.total() <= exact_wedges) return count_triangles(csr, wedges, s);
  s.sampled = true;
  // A uniform centre estimates the mean of local coefficients, a uniform wedge the global one.
  s.clustering = closed_share(csr, Stream::centers, [&](std::uint64_t word) {
    return static_cast<Row>(below(wedges.centers, word));
  });
  s.transitivity = closed_share(
      csr, Stream::wedges, [&](std::uint64_t word) { return wedges.center_of(below(wedges.total(), word)); });
}

}  // namespace

GraphStatistics statistics(const Graph& graph) {
  const Csr& csr = csr_of(graph);
  GraphStatistics s{};
  s.nodes = graph.nodes();
  s.edges = graph.secret_edges();
  describe_degrees(csr, s);
  describe_components(csr, s);
  describe_triangles(csr, s);
  return s;
}

}  // namespace hushwalk
