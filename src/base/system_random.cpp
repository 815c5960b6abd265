#include "base/system_random.h"

#include <unistd.h>

#include <algorithm>
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
          "the operating system gives no randomness for {} ({}); run where the system call getrandom is "
          "allowed: a sandbox may forbid it",
          what_for, std::strerror(errno));
    bytes = bytes.subspan(piece.size());
  }
}

}  // namespace hushwalk
