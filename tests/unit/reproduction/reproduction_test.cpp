#include "hushwalk/reproduction.h"
#include "hushwalk/diffuse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "evaluation/simulation.h"
#include "hushwalk/error.h"
#include "hushwalk/generate.h"
#include "reproduction/simulated_diffusion.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using report::Figure;

Figure only(const std::string& name) {
  Figure made;
  reproduce({.figures = {name}, .quick = true, .command = "hushwalk reproduce --quick -o out"},
            [&](const Figure& figure) { made = figure; });
  return made;
}

double number(const report::Cell& cell) {
  return std::holds_alternative<double>(cell) ? std::get<double>(cell)
                                              : static_cast<double>(std::get<std::int64_t>(cell));
}

// The value in column `y` of the row with these first two cells.
double value(const Figure& figure, double x, const std::string& series, std::size_t y) {
  for (const auto& row : figure.table.rows)
    if (number(row[0]) == x && std::get<std::string>(row[1]) == series) return number(row[y]);
  ADD_FAILURE() << x << " " << series;
  return std::nan("");
}

TEST(Reproduction, RefusesUnknownNames) {
  const auto ignore = [](const Figure&) {};
  EXPECT_THROW(reproduce({.figures = {"figure-12"}}, ignore), Error);
  EXPECT_THROW(reproduce({.figures = {"distortion"}, .graphs = {"karate"}}, ignore), Error);
}

TEST(Reproduction, HandsOutEveryFigureUnderItsNameWithItsCommand) {
  std::vector<std::string> ids;
  const auto page = reproduce(
      {.figures = {"rdp-steps", "distortion"}, .quick = true, .command = "hushwalk reproduce --quick -o out"},
      [&](const Figure& figure) { ids.push_back(figure.id); });
  EXPECT_EQ(ids, (std::vector<std::string>{"distortion", "rdp-steps"}));  // in the order of the report
  EXPECT_EQ(page.sections.front().figures.front().command, "hushwalk reproduce distortion --quick -o out");
}

TEST(Reproduction, FindingsAreMadeOfTheFiguresOfTheRun) {
  Figure attack;
  const auto page =
      reproduce({.figures = {"attack"}, .quick = true}, [&](const Figure& figure) { attack = figure; });
  ASSERT_EQ(page.sections.size(), 2);
  const Figure& finding = page.sections.front().figures.front();
  EXPECT_EQ(finding.id, "found-attack");
  // A half goes to the even number, as in the sentence.
  const std::string found = fmt::format("at ε = 1 {:.0f} %", 100 * value(attack, 1, "twohop", 2));
  EXPECT_NE(finding.title.find(found), std::string::npos) << finding.title;
  EXPECT_NE(finding.title.find("no attack can be right more than 73 %"), std::string::npos) << finding.title;
}

// The number in a column of the row for a mechanism and so many users.
double of_users(const Figure& figure, const std::string& mechanism, std::int64_t users,
                const std::string& column) {
  const auto at =
      std::ranges::find(figure.table.columns, column, &report::Column::name) - figure.table.columns.begin();
  for (const auto& row : figure.table.rows)
    if (std::get<std::int64_t>(row[1]) == users && std::get<std::string>(row[2]) == mechanism)
      return number(row.at(static_cast<std::size_t>(at)));
  ADD_FAILURE() << mechanism << " " << users;
  return std::nan("");
}

TEST(Reproduction, WhatManyUsersGetIsFoundOverNewNodesToo) {
  const testing::TemporaryFolder folder;
  generate("chung-lu", {.nodes = 150, .edges = 600}).save(folder / "small.hwg");
  Figure users;
  const auto page =
      reproduce({.figures = {"users"}, .graphs = {(folder / "small.hwg").string()}, .quick = true},
                [&](const Figure& figure) { users = figure; });
  const Figure& finding = page.sections.front().figures.front();
  EXPECT_EQ(finding.id, "found-users");
  for (const char* part : {"ndcg", "new_ndcg"})
    for (const char* mechanism : {"circles", "twohop"}) {
      const double value = of_users(users, mechanism, 1000, part);
      EXPECT_NE(finding.title.find(fmt::format("{:.2f}", value)), std::string::npos) << finding.title;
    }
  EXPECT_NE(finding.title.find("new_ndcg"), std::string::npos) << finding.title;
  EXPECT_EQ(finding.table.rows.size(), 8) << "two bars for each of four mechanisms";
}

TEST(Reproduction, TheDoubleStarReachesTheBoundForLargeDegreesOnly) {
  const Figure figure = only("distortion");
  EXPECT_NEAR(value(figure, 1000, "by degree, ηd", 2), 3.2, 0.01);
  EXPECT_LE(value(figure, 1000, "by degree, ηd", 2), 3.2);
  EXPECT_NEAR(value(figure, 1000, "uniform, η", 2), 3.2 / 1000, 1e-9);
}

// The step itself, on the two graphs: leaves are 2..d and d+2..2d, centres 0 and 1.
double brute_force(int d, double x, bool by_degree) {
  const auto step = [&](bool edge) {
    std::vector<double> out(static_cast<std::size_t>(2 * d), 0.0);
    const int degree = edge ? d : d - 1;
    const double sent = std::min(x, by_degree ? degree : 1.0) / degree * 0.8;
    for (int i = 0; i < d - 1; ++i)
      out[static_cast<std::size_t>(2 + i)] = out[static_cast<std::size_t>(d + 1 + i)] = sent;
    if (edge) out[0] = out[1] = sent;
    return out;
  };
  const auto with = step(true), without = step(false);
  double distance = 0;
  for (std::size_t i = 0; i < with.size(); ++i) distance += std::abs(with[i] - without[i]);
  return distance;
}

TEST(Reproduction, TheDoubleStarIsWhatASearchOverStatesFinds) {
  const Figure figure = only("distortion");
  for (const int d : {2, 3, 8, 32})
    for (const bool by_degree : {true, false}) {
      double most = 0;
      for (int i = 0; i <= 1000; ++i) most = std::max(most, brute_force(d, (d + 1) * i / 1000.0, by_degree));
      EXPECT_NEAR(value(figure, d, by_degree ? "by degree, ηd" : "uniform, η", 2), most, 0.005 * most);
    }
}

TEST(Reproduction, TheoremOneConvergesAndCompositionGrows) {
  const Figure figure = only("rdp-steps");
  EXPECT_NEAR(value(figure, 200, "composition", 2) / value(figure, 100, "composition", 2), 2, 1e-9);
  EXPECT_NEAR(value(figure, 200, "Theorem 1", 2) / value(figure, 100, "Theorem 1", 2), 1, 1e-6);
  EXPECT_LT(value(figure, 100, "best shifts (ours)", 2), value(figure, 100, "Theorem 1", 2));
}

TEST(Reproduction, ThePrintedTheoremClaimsNothingWasLost) {
  const Figure figure = only("wrong-claims");
  EXPECT_EQ(value(figure, 1e-7, "Theorem 2 as printed", 2), 0);
  EXPECT_GT(value(figure, 1e-7, "what the noise certifies (sound)", 2), 10);
  EXPECT_FALSE(figure.warning.empty());
}

TEST(Simulation, WithoutNoiseAndClipIsTheExactDiffusion) {
  const Graph graph = generate("karate");
  const std::vector<Node> seeds = {0, 5, 33};
  const auto simulated = reproduction::simulate(graph, {.eta = 1e9, .scale = 0}, seeds);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const auto exact = diffuse_exactly(graph, Diffusion::ppr(), seeds[i]);
    for (std::size_t v = 0; v < exact.size(); ++v) EXPECT_NEAR(simulated[i][v], exact[v], 1e-12);
  }
}

TEST(Simulation, ClipsLikeTheDiffusion) {
  const Graph graph = generate("karate");
  const std::vector<Node> seeds = {2};
  const auto simulated = reproduction::simulate(graph, {.eta = 0.004, .scale = 0}, seeds).front();
  const auto clipped = diffuse_exactly(graph, Diffusion::ppr(), seeds[0], Clip{.eta = 0.004});
  for (std::size_t v = 0; v < clipped.size(); ++v) EXPECT_NEAR(simulated[v], clipped[v], 1e-12);
}

// The variance of the last step's two draws, where clips leave nothing of the earlier ones.
TEST(Simulation, NoiseHasTheScaleItSays) {
  const Graph graph = generate("er", {.nodes = 4000, .edges = 8000});
  const std::vector<Node> seeds = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const auto law : {reproduction::NoiseLaw::laplace, reproduction::NoiseLaw::gaussian}) {
    const auto answers = reproduction::simulate(graph, {.noise = law, .eta = 1e-12, .scale = 3}, seeds);
    double squares = 0, count = 0;
    for (const auto& answer : answers)
      for (std::size_t v = 8; v < answer.size(); ++v) squares += answer[v] * answer[v], ++count;
    const double expected = 2 * 9 * (law == reproduction::NoiseLaw::laplace ? 2 : 1);
    EXPECT_NEAR(squares / count / expected, 1, 0.05);  // 20 standard errors and more
  }
}

TEST(Simulation, ProjectionStaysInTheBall) {
  const Graph graph = generate("karate");
  const std::vector<Node> seeds = {0};
  const auto answer = reproduction::simulate(graph, {.project = true, .eta = 1, .scale = 1}, seeds).front();
  double norm = 0;
  for (const double score : answer) norm += std::abs(score);
  EXPECT_LE(norm, 1 + 1e-9);
}

}  // namespace
}  // namespace hushwalk
