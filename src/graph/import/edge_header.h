// The start of an edge list: which columns hold the ids, and whether the first line names them.
#pragma once

#include <optional>
#include <string>

#include "graph/import/edge_line.h"
#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"
#include "hushwalk/import.h"

namespace hushwalk {

// The first line that says something, set aside: whether it is a header shows only at the end.
struct FirstLine {
  LineNote note;
  std::string first, second;
  bool likely_header = false;  // by its words
};

struct EdgeHeader {
  LineLayout layout = {};
  std::optional<FirstLine> set_aside = {};
  std::string other_columns = {};  // that may hold the ids, in words, by the names of all
  std::string taken = {};          // the line that was taken off the front, or nothing
};

// Blank lines and comments.
void skip_what_says_nothing(LineBlocks& lines);

// Takes comments and the header, if it is one for sure, off the front of `lines`. Error{failed} when a column
// is not there.
EdgeHeader read_edge_header(LineBlocks& lines, const ImportOptions& options, ImportReport& report);

// Whether the first of at least three columns numbers the lines: then it holds no ids. It counts one by one,
// or increases beside ids that are texts.
bool first_column_counts(std::string_view block, const LineLayout& layout);

}  // namespace hushwalk
