#include <vector>

#include "graph/import/byte_source.h"
#include "input.h"

// Whatever the first bytes make of it: gzip, zstd, xz or plain.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  return fuzz::expect_error_at_most([&] {
    const fuzz::MemoryFile file(data, size);
    const auto source = open_bytes(file.path());
    std::vector<char> buffer(1 << 16);
    for (int reads = 0; reads < 64; ++reads)
      if (source->read(buffer) < buffer.size()) return;
  });
}
