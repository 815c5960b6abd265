// What a person sees: messages, a progress bar, output.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "hushwalk/hushwalk.h"

namespace hushwalk::cli {

// What went wrong, on standard error: always shown.
void complain(std::string_view message);
void complain_in_json(const std::string& document);

extern bool quiet;  // no notices and no bar

// A message for the person at the terminal, on standard error.
void notice_text(std::string_view text);
void say_of_answer(std::string_view text);  // what belongs to an answer, --quiet or not
template <class... Args>
void notice(fmt::format_string<Args...> text, Args&&... args) {
  notice_text(fmt::format(text, std::forward<Args>(args)...));
}

// A bar on standard error if that is a terminal, else nothing.
Progress progress_bar();

// For work that cannot say how far it is: after a second, what is being done and for how long; where a bar
// would be.
class Busy {
 public:
  explicit Busy(std::string what);

 private:
  std::jthread shows_;
};

// How a table looks where it goes: headings stand out and lines are no longer than the terminal is wide; a
// file or a pipe gets plain text of any width. COLUMNS stands for the width; NO_COLOR (https://no-color.org)
// leaves colours out.
struct Style {
  bool colours = false;
  std::optional<std::size_t> width = {};
  std::string heading(const std::string& text) const;
};
Style style_of(const std::optional<std::string>& output = {});

// In columns of a terminal, as far as one character takes one.
std::size_t columns_of(std::string_view text);
// Broken at spaces; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// Of lines with a name and a value what is too long goes on under the value, whatever lines it was broken
// into.
std::string fitted(std::string_view text, std::optional<std::size_t> width);

extern bool standard_output_closed;  // set by main(), which puts something harmless in its place

// Thrown when nobody reads standard output any more: no fault of anybody.
struct ClosedPipe {};

// To standard output; Error{failed} when it cannot be written.
void print_out(std::string_view text);

// The same for text that people read: on a terminal no line is longer than that is wide, as far as words and
// commands, which stay whole, allow.
void print_text(std::string_view text);

void print_json(const std::string& document);

// A file that appears when it is complete, or standard output, which is also called "-".
class Output {
 public:
  Output(const std::optional<std::string>& path, Permissions permissions) {
    if (path && *path != "-") file_.emplace(*path, FileKind::text, permissions);
  }
  void write(std::string_view text) {
    if (!text.empty()) file_ ? file_->write(text) : print_out(text);
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<OutputFile> file_;
};

template <class... Args>
[[noreturn]] void usage_error(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::usage, fmt::format(text, std::forward<Args>(args)...));
}

// A message of the library, which names parameters, with the flags that set them: `scope edge` is --scope
// edge.
std::string with_flags(const std::string& message);

}  // namespace hushwalk::cli
