#include "hushwalk/import.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  const fuzz::MemoryFile file(data, size);
  const NodeList nodes = NodeList::names({"1", "2", "Ada Lovelace", "bob"});
  fuzz::expect_error_at_most([&] { read_node_list(file.path()); });
  fuzz::expect_error_at_most([&] { read_nodes(file.path(), nodes); });
  return fuzz::expect_error_at_most([&] {
    for (const auto& [node, weight] : read_weighted_nodes(file.path(), nodes))
      fuzz::require(node < 4 && weight > 0);
  });
}
