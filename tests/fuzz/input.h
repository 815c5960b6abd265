// What the fuzz targets share: bytes as a file, and the promise that bad bytes end in an Error and nothing
// else.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "hushwalk/error.h"

namespace hushwalk::fuzz {

// A file that lives in memory only.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (file_ < 0 || write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

template <class Body>
int expect_error_at_most(const Body& body) {
  try {
    body();
  } catch (const Error&) {
  }
  return 0;
}

inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace hushwalk::fuzz
