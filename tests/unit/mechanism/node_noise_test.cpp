// No stream of random words serves two draws.
#include "mechanism/node_noise.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "support/seeded_source.h"

namespace hushwalk {
namespace {

class RecordingSource final : public RandomSource {
 public:
  std::unique_ptr<RandomStream> stream(std::uint64_t index) const override {
    const std::scoped_lock lock(mutex_);
    EXPECT_TRUE(seen_.insert(index).second) << "stream " << index << " is used twice";
    return source_.stream(index);
  }
  std::size_t streams() const { return seen_.size(); }

 private:
  testing::SeededSource source_{1};
  mutable std::mutex mutex_;
  mutable std::set<std::uint64_t> seen_;
};

TEST(NodeNoise, RoundsOfDifferentLengthsNeverShareAStream) {
  const RecordingSource source;
  const NoiseByPart noise{DiscreteLaplace(8), DiscreteLaplace(16)};
  const std::vector<Node> near = {1, 2, 3, 40'000};
  for (const std::uint64_t answer : {0, 1, 2})
    for (const std::uint64_t round : {0, 1}) {
      std::vector<std::int64_t> numbers(100'000);
      add_noise_by_part({source, answer}, round, noise, SeedVector(0), near, numbers);
      EXPECT_EQ(numbers[0], 0);
    }
  EXPECT_EQ(source.streams(), 3U * 2 * (7 + 1));
}

}  // namespace
}  // namespace hushwalk
