#include "graph/symmetry_check.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace hushwalk {
namespace {

using Entries = std::set<std::pair<Row, Row>>;  // (row, entry)

// Zero when the entries balance.
std::uint64_t balance(std::uint64_t rows, const Entries& entries) {
  const SymmetryCheck check(rows);
  std::uint64_t sum = 0;
  for (auto first = entries.begin(); first != entries.end();) {
    std::vector<Row> row;
    auto last = first;
    for (; last != entries.end() && last->first == first->first; ++last) row.push_back(last->second);
    sum += check.share(first->first, row);
    first = last;
  }
  return sum;
}

Entries both_ways(const std::vector<std::pair<Row, Row>>& edges) {
  Entries entries;
  for (const auto& [a, b] : edges)
    if (a != b) entries.insert({a, b}), entries.insert({b, a});
  return entries;
}

RC_GTEST_PROP(SymmetryCheck, BalancesEveryGraphAndNoneThatLacksAnEntry, ()) {
  const auto rows = *rc::gen::inRange<std::uint64_t>(2, 1 << 20);
  const auto node = rc::gen::inRange<Row>(0, static_cast<Row>(rows));
  Entries entries =
      both_ways(*rc::gen::container<std::vector<std::pair<Row, Row>>>(rc::gen::pair(node, node)));
  RC_ASSERT(balance(rows, entries) == 0U);
  RC_PRE(!entries.empty());
  entries.erase(std::next(entries.begin(), *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(entries))));
  RC_ASSERT(balance(rows, entries) != 0U);
}

// The hub adds many products at a time, its leaves one each.
TEST(SymmetryCheck, AHubOfAHundredThousandBalancesItsLeaves) {
  constexpr Row leaves = 100'000;
  Entries entries;
  for (Row leaf = 1; leaf <= leaves; ++leaf) entries.insert({0, leaf}), entries.insert({leaf, 0});
  EXPECT_EQ(balance(leaves + 1, entries), 0U);
  entries.erase({77'777, 0});
  EXPECT_NE(balance(leaves + 1, entries), 0U);
}

// A file can be made to balance words that are known.
TEST(SymmetryCheck, DrawsFreshWordsEveryTime) {
  const std::vector<Row> row = {2};
  EXPECT_NE(SymmetryCheck(10).share(1, row), SymmetryCheck(10).share(1, row));
}

TEST(SymmetryCheck, TakesTheLargestGraph) {
  const Entries entries = both_ways({{0, max_nodes - 1}, {max_nodes - 1, max_nodes - 2}, {77, 1U << 31}});
  EXPECT_EQ(balance(max_nodes, entries), 0U);
}

TEST(SymmetryCheck, PartsOfARowAddUpToTheRow) {
  const SymmetryCheck check(100);
  const std::vector<Row> row = {1, 5, 40, 42, 60, 99};
  for (std::size_t cut = 0; cut <= row.size(); ++cut) {
    const auto parts = std::span(row);
    EXPECT_EQ(check.share(41, parts.first(cut)) + check.share(41, parts.subspan(cut)), check.share(41, row));
  }
}

// Many entries are taken at once where the machine can; one of them never is.
TEST(SymmetryCheck, IsTheSameOnEverySimdTargetAndForEveryPartOfARow) {
  constexpr Row rows = 3000;
  const SymmetryCheck check(rows);
  for (const Row row : {Row{0}, Row{1500}, Row{rows - 1}}) {
    std::vector<Row> entries;
    for (Row b = row % 7; b < rows; b += 7) entries.push_back(b);
    std::uint64_t one_by_one = 0;
    for (const Row& entry : entries) one_by_one += check.share(row, {&entry, 1});
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      EXPECT_EQ(check.share(row, entries), one_by_one) << row << " " << hwy::TargetName(target);
      EXPECT_EQ(descents(entries, 0, entries.size()), 0U);
      std::swap(entries[40], entries[80]);
      EXPECT_EQ(descents(entries, 0, entries.size()), 2U) << hwy::TargetName(target);
      EXPECT_EQ(descents(entries, 41, 80), 1U) << hwy::TargetName(target);
      std::swap(entries[40], entries[80]);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
}

TEST(SymmetryCheck, EqualEntriesAreADescent) {
  EXPECT_EQ(descents(std::vector<Row>{7, 7, 8}, 0, 3), 1U);
  EXPECT_EQ(descents({}, 0, 0), 0U);
}

}  // namespace
}  // namespace hushwalk
