// A text as blocks of whole lines, so that threads can parse blocks side by side and still know line numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/import/byte_source.h"

namespace hushwalk {

struct LineBlock {
  std::string text;              // whole lines, each ended by '\n', the last one too
  std::uint64_t first_line = 1;  // number of its first line
  std::uint64_t first_row = 0;  // blocks' lines before it that do not start with '%': the row of a METIS file
  std::size_t part = 0;         // the number of its text, of several
};

class LineBlocks {
 public:
  explicit LineBlocks(const std::filesystem::path& path, std::size_t part = 0);

  std::optional<LineBlock> next();
  void count_rows() noexcept { count_rows_ = true; }  // fill in first_row

  // The next line without its end, before any block has been taken; nullopt at the end of the text.
  std::optional<std::string_view> peek_line();
  void skip_line();
  std::uint64_t line_number() const noexcept { return line_; }  // of the next line

  double fraction() const { return source_->fraction(); }
  const std::string& name() const noexcept { return name_; }
  std::size_t part() const noexcept { return part_; }

 private:
  void fill();  // appends to text_ until it holds a line end, or the source ends

  std::string name_;
  std::size_t part_;
  std::unique_ptr<ByteSource> source_;
  std::string text_;       // what has been read;
  std::size_t start_ = 0;  // from here on it has not been handed out
  std::uint64_t line_ = 1;
  std::uint64_t row_ = 0;
  bool at_end_ = false;
  bool count_rows_ = false;
};

}  // namespace hushwalk
