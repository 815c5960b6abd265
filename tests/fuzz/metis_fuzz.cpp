#include "text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  if (size > 4096) return 0;
  return fuzz::import_bytes(data, size, {.format = TextFormat::metis});
}
