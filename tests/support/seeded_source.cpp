#include "support/seeded_source.h"

#include "graph/generate/counter_random.h"

namespace hushwalk::testing {
namespace {

class SeededStream final : public RandomStream {
 public:
  SeededStream(std::uint64_t seed, std::uint64_t index)
      : key_(mix_bits(mix_bits(seed + step) ^ (index * step))) {}

  void fill(std::span<std::uint64_t> words) override {
    for (std::uint64_t& word : words) word = mix_bits(mix_bits(key_ + step * counter_++) ^ key_);
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15ULL;  // as in splitmix64
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace

std::unique_ptr<RandomStream> SeededSource::stream(std::uint64_t index) const {
  return std::make_unique<SeededStream>(seed_, index);
}

}  // namespace hushwalk::testing
