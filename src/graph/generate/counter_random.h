// Random words as a pure function of (seed, stream, index): any thread can make any of them, in any order,
// and the result is the same. Not for noise: it is predictable by design.
//
// The mixing function is the finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014). The distributions of <random> are not used because they differ between
// standard libraries.
#pragma once

#include <cstdint>

namespace hushwalk {

__extension__ typedef unsigned __int128 Uint128;

constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// One stream per purpose, so that two purposes never see the same words.
enum class Stream : std::uint64_t {
  labels = 1,
  communities,
  candidates,
  closures,
  spare,
  pairs,
  centers,
  wedges,
  evaluated_seeds,
  evaluated_order
};

class CounterRandom {
 public:
  constexpr CounterRandom(std::uint64_t seed, Stream stream) noexcept
      : key_(mix_bits(mix_bits(seed + golden) ^ (static_cast<std::uint64_t>(stream) * golden))) {}

  constexpr std::uint64_t word(std::uint64_t index) const noexcept {
    return mix_bits(mix_bits(key_ + index * golden) ^ key_);
  }
  // The `part`-th word of object `index`.
  constexpr std::uint64_t word(std::uint64_t index, std::uint64_t part) const noexcept {
    return mix_bits(word(index) + (part + 1) * golden);
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;  // 2^64 over the golden ratio, odd
  std::uint64_t key_;
};

// A number in [0, bound) from a random word; the bias is below bound / 2^64.
constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t word) noexcept {
  return static_cast<std::uint64_t>((Uint128{word} * bound) >> 64);
}

// A number in [0, 1) with 53 random bits.
constexpr double unit_interval(std::uint64_t word) noexcept {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

}  // namespace hushwalk
