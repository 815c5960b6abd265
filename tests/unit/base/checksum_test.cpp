#include "base/checksum.h"

#include <gtest/gtest.h>

#include <array>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace hushwalk {
namespace {

#ifdef __x86_64__
// Whether the processor says which parts of its registers are in use.
bool tells_use() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx") && __get_cpuid_count(0x0d, 1, &a, &b, &c, &d) && (a & 4) != 0;
}

// Whether the upper halves of vector registers are: by the manual, bit 2 is for AVX, bit 6 for AVX-512.
bool upper_halves_in_use() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & (1U << 2 | 1U << 6)) != 0;
}

__attribute__((target("avx"))) void clear_upper_halves() { _mm256_zeroupper(); }
__attribute__((target("avx"))) void use_upper_halves() { asm volatile("vcmptrueps %ymm0, %ymm0, %ymm7"); }

// A register left in use made all floating-point code after it ten times slower.
TEST(Checksum, LeavesNoVectorRegisterInUse) {
  if (!tells_use()) GTEST_SKIP() << "this processor does not say which registers are in use";
  clear_upper_halves();
  if (upper_halves_in_use()) GTEST_SKIP() << "this processor counts cleared registers as in use";
  use_upper_halves();
  ASSERT_TRUE(upper_halves_in_use());

  const std::array<std::byte, 4096> bytes{};
  (void)checksum(bytes, 1);
  EXPECT_FALSE(upper_halves_in_use());
}
#endif

}  // namespace
}  // namespace hushwalk
