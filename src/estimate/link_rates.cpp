#include "estimate/link_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

#include "estimate/link_tables.h"
#include "estimate/pool.h"

namespace hushwalk {
namespace {

// Rates are rounded to powers of this ratio: rate row r stands for ratio^(r - zero_row).
constexpr double ratio = 1.25;
constexpr int rows = 120, zero_row = 60;
// The expected rate of a node is one of these classes, and z one of these powers, so that class + power stays
// within the rows.
constexpr int first_class = -36, last_class = 26, first_power = -24, powers = 57;
static_assert(first_class + first_power + zero_row >= 0);
static_assert(last_class + first_power + powers - 1 + zero_row < rows);

using PowerMass = std::array<double, powers>;  // a distribution of z

double power_of_ratio(int exponent) { return std::pow(ratio, exponent); }

// Every count up to 16, then in steps of about 15 %.
std::vector<double> count_grid(int most) {
  constexpr int all_up_to = 16;
  constexpr double growth = 1.15;
  std::vector<double> grid;
  for (int count = 0; count <= std::min(all_up_to, most); ++count) grid.push_back(count);
  while (grid.back() < most) grid.push_back(std::min<double>(std::ceil(grid.back() * growth), most));
  return grid;
}

// How many counts a grid point stands for: half the way between its neighbours, or the way to the only one.
std::vector<double> widths(const std::vector<double>& grid) {
  if (grid.size() < 2) return {1};
  std::vector<double> width(grid.size());
  for (std::size_t j = 1; j + 1 < grid.size(); ++j) width[j] = (grid[j + 1] - grid[j - 1]) / 2;
  width.front() = grid[1] - grid[0];
  width.back() = grid.back() - grid[grid.size() - 2];
  return width;
}

// Poisson probabilities of the grid's counts, for each rate row.
std::vector<std::vector<double>> rate_table(const std::vector<double>& grid) {
  const std::vector<double> width = widths(grid);
  std::vector<std::vector<double>> table(rows, std::vector<double>(grid.size()));
  for (int row = 0; row < rows; ++row) {
    std::vector<double>& p = table[static_cast<std::size_t>(row)];
    const double rate = power_of_ratio(row - zero_row), log_rate = std::log(rate);
    for (std::size_t j = 0; j < grid.size(); ++j)
      p[j] = grid[j] * log_rate - rate - log_factorial(grid[j]) + std::log(width[j]);
    const double highest = std::ranges::max(p);
    for (double& value : p) value = std::exp(value - highest);
    const double sum = sum_of(p);
    for (double& value : p) value /= sum;
  }
  return table;
}

// For each cell of noisy counts and each rate row: how likely the cell is, and the mean of the count times
// that.
struct CellRates {
  std::array<double, rows> likelihood{}, first_moment{};
};

std::vector<CellRates> cell_rates(const Pool& cells, double scale, int most) {
  constexpr double deepest = 600;  // e^-600 is unlikely enough
  const std::vector<double> grid = count_grid(most);
  const auto table = rate_table(grid);
  std::vector<CellRates> found(cells.keys.size());
  std::vector<double> noise(grid.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double value = static_cast<double>(cells.keys[i]) * (scale / cells_per_scale);
    for (std::size_t j = 0; j < grid.size(); ++j)
      noise[j] = std::exp(-std::min(deepest, std::abs(value - grid[j]) / scale));
    for (std::size_t row = 0; row < rows; ++row) {
      double likelihood = 0, moment = 0;
      for (std::size_t j = 0; j < grid.size(); ++j) {
        const double joint = table[row][j] * noise[j];
        likelihood += joint;
        moment += joint * grid[j];
      }
      found[i].likelihood[row] = likelihood + least_likelihood;
      found[i].first_moment[row] = moment;
    }
  }
  return found;
}

// Nodes with the same expected rate class and the same cell behave alike: a key for both.
class Model {
 public:
  explicit Model(const NoisyCounts& noisy)
      : cells_(pool_by(noisy.values.size(), [&](std::size_t i) { return cell_key(noisy, i); })),
        rates_(cell_rates(cells_, noisy.scale, noisy.most)) {
    for (std::size_t i = 0; i < noisy.values.size(); ++i)
      cell_of_.push_back(static_cast<std::int64_t>(cells_.find(cell_key(noisy, i))));
  }

  std::size_t size() const { return cell_of_.size(); }
  std::int64_t key(std::size_t node, int rate_class) const {
    return (rate_class - first_class) * static_cast<std::int64_t>(rates_.size()) + cell_of_[node];
  }
  // Likelihoods and moments of a key for all powers of z, side by side.
  const double* likelihood(std::int64_t key) const { return &cell(key).likelihood[first_row(key)]; }
  const double* first_moment(std::int64_t key) const { return &cell(key).first_moment[first_row(key)]; }

 private:
  static std::int64_t cell_key(const NoisyCounts& noisy, std::size_t i) {
    return std::llrint(noisy.values[i] / (noisy.scale / cells_per_scale));
  }
  const CellRates& cell(std::int64_t key) const {
    return rates_[static_cast<std::size_t>(key) % rates_.size()];
  }
  std::size_t first_row(std::int64_t key) const {
    return static_cast<std::size_t>(key) / rates_.size() +
           static_cast<std::size_t>(first_class + first_power + zero_row);
  }

  Pool cells_;
  std::vector<CellRates> rates_;
  std::vector<std::int64_t> cell_of_;
};

double dot(const double* values, const PowerMass& mass) {
  return std::inner_product(mass.begin(), mass.end(), values, 0.0);
}

// Expectation maximisation of the distribution of z over pooled nodes.
void fit(PowerMass& mass, const Model& model, const Pool& pool, int rounds) {
  const double count = sum_of(pool.counts);
  for (int round = 0; round < rounds; ++round) {
    PowerMass evidence{};
    for (std::size_t i = 0; i < pool.keys.size(); ++i) {
      const double* const likelihood = model.likelihood(pool.keys[i]);
      const double share = pool.counts[i] / count / dot(likelihood, mass);
      for (std::size_t k = 0; k < powers; ++k) evidence[k] += share * likelihood[k];
    }
    for (std::size_t k = 0; k < powers; ++k) mass[k] *= evidence[k];
  }
}

double log_likelihood(const PowerMass& mass, const Model& model, const Pool& pool) {
  double sum = 0;
  for (std::size_t i = 0; i < pool.keys.size(); ++i)
    sum += pool.counts[i] * std::log(dot(model.likelihood(pool.keys[i]), mass));
  return sum;
}

PowerMass first_guess() {
  PowerMass mass;
  for (int k = 0; k < powers; ++k)
    mass[static_cast<std::size_t>(k)] = std::exp(-0.4 * std::abs(first_power + k));
  const double sum = sum_of(mass);
  for (double& value : mass) value /= sum;
  return mass;
}

// The class of the rate expected of each node: popularity^a, scaled to the total.
std::vector<int> rate_classes(std::span<const double> popularity, double exponent, double total) {
  constexpr double least_background = 0.25, least_rate = 1e-4;
  std::vector<double> rate(popularity.size());
  std::ranges::transform(popularity, rate.begin(),
                         [&](double b) { return std::pow(std::max(b, least_background), exponent); });
  const double factor = total / sum_of(rate);
  std::vector<int> classes(rate.size());
  std::ranges::transform(rate, classes.begin(), [&](double r) {
    const double power = std::rint(std::log(std::max(r * factor, least_rate)) / std::log(ratio));
    return static_cast<int>(std::clamp<double>(power, first_class, last_class));
  });
  return classes;
}

struct Choice {
  std::vector<std::int64_t> keys;  // of each node
  PowerMass mass;
  double log_likelihood;
};

// How strongly links into N follow the popularity differs from graph to graph, so the numbers decide; an
// exponent below 1 has to be better by a margin.
Choice choose_exponent(const Model& model, std::span<const double> popularity, double total) {
  constexpr double margin = 3;
  constexpr int rounds = 20;
  Choice best{{}, {}, -std::numeric_limits<double>::infinity()};
  for (const double exponent : {1.0, 0.5, 0.0}) {
    const std::vector<int> classes = rate_classes(popularity, exponent, total);
    std::vector<std::int64_t> keys(model.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = model.key(i, classes[i]);
    const Pool pool = pool_by(keys.size(), [&](std::size_t i) { return keys[i]; });
    PowerMass mass = first_guess();
    fit(mass, model, pool, rounds);
    const double found = log_likelihood(mass, model, pool) - (exponent < 1 ? margin : 0);
    if (best.keys.empty() || found > best.log_likelihood) best = {std::move(keys), mass, found};
  }
  return best;
}

// The nodes of one group share a distribution of z.
void fit_group(std::span<const std::size_t> group, const Choice& choice, const Model& model,
               std::vector<double>& counts) {
  constexpr int rounds = 30;
  const Pool pool = pool_by(group.size(), [&](std::size_t i) { return choice.keys[group[i]]; });
  PowerMass mass = choice.mass;
  fit(mass, model, pool, rounds);
  std::vector<double> means(pool.keys.size());
  for (std::size_t i = 0; i < means.size(); ++i)
    means[i] = dot(model.first_moment(pool.keys[i]), mass) / dot(model.likelihood(pool.keys[i]), mass);
  for (const std::size_t node : group) counts[node] = means[pool.find(choice.keys[node])];
}

}  // namespace

std::vector<double> posterior_counts(const NoisyCounts& noisy, std::span<const double> popularity) {
  constexpr std::size_t first_group = 400;  // and each further one twice as large
  const Model model(noisy);
  const Choice choice = choose_exponent(model, popularity, noisy.total);
  std::vector<std::size_t> order(model.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t node) { return popularity[node]; });
  std::vector<double> counts(model.size());
  std::span<const std::size_t> rest = order;
  for (std::size_t size = first_group; !rest.empty(); size *= 2) {
    const std::size_t taken = rest.size() >= 2 * size ? size : rest.size();  // no small group at the end
    fit_group(rest.first(taken), choice, model, counts);
    rest = rest.subspan(taken);
  }
  return counts;
}

}  // namespace hushwalk
