#include "common.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace hushwalk::cli {
namespace {

// CLI11 takes an empty value for no value, and so would a limit, a ledger or a recipient that a script left
// empty be no limit, no ledger and nobody.
void refuse_empty_values(const CLI::App& verb) {
  const auto refuse = [](const std::string& name) {
    usage_error(fmt::format("{} is empty; give it a value, or leave it out", name));
  };
  for (const CLI::Option* option : verb.get_options()) {
    if (std::ranges::count(option->results(), "") > 0) refuse(option->get_name());
    const std::string variable = option->count() == 0 ? option->get_envname() : "";
    const char* const value = variable.empty() ? nullptr : std::getenv(variable.c_str());
    if (value && *value == '\0') refuse(variable);
  }
}

}  // namespace

CLI::App* add_verb(CLI::App& app, Common& common, const std::string& name, const std::string& description,
                   const std::string& example, std::function<void()> run) {
  CLI::App* const verb = app.add_subcommand(name, description);
  verb->footer("Example:\n  " + example);
  verb->add_flag("--json", common.json, "Print one JSON document on standard output");
  add_count(*verb, "--threads", common.threads, "Use at most this many threads (default: all cores)")
      ->type_name("N");
  verb->callback([&common, verb, run = std::move(run)] {
    refuse_empty_values(*verb);
    std::optional<ThreadLimit> limit;
    if (common.threads) limit.emplace(*common.threads);
    run();
  });
  return verb;
}

namespace {

constexpr const char* clear_line = "\r\033[K";  // wipes what is left of a bar

// Messages that cannot be shown are not worth failing for.
void print_err(const std::string& text) { static_cast<void>(std::fputs(text.c_str(), stderr)); }

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

void notice_text(std::string_view text) {
  print_err(fmt::format("{}hushwalk: {}\n", isatty(STDERR_FILENO) != 0 ? clear_line : "", text));
}

Progress progress_bar() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [bar = std::make_shared<Bar>()](std::string_view stage, double fraction) {
    bar->show(stage, fraction);
  };
}

bool standard_output_closed = false;

void print_out(std::string_view text) {
  if (standard_output_closed) throw Error(ErrorCode::failed, "standard output is closed");
  if (isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0) print_err(clear_line);  // a bar may be there
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    throw Error(ErrorCode::failed, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

Json node_json(const NodeList& nodes, Node node) {
  return nodes.are_integers() ? Json(nodes.integer(node)) : Json(nodes.name(node));
}

Node find_node(const Graph& graph, const std::string& id) {
  const auto node = graph.node_list().find(id);
  if (!node) usage_error(fmt::format("the graph has no node '{}'", id));
  return *node;
}

void check_inputs(const std::vector<std::string>& inputs, const std::optional<std::string>& output,
                  FileKind kind) {
  if (std::ranges::count(inputs, "-") > 1) usage_error("standard input (-) can be read only once");
  if (!output) return;
  std::error_code none;  // what does not exist is not the same file
  for (const std::string& input : inputs)
    if (!input.empty() && std::filesystem::equivalent(input, *output, none))
      usage_error(fmt::format("the output '{}' would replace the input '{}'", *output, input));
  OutputFile::check(*output, kind);
}

void add_mode(CLI::App& verb, Permissions& permissions) {
  const auto fault = [](const std::string& text) {
    const std::string bits = text.starts_with('0') ? text.substr(1) : text;
    const bool octal = bits.size() == 3 && bits.find_first_not_of("01234567") == bits.npos;
    return octal && bits[0] >= '6' ? "" : fmt::format("'{}' is not octal from 600 to 777", text);
  };
  verb.add_option_function<std::string>(
          "--mode",
          [&permissions](const std::string& text) {
            permissions = {static_cast<unsigned>(std::stoul(text, nullptr, 8)), /*exact=*/true};
          },
          fmt::format("Permissions of the file, for example 640 (default: those of the file it replaces, for "
                      "a new one {})",
                      permissions.bits == publishable.bits ? "as the umask says" : "600"))
      ->check(CLI::Validator(fault, "", "octal"))
      ->needs(verb.get_option("--output"))
      ->type_name("OCTAL");
}

void refuse_several_processes() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || std::string_view(value) == "1" || std::string_view(value) == "0") continue;
    throw Error(
        ErrorCode::refused,
        fmt::format("{} is '{}': several processes of this program would each draw noise of their own, "
                    "and together give away more than any certificate says. Start one: mpirun -n 1, "
                    "srun -n 1; or unset {} if this is the only one",
                    variable, value, variable));
  }
}

Graph open_graph_saying(const std::string& path, const Progress& progress) {
  auto [graph, report] = open_graph(path, progress);
  for (const std::string& text : report.notices) notice("{}", text);
  return graph;
}

std::string whole_number_fault(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // CLI11 would read a leading zero as octal.
  const bool whole =
      error == std::errc() && end == text.data() + text.size() && (text[0] != '0' || text == "0");
  return whole ? "" : fmt::format("'{}' is not a whole number below 2^64", text);
}

void usage_error(const std::string& message) { throw Error(ErrorCode::usage, message); }

}  // namespace hushwalk::cli
