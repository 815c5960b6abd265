#include "common.h"

#include <fmt/ranges.h>

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "suggest.h"

namespace hushwalk::cli {
namespace {

constexpr std::uint64_t most_names_compared = 100'000;

// CLI11 takes an empty value for no value, and so would a limit, a ledger or a recipient that a script left
// empty be no limit, no ledger and nobody.
void refuse_empty_values(const CLI::App& verb) {
  const auto refuse = [](const std::string& name) {
    usage_error("{} is empty; give it a value, or leave it out", name);
  };
  for (const CLI::Option* option : verb.get_options()) {
    if (std::ranges::count(option->results(), "") > 0) refuse(option->get_name());
    const std::string variable = option->count() == 0 ? option->get_envname() : "";
    const char* const value = variable.empty() ? nullptr : std::getenv(variable.c_str());
    if (value && *value == '\0') refuse(variable);
  }
}

double seconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

// The longest first.
void say_where_time_went(std::chrono::steady_clock::time_point begun) {
  const double elapsed = seconds_since(begun);
  std::vector<PhaseTime> phases = recorded_timings();
  double rest = elapsed;
  for (const PhaseTime& phase : phases) rest -= phase.seconds;
  if (rest > 0) phases.push_back({"everything else", rest, 1});  // else some ran side by side
  std::ranges::stable_sort(phases, std::ranges::greater{}, &PhaseTime::seconds);
  notice("where {:.4f} s went (NOT private: it depends on secret edges):", elapsed);
  for (const PhaseTime& phase : phases)
    notice("  {:9.4f} s  {:5.1f} %  {}{}", phase.seconds, 100 * phase.seconds / elapsed, phase.name,
           phase.times > 1 ? fmt::format(" ({} times)", phase.times) : "");
}

void say_what_it_took(std::chrono::steady_clock::time_point begun) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double elapsed = seconds_since(begun);
  notice("{:.2f} s, of processor time {:.2f} s; at most {} MB of memory", elapsed,
         static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
             1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
         usage.ru_maxrss / 1024);
}

}  // namespace

CLI::App* add_verb(CLI::App& app, Common& common, const std::string& name, const std::string& description,
                   const std::string& example, std::function<void()> run) {
  CLI::App* const verb = app.add_subcommand(name, description);
  verb->footer("Example:\n  " + example);
  verb->add_flag("--json", common.json, "Print one JSON document on standard output");
  add_count(*verb, "--threads", common.threads, "Use at most this many threads (default: all cores)")
      ->type_name("N");
  verb->add_flag("--quiet", quiet, "No messages but errors");
  verb->add_flag("--verbose", common.verbose, "Say at the end how long it took, and how much memory");
  verb->add_flag("--timings", common.timings,
                 "Say at the end where the time went (not private: it depends on secret edges)");
  verb->callback([&common, verb, run = std::move(run)] {
    refuse_empty_values(*verb);
    if (quiet && common.verbose) usage_error("give --quiet or --verbose, not both");
    if (quiet && common.timings) usage_error("give --quiet or --timings, not both");
    if (common.timings && verb->get_name() == "serve")
      usage_error("a service keeps no record of where its time goes; --timings is for commands that end");
    if (common.timings) record_timings();
    const auto begun = std::chrono::steady_clock::now();
    std::optional<ThreadLimit> limit;
    if (common.threads) limit.emplace(*common.threads);
    std::optional<Busy> busy;
    if (verb->get_name() != "serve") busy.emplace(verb->get_name());  // a service is never done
    run();
    busy.reset();
    if (common.timings) say_where_time_went(begun);
    if (common.verbose) say_what_it_took(begun);
  });
  return verb;
}

std::string shell_word(const std::string& text) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:+=@%";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shared_words(const CLI::App& given, const CLI::App& other) {
  std::string words;
  for (const CLI::Option* option : given.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::count(of_every_verb, name) > 0 ||
        other.get_option_no_throw(name) == nullptr)
      continue;
    for (const std::string& value : option->results())
      words += (option->get_positional() ? "" : " " + name) +
               (option->get_expected_max() == 0 ? "" : " " + shell_word(value));
  }
  return words;
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::failed, fmt::format("cannot read '{}'", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

Node find_node(const Graph& graph, const std::string& id) {
  const auto node = graph.node_list().find(id);
  if (node) return *node;
  Nearest nearest(id);
  for (Node v = 0; v < std::min<std::uint64_t>(graph.nodes(), most_names_compared); ++v)
    if (!graph.node_list().are_integers()) nearest.offer(graph.node_list().name(v));
  usage_error("the graph has no node '{}'{}", id, nearest.hint());
}

void check_inputs(const std::vector<std::string>& inputs, const std::optional<std::string>& output,
                  FileKind kind) {
  if (std::ranges::count(inputs, "-") > 1) usage_error("standard input (-) can be read only once");
  if (!output) return;
  check_not_replaced(inputs, *output);
  if (*output == "-" && kind != FileKind::text)
    usage_error("{} is written to a file with a name, not to standard output",
                kind == FileKind::graph ? "a graph" : "an artefact");
  if (*output != "-") OutputFile::check(*output, kind);
}

CLI::Option* add_number(CLI::App& verb, const std::string& name, std::function<void(double)> set,
                        const std::string& description) {
  const auto read = [name, set = std::move(set)](const CLI::results_t& texts) {
    const std::string& text = texts.back();
    double value = 0;
    if (text.empty()) usage_error("{} is empty; give it a value, or leave it out", name);
    if (!CLI::detail::lexical_cast(text, value)) throw CLI::ConversionError(text, name);
    set(value);
    return true;
  };
  return verb.add_option(name, read, description);
}

void add_output(CLI::App& verb, std::optional<std::string>& output) {
  verb.add_option("-o,--output", output, "Write to this file instead of standard output, which is -")
      ->type_name("FILE");
}

void add_format(CLI::App& verb, std::optional<std::string>& format, const std::vector<std::string>& choices) {
  verb.add_option("--format", format,
                  fmt::format("{} or {} (default: {})", fmt::join(choices.begin(), choices.end() - 1, ", "),
                              choices.back(), choices.front()))
      ->check(CLI::IsMember(choices).description(""))
      ->type_name("NAME");
}

void check_format(const Common& common, const std::optional<std::string>& format) {
  if (common.json && format.value_or("json") != "json")
    usage_error("--json contradicts --format {}", *format);
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
          fmt::format(
              "Permissions of the file, for example 640 (default: those of the file it replaces, for a new one {})",
              permissions.bits == publishable.bits ? "as the umask says" : "600"))
      ->check(CLI::Validator(fault, "", "octal"))
      ->needs(verb.get_option("--output"))
      ->type_name("OCTAL");
}

Permissions for_owner_if(bool secret, Permissions asked) {
  return secret && !asked.exact ? Permissions{} : asked;
}

namespace {

// Flags that tell how to read a text are those of `import`.
std::string said_to_others(const std::string& text, const std::string& path) {
  for (const char* flag : {"`header", "`delimiter", "`columns", "`string_ids"})
    if (text.find(flag) != text.npos)
      return fmt::format("{}; that is a flag of import: hushwalk import {} -o G.hwg", with_flags(text),
                         shell_word(path));
  return with_flags(text);
}

}  // namespace

Import open_with_advice(const std::string& path, const Progress& progress) {
  try {
    Import opened = open_graph(path, progress);
    for (const std::string& text : opened.report.notices) notice("{}", said_to_others(text, path));
    return opened;
  } catch (const Error& error) {
    throw Error(error.code(), said_to_others(error.what(), path), error.for_custodian());
  }
}

Graph open_with_notices(const std::string& path, const Progress& progress) {
  return open_with_advice(path, progress).graph;
}

std::string whole_number_fault(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // CLI11 would read a leading zero as octal.
  const bool whole =
      error == std::errc() && end == text.data() + text.size() && (text[0] != '0' || text == "0");
  return whole ? "" : fmt::format("'{}' is not a whole number below 2^64", text);
}

}  // namespace hushwalk::cli
