#include "text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  // A header may promise billions of nodes, which is valid but would only test the memory.
  if (size > 4096) return 0;
  return fuzz::import_bytes(data, size, {.format = TextFormat::matrix_market});
}
