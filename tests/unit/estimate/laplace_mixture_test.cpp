#include "estimate/laplace_mixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/seeded.h"

namespace hushwalk {
namespace {

struct Places {
  std::vector<double> grid, marks;
};

Places random_places(testing::Seeded& random) {
  Places places;
  double at = random.uniform(-20, 20);
  for (std::size_t i = 1 + random.below(30); i > 0; --i) {
    places.grid.push_back(at);
    at += random.uniform(0.01, 5);
  }
  at = places.grid.front();
  for (std::size_t i = 1 + random.below(60); i > 0; --i) {
    places.marks.push_back(at);
    at += random.below(4) == 0 ? 0 : random.uniform(0, 4);
  }
  return places;
}

std::vector<double> random_masses(testing::Seeded& random, std::size_t count) {
  std::vector<double> masses(count);
  for (double& mass : masses) mass = random.uniform();
  return masses;
}

double added_up(const std::vector<double>& places, const std::vector<double>& masses, double x,
                double scale) {
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    sum += masses[i] * std::exp(-std::abs(x - places[i]) / scale);
  return sum;
}

// What is passed on from one grid value to the next, against adding everything up.
TEST(LaplaceMixture, IsTheSum) {
  testing::Seeded random(2);
  for (int i = 0; i < 200; ++i) {
    const double scale = random.log_uniform(1, 10);
    const auto [grid, marks] = random_places(random);
    const std::vector<double> on_grid = random_masses(random, grid.size()),
                              at_marks = random_masses(random, marks.size());
    LaplaceMixture mixture(grid, marks, scale);
    std::vector<double> sums(marks.size());
    mixture.sum_at_marks(on_grid, sums);
    for (std::size_t m = 0; m < marks.size(); ++m) {
      const double expected = added_up(grid, on_grid, marks[m], scale);
      EXPECT_NEAR(sums[m], expected, 1e-12 * expected);
    }
    sums.resize(grid.size());
    mixture.sum_on_grid(at_marks, sums);
    for (std::size_t j = 0; j < grid.size(); ++j) {
      const double expected = added_up(marks, at_marks, grid[j], scale);
      EXPECT_NEAR(sums[j], expected, 1e-12 * expected);
    }
  }
}

TEST(WideningCells, BeginWhereTheyAreFound) {
  using Cells = WideningCells<3>;
  for (std::size_t cell = 0; cell < 200; ++cell) {
    const double begin = Cells::begin(cell), width = Cells::begin(cell + 1) - begin;
    EXPECT_EQ(width, std::exp2(cell / 8));
    EXPECT_EQ(Cells::place(begin).cell, cell);
    EXPECT_EQ(Cells::place(begin).within, 0);
    EXPECT_EQ(Cells::place(begin + width * 0.75).cell, cell);
    EXPECT_NEAR(Cells::place(begin + width * 0.75).within, 0.75, 1e-12);
  }
}

// Posterior means are looked up between marks: against the whole mixture for each number.
TEST(PosteriorMeans, AreThoseOfTheMixture) {
  constexpr double tolerance = 0.02;  // scales of noise
  testing::Seeded random(3);
  for (const double scale : {0.3, 1.0, 5.0}) {
    Prior prior{{}, {}};
    for (double value = 0; value < 30 * scale; value += scale / 2) {
      prior.grid.push_back(value);
      prior.mass.push_back(std::exp(-value / (4 * scale)));
    }
    std::vector<double> noisy(500);
    for (double& x : noisy) x = random.uniform(-8 * scale, 25 * scale);
    const std::vector<double> found = posterior_means(prior, noisy, scale);
    std::vector<double> moment = prior.mass;
    for (std::size_t j = 0; j < moment.size(); ++j) moment[j] *= prior.grid[j];
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      const double x = noisy[i], exact = x > 20 * scale ? x
                                                        : added_up(prior.grid, moment, x, scale) /
                                                              added_up(prior.grid, prior.mass, x, scale);
      EXPECT_NEAR(found[i], exact, tolerance * scale) << x << " at scale " << scale;
    }
  }
}

}  // namespace
}  // namespace hushwalk
