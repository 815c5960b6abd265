#include "graph/import/line_blocks.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/fail.h"

namespace hushwalk {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;
constexpr std::size_t longest_line = std::size_t{1} << 28;

std::uint64_t rows_of(std::string_view text) {
  std::uint64_t rows = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) rows += text[at] != '%';
  return rows;
}

}  // namespace

LineBlocks::LineBlocks(const std::filesystem::path& path, std::size_t part)
    : name_(display_name(path)), part_(part), source_(open_bytes(path)) {
  fill();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) start_ = byte_order_mark.size();
}

void LineBlocks::fill() {
  std::size_t searched = start_;
  while (!at_end_ && text_.find('\n', searched) == std::string::npos) {
    text_.erase(0, std::exchange(start_, 0));  // what has been handed out
    searched = text_.size();
    if (searched > longest_line) fail("{}:{}: the line is longer than {} bytes", name_, line_, longest_line);
    text_.resize(searched + block_size);
    const std::size_t got = source_->read(std::span(text_).subspan(searched));
    text_.resize(searched + got);
    at_end_ = got < block_size;
    if (at_end_ && !text_.empty() && text_.back() != '\n') text_ += '\n';
  }
}

std::optional<std::string_view> LineBlocks::peek_line() {
  fill();
  if (start_ == text_.size()) return std::nullopt;
  return std::string_view(text_).substr(start_, text_.find('\n', start_) - start_);
}

void LineBlocks::skip_line() {
  start_ = text_.find('\n', start_) + 1;
  ++line_;
}

std::optional<LineBlock> LineBlocks::next() {
  fill();
  if (start_ == text_.size()) return std::nullopt;
  const std::size_t end = text_.rfind('\n') + 1;
  LineBlock block{.text = {}, .first_line = line_, .first_row = row_, .part = part_};
  std::string rest = text_.substr(end);
  text_.resize(end);
  text_.erase(0, std::exchange(start_, 0));
  block.text = std::exchange(text_, std::move(rest));
  line_ += static_cast<std::uint64_t>(std::ranges::count(block.text, '\n'));
  if (count_rows_) row_ += rows_of(block.text);
  return block;
}

}  // namespace hushwalk
