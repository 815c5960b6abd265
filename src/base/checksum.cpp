#include "base/checksum.h"

#include <xxhash.h>
#ifdef __x86_64__
#include <xxh_x86dispatch.h>  // the widest instructions of the machine at hand, for the same value
#endif

namespace hushwalk {

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace hushwalk
