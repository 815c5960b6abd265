#include "text.h"

// The first byte chooses options, the rest is the text (plain or compressed).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  if (size == 0) return 0;
  ImportOptions options{.format = TextFormat::edge_list};
  options.header = (data[0] & 1) != 0;
  options.string_ids = (data[0] & 2) != 0;
  options.skip_bad_lines = (data[0] & 4) != 0 ? 3 : 0;
  if ((data[0] & 8) != 0) options.nodes = NodeList::integers({1, 2, 3, 5, 8});
  return fuzz::import_bytes(data + 1, size - 1, options);
}
