// Parse, call the verb, translate errors into exit codes.
#include "run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/remedy.h"
#include "suggest.h"
#include "verbs.h"

namespace {

const CLI::App* verb_named(const CLI::App& app, std::string_view name) {
  const auto verbs = app.get_subcommands({});
  const auto found = std::ranges::find(verbs, name, [](const CLI::App* verb) { return verb->get_name(); });
  return found == verbs.end() ? nullptr : *found;
}

// CLI11 would only say that a subcommand is required. The words of a verb come first: `ledger show`.
void check_verb(const CLI::App& app, std::span<char* const> words, std::size_t at = 1) {
  if (words.size() <= at || words[at][0] == '-' || app.get_subcommands({}).empty()) return;
  if (const CLI::App* const verb = verb_named(app, words[at])) return check_verb(*verb, words, at + 1);
  std::string verbs;
  hushwalk::cli::Nearest nearest(words[at]);
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_group().empty()) continue;  // hidden
    nearest.offer(verb->get_name());
    verbs += " " + verb->get_name();
  }
  hushwalk::cli::usage_error("there is no verb '{}'; choose from:{}{}", words[at], verbs, nearest.hint());
}

// `help` and `help rank` are `--help` and `rank --help`.
std::vector<char*> without_help_verb(int argc, char** argv) {
  static std::string help = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help.data());
  }
  return words;
}

// Flags that every verb has may stand before it: `--quiet rank` is `rank --quiet`.
void put_verb_first(const CLI::App& app, std::vector<char*>& words) {
  std::size_t verb = 1;
  while (verb < words.size() && std::ranges::count(hushwalk::cli::of_every_verb, words[verb]) > 0)
    verb += std::string_view(words[verb]) == "--threads" ? 2 : 1;
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(std::min(verb, words.size()));
  auto last = first;
  for (const CLI::App* used = &app; last != words.end() && (used = verb_named(*used, *last));) ++last;
  if (first == words.end()) return;
  std::rotate(words.begin() + 1, first, std::max(last, first + 1));  // also what is no verb: it is told so
}

// Flags that most people never need stand apart.
void group_flags(CLI::App& app) {
  constexpr std::string_view expert[] = {
      "--delta",  "--eta",         "--background",   "--taper",       "--diffusion",  "--beta",
      "--time",   "--steps",       "--coefficients", "--mode",        "--threads",    "--random-seed",
      "--key",    "--signing-key", "--accept-clock", "--accept-head", "--string-ids", "--skip-bad-lines",
      "--files",  "--order",       "--draws",        "--confidence",  "--max-edges",  "--seeds-per-ranking",
      "--timings"};
  for (CLI::App* verb : app.get_subcommands({})) {
    for (CLI::Option* option : verb->get_options())
      if (std::ranges::count(expert, option->get_name()) > 0) option->group("Expert options");
    group_flags(*verb);
  }
}

int report(const hushwalk::Error& error, bool json) {
  using namespace hushwalk::cli;
  const std::string message = with_flags(error.what()), custodian = with_flags(error.for_custodian());
  const int code = static_cast<int>(error.code());
  if (json) {
    complain_in_json(error_json(hushwalk::Error(error.code(), message, custodian)));
    return code;
  }
  complain(message);
  if (!custodian.empty()) complain("for the custodian: " + custodian);
  return code;
}

std::string help_command(const CLI::App& app) {
  std::string words = app.get_name();
  for (const CLI::App* used = &app; !used->get_subcommands().empty();) {
    used = used->get_subcommands().front();
    words += " " + used->get_name();
  }
  return words + " --help";
}

int parse_and_call(int argc, char** argv, const hushwalk::cli::Program& program) {
  using namespace hushwalk;
  CLI::App app("Which nodes matter most to this node? Graph diffusions on graphs whose edges are secret.",
               program.name);
  app.set_version_flag("-V,--version", program.name + " " + version());
  app.require_subcommand(1);
  app.footer(fmt::format("{0} VERB --help, or {0} help VERB, shows the flags of a verb and an example.",
                         program.name));
  cli::Common common;
  std::vector<char*> words = without_help_verb(argc, argv);
  const bool json = std::ranges::count(words, std::string_view("--json")) > 0;
  try {
    for (const auto add : program.verbs) add(app, common);
    group_flags(app);
    put_verb_first(app, words);
    check_verb(app, words);
    app.parse(static_cast<int>(words.size()), words.data());
    return 0;
  } catch (const CLI::Success& success) {  // --help, --version
    const int code = app.exit(success);
    return std::cout.flush() ? code : static_cast<int>(ErrorCode::failed);
  } catch (const CLI::ParseError& error) {
    const std::string text = cli::explain(app, error);
    return report(Error(ErrorCode::usage, text.ends_with('?') ? text : text + "; try: " + help_command(app)),
                  json);
  } catch (const cli::ClosedPipe&) {  // whoever read has seen enough: end as SIGPIPE would, without a word
    return 128 + SIGPIPE;
  } catch (const Error& error) {
    return report(error, json);
  } catch (const std::bad_alloc&) {
    return report(Error(ErrorCode::failed, "not enough memory"), json);
  }
}

}  // namespace

int hushwalk::cli::run(int argc, char** argv, const Program& program) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error like any other
  standard_output_closed = fcntl(STDOUT_FILENO, F_GETFD) == -1;
  // A file opened later must not take the number of a closed standard stream, or messages would end up in it.
  for (int fd = open("/dev/null", O_RDWR); fd >= 0 && fd <= STDERR_FILENO; fd = dup(fd)) {
  }
  try {
    return parse_and_call(argc, argv, program);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hushwalk: unexpected: %s\n", error.what());
    return 1;
  }
}
