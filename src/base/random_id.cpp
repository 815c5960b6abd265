#include "base/random_id.h"

#include <sys/random.h>

#include <array>

#include "base/fail.h"

namespace hushwalk {

std::string random_id() {
  std::array<unsigned char, 16> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0)
    fail("the operating system gives no randomness for a new id");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace hushwalk
