// What one line of an edge list says.
#pragma once

#include <string_view>

namespace hushwalk {

struct EdgeLine {
  enum Kind { nothing, edge, bad } kind = nothing;  // nothing: blank, or a comment (# or %)
  std::string_view first, second;                   // the ids of an edge
  bool more = false;                                // columns follow
  const char* reason = "";                          // why it is bad
};

// Two integers at the start of the line are the ids, whatever separates them. Otherwise fields are separated
// by tabs if there is one, else by commas if there is one (so that names may hold blanks), else by blanks.
EdgeLine read_edge_line(std::string_view line);

// Digits, perhaps after a minus: an integer to the eye, though it may be too large for one.
bool looks_like_integer(std::string_view id) noexcept;

std::string_view trim(std::string_view text) noexcept;  // blanks, tabs and a carriage return at both ends

}  // namespace hushwalk
