#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

namespace hushwalk::cli {
namespace {

constexpr const char* clear_line = "\r\033[K";  // wipes what is left of a bar

// Messages that cannot be shown are not worth failing for.
void print_err(const std::string& text) { static_cast<void>(std::fputs(text.c_str(), stderr)); }

// When a bar last moved, for those who would stand in its place.
std::atomic<std::chrono::steady_clock::rep> bar_moved{0};

class Bar {
 public:
  ~Bar() { clear(); }

  void show(std::string_view stage, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    if (fraction < latest_) {  // other work has begun
      begun_ = now;
      begun_at_ = std::max(fraction, 0.0);
    }
    latest_ = fraction;
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    bar_moved = now.time_since_epoch().count();
    drawn_ = true;
    if (fraction < 0) return print_err(fmt::format("{}{} …", clear_line, stage));
    const int filled = static_cast<int>(fraction * width);
    print_err(fmt::format("{}{:<10} [{:=<{}}{:<{}}] {:3.0f} %{}", clear_line, stage, "", filled, "",
                          width - filled, 100 * fraction, time_left(now, fraction)));
  }

 private:
  static constexpr int width = 40;
  void clear() const {
    if (drawn_) print_err(clear_line);
  }
  // As if the rest went as fast as what is done; nothing in the first seconds, when that is a wild guess.
  std::string time_left(std::chrono::steady_clock::time_point now, double fraction) const {
    const double elapsed = std::chrono::duration<double>(now - begun_).count(), done = fraction - begun_at_;
    if (elapsed < 3 || done <= 0) return "";
    const std::int64_t seconds = std::llround(elapsed * (1 - fraction) / done);
    return fmt::format(", {}:{:02} left", seconds / 60, seconds % 60);
  }
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now(), begun_ = shown_;
  double begun_at_ = 0, latest_ = 0;
  bool drawn_ = false;
};

}  // namespace

bool quiet = false;

namespace {

bool wants_colours() {
  const char* const no = std::getenv("NO_COLOR");
  return no == nullptr || *no == '\0';
}

constexpr int red = 31, cyan = 36;

void say(std::string_view message, int colour) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const std::string name =
      terminal && wants_colours() ? fmt::format("\033[{}mhushwalk:\033[0m", colour) : "hushwalk:";
  print_err(fmt::format("{}{} {}\n", terminal ? clear_line : "", name, message));
}

}  // namespace

void complain(std::string_view message) { say(message, red); }

void complain_in_json(const std::string& document) { print_err(document + "\n"); }

void notice_text(std::string_view text) {
  if (!quiet) say(text, cyan);
}
void say_of_answer(std::string_view text) { say(text, cyan); }

Progress progress_bar() {
  if (quiet || isatty(STDERR_FILENO) == 0) return {};
  return [bar = std::make_shared<Bar>()](std::string_view stage, double fraction) {
    bar->show(stage, fraction);
  };
}

Busy::Busy(std::string what) {
  if (quiet || isatty(STDERR_FILENO) == 0) return;
  shows_ = std::jthread([what = std::move(what)](const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    const auto asked = [&] { return stop.stop_requested(); };
    bool shown = false;
    for (int seconds = 1; !stopped.wait_for(lock, stop, std::chrono::seconds(1), asked); ++seconds) {
      // A bar that moves says more.
      const auto still = Clock::now().time_since_epoch() - Clock::duration(bar_moved.load());
      if (still < std::chrono::seconds(1)) continue;
      print_err(fmt::format("{}{} … {} s", clear_line, what, seconds));
      shown = true;
    }
    if (shown) print_err(clear_line);
  });
}

std::string Style::heading(const std::string& text) const {
  return colours ? "\033[1m" + text + "\033[0m" : text;
}

namespace {

std::optional<std::size_t> terminal_width() {
  const char* const said = std::getenv("COLUMNS");
  const long columns = said != nullptr ? std::strtol(said, nullptr, 10) : 0;
  if (columns > 0) return static_cast<std::size_t>(columns);
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return size.ws_col;
}

}  // namespace

Style style_of(const std::optional<std::string>& output) {
  if (output.value_or("-") != "-" || isatty(STDOUT_FILENO) == 0) return {};
  return {wants_colours(), terminal_width()};
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' ', text.find_first_not_of(' ')), text.size());
    const std::string_view word = text.substr(0, end);  // with the spaces before it
    if (!lines.back().empty() && columns_of(lines.back()) + columns_of(word) > width)
      lines.emplace_back(word.substr(std::min(word.find_first_not_of(' '), word.size())));
    else
      lines.back() += word;
    text.remove_prefix(end);
  }
  return lines;
}

namespace {

constexpr std::size_t widest_name = 24;

// Where the value begins: after two spaces or more that follow a name; else where the line does.
std::size_t value_of(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size()), gap = line.find("  ", begin);
  if (gap == line.npos) return begin;
  const std::size_t value = line.find_first_not_of(' ', gap);
  return value == line.npos || value > widest_name ? begin : value;
}

std::string fitted_line(std::string_view line, std::size_t width) {
  const std::size_t value = value_of(line);
  if (columns_of(line) <= width || value + widest_name / 2 > width || line.find("hushwalk ") != line.npos)
    return std::string(line) + "\n";
  std::string text;
  for (const std::string& part : wrapped(line.substr(value), width - value))
    text += (text.empty() ? std::string(line.substr(0, value)) : std::string(value, ' ')) + part + "\n";
  return text;
}

}  // namespace

std::string fitted(std::string_view text, std::optional<std::size_t> width) {
  if (!width) return std::string(text);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(' ');
    const bool goes_on =
        !lines.empty() && begin != line.npos && begin >= 8 && begin == value_of(lines.back());
    goes_on ? lines.back().append(line.substr(begin - 1)) : lines.emplace_back(line);
  }
  std::string all;
  for (const std::string& line : lines) all += fitted_line(line, *width);
  return all;
}

bool standard_output_closed = false;

void print_out(std::string_view text) {
  if (standard_output_closed) throw Error(ErrorCode::failed, "standard output is closed");
  if (isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0) print_err(clear_line);  // a bar may be there
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno == EPIPE) throw ClosedPipe{};
  if (!written)
    throw Error(ErrorCode::failed, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_text(std::string_view text) { print_out(fitted(text, style_of().width)); }

void print_json(const std::string& document) { print_out(document + "\n"); }

std::string with_flags(const std::string& message) {
  std::string text;
  bool inside = false, in_name = false;
  for (const char c : message) {
    if (c == '`') {
      inside = in_name = !inside;
      if (inside) text += "--";
      continue;
    }
    in_name = in_name && c != ' ';
    text += in_name && c == '_' ? '-' : c;
  }
  return text;
}

}  // namespace hushwalk::cli
