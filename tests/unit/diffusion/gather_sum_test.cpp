#include "diffusion/gather_sum.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstring>

#include "graph/build_csr.h"

namespace hushwalk {
namespace {

// Rows of every length from 0 to `longest`: node i is joined to the first `longest - i` nodes of a second
// half.
Csr staircase(std::uint32_t longest) {
  EdgePieces pieces(1);
  for (Node i = 0; i < longest; ++i)
    for (Node j = 0; j < longest - i; ++j) pieces[0].push_back({i, longest + j});
  return build_csr(2 * longest + 3, std::move(pieces)).csr;
}

// A cheap mixer: values of many magnitudes, so that another order of summation would give other bytes.
template <class T>
T value_at(std::uint64_t i) {
  const std::uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15;
  if constexpr (std::is_same_v<T, double>)
    return std::ldexp(static_cast<double>(bits >> 12) - 0x1p51, static_cast<int>(i % 40) - 70);
  return static_cast<T>(bits >> 12) - (std::int64_t{1} << 51);
}

template <class T>
std::vector<T> values(std::size_t count) {
  std::vector<T> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = value_at<T>(i);
  return x;
}

// The contract in its plainest form.
template <class T>
T naive_sum(const Csr& csr, Row row, const T* x, std::size_t lanes, std::size_t lane) {
  T p[8] = {};
  const auto edges = csr.row(row);
  for (std::size_t i = 0; i < edges.size(); ++i) p[i % 8] += x[edges[i] * lanes + lane];
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

template <class T, int lanes>
std::vector<T> gather_all(const Csr& csr, const std::vector<T>& x) {
  std::vector<T> sums(csr.rows() * lanes, T{-7});
  gather_sum<T, lanes>(csr, x.data(), 0, static_cast<Row>(csr.rows()), sums.data());
  return sums;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T, int lanes>
bool equals_naive(const Csr& csr, const std::vector<T>& x) {
  std::vector<T> expected;
  for (Row row = 0; row < csr.rows(); ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      expected.push_back(naive_sum(csr, row, x.data(), lanes, lane));
  return same_bytes(gather_all<T, lanes>(csr, x), expected);
}

template <class Case>
class GatherSum : public ::testing::Test {};

template <class T, int lanes_>
struct Case {
  using Value = T;
  static constexpr int lanes = lanes_;
};

using Cases = ::testing::Types<Case<double, 1>, Case<double, 8>, Case<double, 16>, Case<std::int64_t, 1>,
                               Case<std::int64_t, 8>, Case<std::int64_t, 16>>;
TYPED_TEST_SUITE(GatherSum, Cases);

TYPED_TEST(GatherSum, EqualsTheNaiveLoopForEveryLengthOfRow) {
  const Csr csr = staircase(41);
  const auto x = values<typename TypeParam::Value>(csr.rows() * TypeParam::lanes);
  EXPECT_TRUE((equals_naive<typename TypeParam::Value, TypeParam::lanes>(csr, x)));
}

TYPED_TEST(GatherSum, FillsOnlyTheRowsAskedFor) {
  using T = typename TypeParam::Value;
  constexpr std::size_t lanes = TypeParam::lanes;
  const Csr csr = staircase(12);
  const auto x = values<T>(csr.rows() * lanes);
  std::vector<T> sums(4 * lanes, T{-7});
  gather_sum<T, TypeParam::lanes>(csr, x.data(), 5, 8, sums.data());
  for (std::size_t i = 0; i < 3 * lanes; ++i)
    EXPECT_EQ(sums[i], naive_sum(csr, static_cast<Row>(5 + i / lanes), x.data(), lanes, i % lanes));
  for (std::size_t i = 3 * lanes; i < 4 * lanes; ++i) EXPECT_EQ(sums[i], T{-7});
}

TYPED_TEST(GatherSum, GivesTheSameBytesOnEverySimdTarget) {
  const Csr csr = staircase(41);
  const auto x = values<typename TypeParam::Value>(csr.rows() * TypeParam::lanes);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    EXPECT_TRUE((equals_naive<typename TypeParam::Value, TypeParam::lanes>(csr, x)))
        << hwy::TargetName(target);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(GatherSumOfZeros, IsPositiveZero) {
  const Csr csr = staircase(10);
  const std::vector<double> x(csr.rows() * 8, -0.0);
  for (const double sum : gather_all<double, 1>(csr, x)) EXPECT_FALSE(std::signbit(sum));
  for (const double sum : gather_all<double, 8>(csr, x)) EXPECT_FALSE(std::signbit(sum));
}

RC_GTEST_PROP(GatherSumLanes, EachGivesTheBytesOfTheLaneAlone, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 60);
  const auto end = rc::gen::inRange<Node>(0, nodes);
  EdgePieces pieces(1);
  for (const auto& [u, v] : *rc::gen::container<std::vector<std::pair<Node, Node>>>(rc::gen::pair(end, end)))
    pieces[0].push_back({u, v});
  const Csr csr = build_csr(nodes, std::move(pieces)).csr;
  const auto x = values<double>(nodes * 16);
  const auto together = gather_all<double, 16>(csr, x);
  for (std::size_t lane = 0; lane < 16; ++lane) {
    std::vector<double> alone(nodes), expected(nodes);
    for (std::size_t row = 0; row < nodes; ++row) {
      alone[row] = x[row * 16 + lane];
      expected[row] = together[row * 16 + lane];
    }
    RC_ASSERT(same_bytes(gather_all<double, 1>(csr, alone), expected));
  }
}

}  // namespace
}  // namespace hushwalk
