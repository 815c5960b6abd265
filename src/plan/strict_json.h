// JSON that may be hostile.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace hushwalk {

struct StrictJson {
  Json document;               // discarded when the text is no JSON
  std::uint64_t rankings = 0;  // how many the document has at its top; they are counted and thrown away
};

// Bounded in size and depth, no key twice in one object: readers differ in which of two they believe.
// Error{failed} when it is too much.
StrictJson read_strictly(std::string_view text);

}  // namespace hushwalk
