#include "base/parallel.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

namespace hushwalk {
namespace {

TEST(Parallel, EveryIndexIsInOnePiece) {
  std::vector<int> seen(10'000);
  parallel_for(seen.size(), 7, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++seen[i];
  });
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST(Parallel, AnErrorReachesTheCaller) {
  std::vector<int> seen(1'000);
  EXPECT_THROW(parallel_for(seen.size(), 10,
                            [&](std::size_t first, std::size_t last) {
                              std::fill(seen.begin() + static_cast<long>(first),
                                        seen.begin() + static_cast<long>(last), 1);
                              if (first <= 500 && 500 < last) throw std::runtime_error("as planned");
                            }),
               std::runtime_error);
  EXPECT_EQ(seen[500], 1);
}

TEST(Parallel, APipelineKeepsTheOrder) {
  int next = 0;
  std::vector<int> sunk;
  parallel_pipeline([&] { return next < 1'000 ? std::optional(next++) : std::nullopt; },
                    [](int& item) { return 2 * item; }, [&](int result) { sunk.push_back(result); });
  std::vector<int> wanted(1'000);
  std::iota(wanted.begin(), wanted.end(), 0);
  for (int& number : wanted) number *= 2;
  EXPECT_EQ(sunk, wanted);
}

#ifdef HUSHWALK_TSAN
// What the sanitizer is told of oneTBB does not hide a race of ours.
TEST(ParallelDeathTest, ARaceIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    long sum = 0;
    for (int attempt = 0; attempt < 100; ++attempt)
      parallel_for(100'000, 100, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) sum += static_cast<long>(i);
      });
    std::exit(sum == 0);
  };
  EXPECT_EXIT(race(), ::testing::ExitedWithCode(66), "data race");
}
#endif

}  // namespace
}  // namespace hushwalk
