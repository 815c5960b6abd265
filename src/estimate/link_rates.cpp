// Nodes are told apart by two things only: the band of their popularity, and the marks next to their noisy
// counts. The fits read how many nodes are where and nothing else, so that their time hardly depends on how
// many nodes there are.
#include "estimate/link_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "estimate/lanes.h"
#include "estimate/laplace_mixture.h"
#include "estimate/rate_rows.h"

namespace hushwalk {
namespace {

// The distribution of z has a mass at every third rate row, from about 2^-7 to 2^10. The class of a node is
// the row of its expected rate; fits take the nearest multiple of three for it, so that they need every third
// row only.
constexpr int rows_per_power = 3;
constexpr int powers = 24, first_power = -10;
using PowerMass = std::array<double, powers>;
using Classes = std::vector<int>;  // by band

int nearest_power(int rate_class) {
  return static_cast<int>(std::floor((static_cast<double>(rate_class) + 1) / rows_per_power));
}

using CoarseMarks = LaplaceMarks<3, 2>;  // for fits
using FineMarks = LaplaceMarks<5, 4>;    // for posterior means: they tell whole numbers of links apart

// How many nodes are in each band of popularity, and how many of these at each mark.
class Census {
 public:
  Census(const NoisyCounts& noisy, std::span<const double> popularity, const CoarseMarks& marks,
         std::size_t mark_count)
      : marks_(mark_count),
        band_of_(popularity.size()),
        nodes_(band(std::ranges::max(popularity)) + 1),
        at_(nodes_.size() * marks_) {
    for (std::size_t i = 0; i < band_of_.size(); ++i) {
      const std::size_t of_node = band(popularity[i]);
      const auto [mark, within] = marks.place(noisy.values[i]);
      double* const at = at_.data() + of_node * marks_ + mark;
      band_of_[i] = static_cast<std::uint16_t>(of_node);
      ++nodes_[of_node];
      at[0] += 1 - within;
      at[1] += within;
    }
  }

  std::size_t bands() const { return nodes_.size(); }
  std::size_t marks() const { return marks_; }
  std::size_t band_of(std::size_t node) const { return band_of_[node]; }
  double nodes(std::size_t band) const { return nodes_[band]; }
  std::span<const double> at_marks(std::size_t band) const {
    return std::span(at_).subspan(band * marks_, marks_);
  }
  static double popularity(std::size_t band) {  // in its middle
    return (Bands::begin(band) + Bands::begin(band + 1)) / (2 * per_link);
  }

 private:
  // An eighth of a link wide at first, then about a tenth of the popularity.
  using Bands = WideningCells<3>;
  static constexpr double per_link = 8;
  static std::size_t band(double popularity) {
    return Bands::place(std::max(popularity, 0.0) * per_link).cell;
  }

  std::size_t marks_;
  std::vector<std::uint16_t> band_of_;
  std::vector<double> nodes_;  // by band
  std::vector<double> at_;     // band * marks + mark
};

// The class of the rate expected in each band: popularity^a, scaled to the total.
Classes rate_classes(const Census& census, double exponent, double total) {
  constexpr double least_background = 0.25, least_rate = 1e-4, most_rate = 1e3;
  std::vector<double> rate(census.bands());
  double sum = 0;
  for (std::size_t band = 0; band < rate.size(); ++band) {
    rate[band] = std::pow(std::max(Census::popularity(band), least_background), exponent);
    sum += census.nodes(band) * rate[band];
  }
  Classes classes(rate.size());
  std::ranges::transform(rate, classes.begin(), [&](double r) {
    return RateRow::nearest(std::clamp(r * total / sum, least_rate, most_rate));
  });
  return classes;
}

// All rate rows that classes may need, from that of the lowest and the least power of z to the highest.
struct RowRange {
  int from = std::numeric_limits<int>::max(), to = std::numeric_limits<int>::min();  // in powers

  void include(const Classes& classes) {
    const auto [lowest, highest] = std::ranges::minmax(classes);
    from = std::min(from, nearest_power(lowest) + first_power);
    to = std::max(to, nearest_power(highest) + first_power + powers - 1);
  }
  // A class is at most one row away from a multiple of three.
  RateRows laws(std::span<const double> grid) const {
    return {grid, from * rows_per_power - 1, to * rows_per_power + 1};
  }
};

// How likely each mark is at every third rate row; those of a mark lie side by side.
class Likelihoods {
 public:
  Likelihoods(const RateRows& laws, const RowRange& range, LaplaceMixture noise, std::size_t marks)
      : from_(range.from),
        rows_(static_cast<std::size_t>(range.to - range.from + 1)),
        values_(marks * rows_) {
    std::vector<double> sums(marks);
    for (std::size_t row = 0; row < rows_; ++row) {
      noise.sum_at_marks(laws.law((from_ + static_cast<int>(row)) * rows_per_power), sums);
      for (std::size_t mark = 0; mark < marks; ++mark)
        values_[mark * rows_ + row] = sums[mark] + least_likelihood;
    }
  }
  // For all powers of z.
  const double* of(std::size_t mark, int class_power) const {
    return values_.data() + mark * rows_ + static_cast<std::size_t>(class_power + first_power - from_);
  }

 private:
  int from_;
  std::size_t rows_;
  std::vector<double> values_;
};

// Nodes that are alike for a fit.
struct Alike {
  const double* likelihood;  // for all powers of z
  double nodes;
};

struct BandRange {
  std::size_t from, to;  // without `to`
};

std::vector<Alike> pooled(const Census& census, const BandRange& bands, const Classes& classes,
                          const Likelihoods& likelihoods) {
  std::vector<Alike> pool;
  std::vector<double> sum(census.marks());
  for (std::size_t band = bands.from; band < bands.to;) {
    const int power = nearest_power(classes[band]);
    std::ranges::fill(sum, 0.0);
    for (; band < bands.to && nearest_power(classes[band]) == power; ++band)
      if (census.nodes(band) > 0)
        std::ranges::transform(sum, census.at_marks(band), sum.begin(), std::plus());
    for (std::size_t mark = 0; mark < sum.size(); ++mark)
      if (sum[mark] > 0) pool.push_back({likelihoods.of(mark, power), sum[mark]});
  }
  return pool;
}

// Expectation maximisation of the distribution of z. A round changes masses by the square of what is usual,
// and leads about as far as two.
void fit(PowerMass& mass, const std::vector<Alike>& pool, int rounds) {
  double all = 0;
  for (const Alike& alike : pool) all += alike.nodes;
  for (int round = 0; round < rounds; ++round) {
    PowerMass evidence{};
    for (const Alike& alike : pool) {
      const double share = alike.nodes / (all * sum_of_products<powers>(alike.likelihood, mass.data()));
      add_multiple<powers>(share, alike.likelihood, evidence.data());
    }
    for (std::size_t k = 0; k < powers; ++k) mass[k] *= evidence[k] * evidence[k];
    const double sum = sum_of(mass);
    for (double& value : mass) value /= sum;
  }
}

double log_likelihood(const PowerMass& mass, const std::vector<Alike>& pool) {
  double sum = 0;
  for (const Alike& alike : pool)
    sum += alike.nodes * std::log(sum_of_products<powers>(alike.likelihood, mass.data()));
  return sum;
}

PowerMass first_guess() {
  PowerMass mass;
  for (int k = 0; k < powers; ++k)
    mass[static_cast<std::size_t>(k)] = std::exp(-0.93 * std::abs(first_power + k));
  const double sum = sum_of(mass);
  for (double& value : mass) value /= sum;
  return mass;
}

struct Choice {
  const Classes* classes;
  PowerMass mass;
};

// How strongly links into N follow the popularity differs from graph to graph, so the numbers decide; the
// first classes, of exponent 1, unless others are better by a margin.
Choice choose(std::span<const Classes> tried, const Census& census, const Likelihoods& likelihoods) {
  constexpr double margin = 3;
  constexpr int rounds = 10;
  Choice best{nullptr, {}};
  double best_found = 0;
  for (const Classes& classes : tried) {
    const std::vector<Alike> pool = pooled(census, {0, census.bands()}, classes, likelihoods);
    PowerMass mass = first_guess();
    fit(mass, pool, rounds);
    const double found = log_likelihood(mass, pool) + (best.classes == nullptr ? margin : 0);
    if (best.classes != nullptr && !(found > best_found)) continue;
    best = {&classes, mass};
    best_found = found;
  }
  return best;
}

// Groups of similar popularity, each of whole bands, from the most popular ones down: of at least 400 nodes,
// then of twice as many, and so on, without a small one at the end.
std::vector<BandRange> groups(const Census& census) {
  double least = 400, rest = 0;
  for (std::size_t band = 0; band < census.bands(); ++band) rest += census.nodes(band);
  std::vector<BandRange> found;
  for (std::size_t to = census.bands(); to > 0; to = found.back().from, least *= 2) {
    std::size_t from = to;
    for (double taken = 0; from > 0 && (taken < least || rest < least);) {
      taken += census.nodes(--from);
      rest -= census.nodes(from);
    }
    found.push_back({from, to});
  }
  return found;
}

// Posterior means at fine marks, for each band.
class Means {
 public:
  Means(std::span<const double> grid, const RateRows& laws, std::span<const double> marks, double scale,
        std::size_t bands)
      : grid_(grid),
        laws_(laws),
        noise_(grid, marks, scale),
        prior_(grid.size()),
        likelihood_(marks.size()),
        row_of_(bands) {}

  // For the bands of a group, which have a distribution of z in common.
  void add(const Census& census, const BandRange& group, const Classes& classes, const PowerMass& mass) {
    std::size_t before = group.to;  // the band with the row that was made last
    for (std::size_t band = group.from; band < group.to; ++band) {
      if (census.nodes(band) == 0) continue;
      if (before == group.to || classes[band] != classes[before]) add_row(classes[band], mass);
      row_of_[band] = values_.size() - likelihood_.size();
      before = band;
    }
  }
  const double* of(std::size_t band) const { return values_.data() + row_of_[band]; }

 private:
  void add_row(int rate_class, const PowerMass& mass) {
    constexpr double negligible = 1e-15;
    std::ranges::fill(prior_, 0.0);
    for (int k = 0; k < powers; ++k) {
      const double part = mass[static_cast<std::size_t>(k)];
      if (part < negligible) continue;
      const std::span<const double> law = laws_.law(rate_class + (first_power + k) * rows_per_power);
      for (std::size_t j = 0; j < prior_.size(); ++j) prior_[j] += part * law[j];
    }
    noise_.sum_at_marks(prior_, likelihood_);
    std::ranges::transform(prior_, grid_, prior_.begin(), std::multiplies());
    values_.resize(values_.size() + likelihood_.size());
    const std::span mean = std::span(values_).last(likelihood_.size());
    noise_.sum_at_marks(prior_, mean);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] /= likelihood_[i] + least_likelihood;
  }

  std::span<const double> grid_;
  const RateRows& laws_;
  LaplaceMixture noise_;
  std::vector<double> prior_, likelihood_;  // scratch
  std::vector<double> values_;              // a row of marks for each class and group
  std::vector<std::size_t> row_of_;         // of a band: where its row begins
};

}  // namespace

std::vector<double> posterior_counts(const NoisyCounts& noisy, std::span<const double> popularity) {
  constexpr int rounds = 15;
  if (popularity.empty()) return {};
  const std::vector<double> grid = count_grid(noisy.most);
  const CoarseMarks coarse(0, noisy.most, noisy.scale);
  const std::vector<double> coarse_at = coarse.positions();
  const Census census(noisy, popularity, coarse, coarse_at.size());

  std::array<Classes, 3> tried;
  RowRange range;
  for (std::size_t i = 0; const double exponent : {1.0, 0.5, 0.0}) {
    tried[i] = rate_classes(census, exponent, noisy.total);
    range.include(tried[i++]);
  }
  const RateRows laws = range.laws(grid);
  const Likelihoods likelihoods(laws, range, LaplaceMixture(grid, coarse_at, noisy.scale), coarse_at.size());
  const Choice choice = choose(tried, census, likelihoods);

  // The nodes of a group share a distribution of z.
  const FineMarks fine(0, noisy.most, noisy.scale);
  Means means(grid, laws, fine.positions(), noisy.scale, census.bands());
  for (const BandRange& group : groups(census)) {
    PowerMass mass = choice.mass;
    fit(mass, pooled(census, group, *choice.classes, likelihoods), rounds);
    means.add(census, group, *choice.classes, mass);
  }
  std::vector<double> counts(popularity.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = fine.between(means.of(census.band_of(i)), noisy.values[i]);
  return counts;
}

}  // namespace hushwalk
