#include "diffusion/gather_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "graph/build_csr.h"
#include "support/chains.h"

namespace hushwalk {
namespace {

using testing::chain;
using testing::same_bytes;
using testing::values;

// Rows of every length from 0 to `longest`: node i is joined to the first `longest - i` nodes of a second
// half.
Csr staircase(std::uint32_t longest) {
  EdgePieces pieces(1);
  for (Node i = 0; i < longest; ++i)
    for (Node j = 0; j < longest - i; ++j) pieces[0].push_back({i, longest + j});
  return build_csr(2 * longest + 3, std::move(pieces)).csr;
}

template <class T, int lanes>
std::vector<T> gather_all(const Csr& csr, const std::vector<T>& x) {
  std::vector<T> sums(csr.rows() * lanes, T{-7});
  gather_sum<T, lanes>(csr, x.data(), 0, static_cast<Row>(csr.rows()), sums.data());
  return sums;
}

template <class T, int lanes>
bool equals_chains(const Csr& csr, const std::vector<T>& x) {
  return same_bytes(gather_all<T, lanes>(csr, x), testing::all_chains(csr, x, lanes));
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

TYPED_TEST(GatherSum, EqualsThePlainLoopForEveryLengthOfRow) {
  const Csr csr = staircase(41);
  const auto x = values<typename TypeParam::Value>(csr.rows() * TypeParam::lanes);
  EXPECT_TRUE((equals_chains<typename TypeParam::Value, TypeParam::lanes>(csr, x)));
}

TYPED_TEST(GatherSum, FillsOnlyTheRowsAskedFor) {
  using T = typename TypeParam::Value;
  constexpr std::size_t lanes = TypeParam::lanes;
  const Csr csr = staircase(12);
  const auto x = values<T>(csr.rows() * lanes);
  std::vector<T> sums(4 * lanes, T{-7});
  gather_sum<T, TypeParam::lanes>(csr, x.data(), 5, 8, sums.data());
  for (std::size_t i = 0; i < 3 * lanes; ++i)
    EXPECT_EQ(sums[i], chain(csr, static_cast<Row>(5 + i / lanes), x.data(), lanes, i % lanes));
  for (std::size_t i = 3 * lanes; i < 4 * lanes; ++i) EXPECT_EQ(sums[i], T{-7});
}

TYPED_TEST(GatherSum, GivesTheSameBytesOnEverySimdTarget) {
  const Csr csr = staircase(41);
  const auto x = values<typename TypeParam::Value>(csr.rows() * TypeParam::lanes);
  testing::on_every_target([&](const char* target) {
    EXPECT_TRUE((equals_chains<typename TypeParam::Value, TypeParam::lanes>(csr, x))) << target;
  });
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
