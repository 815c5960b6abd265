#include "base/system_random.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/fail.h"

namespace hushwalk {

void fill_random(std::span<std::byte> bytes, const char* what_for) {
  constexpr std::size_t most = 256;  // that getentropy gives at a time
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), most));
    if (getentropy(piece.data(), piece.size()) != 0)
      fail(
          "the operating system gives no randomness for {} ({}); run where the system call getrandom is allowed: a sandbox may forbid it",
          what_for, std::strerror(errno));
    bytes = bytes.subspan(piece.size());
  }
}

std::string random_id(const char* what_for) {
  std::array<unsigned char, 16> bytes{};
  fill_random(std::as_writable_bytes(std::span(bytes)), what_for);
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace hushwalk
