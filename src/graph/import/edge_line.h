// What one line of an edge list says.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hushwalk {

struct EdgeLine {
  enum Kind { nothing, edge, bad } kind = nothing;  // nothing: blank, or a comment (# or %)
  std::string_view first = {}, second = {};         // the ids of an edge
  bool more = false;                                // columns follow
  const char* reason = "";                          // why it is bad
};

// Where the two ids stand in a line.
struct LineLayout {
  char separator = 0;                 // 0: see below
  std::size_t first = 0, second = 1;  // columns
  bool operator==(const LineLayout&) const = default;
};

// Without a separator two integers at the start of the line are the ids, whatever separates them. Otherwise
// fields are separated by tabs if there is one, else by commas if there is one (so that names may hold
// blanks), else by blanks. A field in double quotes may hold separators, and a quote twice (RFC 4180), but no
// line end. Not to be shared by threads.
class EdgeLineReader {
 public:
  explicit EdgeLineReader(LineLayout layout = {}) : layout_(layout) {}
  EdgeLine read(std::string_view line);  // its ids are valid until the next call

 private:
  EdgeLine read_fields(std::string_view line, char separator);
  LineLayout layout_;
  std::array<std::string, 2> unquoted_;  // what does not stand in the line as it is
};

// All fields of a line without their quotes; none when a quote is not closed. `separator` 0: as above.
std::vector<std::string> fields_of(std::string_view line, char separator);
// Tabs, commas, semicolons, bars or blanks: the first of these that the line has.
char likely_separator(std::string_view line);

// Digits, perhaps after a minus: an integer to the eye, though it may be too large for one.
bool looks_like_integer(std::string_view id) noexcept;

std::string_view trim(std::string_view text) noexcept;  // blanks, tabs and a carriage return at both ends

}  // namespace hushwalk
