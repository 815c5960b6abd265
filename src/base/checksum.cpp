#include "base/checksum.h"

#include <xxhash.h>
#ifdef __x86_64__
#include <immintrin.h>
#include <xxh_x86dispatch.h>  // the widest instructions of the machine at hand, for the same value
#endif

namespace hushwalk {
namespace {

// libxxhash 0.8.1 returns with the upper halves of vector registers in use, after which every scalar
// floating-point instruction of the program waits for them: ten times the time, until something clears them.
#ifdef __x86_64__
__attribute__((target("avx"))) void clear_upper_halves() { _mm256_zeroupper(); }
void leave_vectors() {
  if (__builtin_cpu_supports("avx")) clear_upper_halves();
}
#else
void leave_vectors() {}
#endif

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  const std::uint64_t sum = XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
  leave_vectors();
  return sum;
}

}  // namespace hushwalk
