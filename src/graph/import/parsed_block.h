// What a parser makes of a block of lines, and what all blocks add up to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "graph/edge_pieces.h"
#include "graph/import/line_blocks.h"

namespace hushwalk {

// A line that something is to be said about.
struct LineNote {
  std::uint64_t line;
  std::string reason;
  std::string text;
  std::size_t part = 0;  // the number of the text it stands in, of several
};

struct ParsedBlock {
  std::vector<EdgeOfNodes> edges;    // nodes, or what stands for them until all ids are known
  std::uint64_t bad_lines = 0;       // malformed
  std::uint64_t wide_lines = 0;      // more than two columns
  bool first_column_counts = false;  // the lines, and others follow
  std::optional<LineNote> first_bad;
  std::optional<LineNote> fatal;       // cannot be passed over
  std::optional<LineNote> first_huge;  // an integer beyond 64 bits
  std::uint64_t balance = 0;           // METIS: zero in all when every edge stands at both its ends
  bool interned = false;               // edges hold handles of the interner, not numbers
  bool all_integers = true;            // every id looks like an integer
  std::uint32_t largest = 0;           // number among the ids, unless interned
};

// The line of a block that starts at `at`, for a note.
inline LineNote note_line(const LineBlock& block, std::size_t at, std::string reason) {
  const std::string_view text = block.text;
  const auto before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  return {block.first_line + static_cast<std::uint64_t>(before), std::move(reason),
          quotable(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line), block.part};
}

[[noreturn]] inline void fail_at(const std::string& file, const LineNote& note,
                                 std::string_view remedy = "") {
  fail("{}:{}: {}: '{}'{}", file, note.line, note.reason, note.text, remedy);
}

}  // namespace hushwalk
