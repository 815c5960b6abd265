// JSON that may be hostile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace hushwalk {

struct StrictJson {
  Json document;  // discarded when the text is no JSON
  // A hash of each ranking that the document has at its top; the rankings themselves are thrown away.
  std::vector<std::string> rankings = {};
};

// Bounded in size and depth, no key twice in one object: readers differ in which of two they believe.
// Error{failed} when it is too much.
StrictJson read_strictly(std::string_view text);

// JSON lines, the last of which says what holds for all before it, as the one document with "rankings" that
// they stand for; empty when it is something else. Each line must be an object by itself, so that none can
// close the list or add a key.
std::string document_of_lines(std::string_view text);

}  // namespace hushwalk
