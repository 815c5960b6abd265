// Parse, call the verb, translate errors into exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused for
// privacy.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "verbs.h"

namespace {

// CLI11 would only say that a subcommand is required. The words of a verb come first: `ledger show`.
void check_verb(const CLI::App& app, int argc, char** argv, int at = 1) {
  if (argc <= at || argv[at][0] == '-' || app.get_subcommands({}).empty()) return;
  std::string verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == argv[at]) return check_verb(*verb, argc, argv, at + 1);
    verbs += " " + verb->get_name();
  }
  hushwalk::cli::usage_error("there is no verb '{}'; choose from:{}", argv[at], verbs);
}

int run(int argc, char** argv) {
  using namespace hushwalk;
  CLI::App app("Which nodes matter most to this node? Graph diffusions on graphs whose edges are secret.",
               "hushwalk");
  app.set_version_flag("--version", std::string("hushwalk ") + version());
  app.require_subcommand(1);
  app.footer("hushwalk VERB --help shows the flags of a verb and an example.");
  cli::Common common;
  try {
    for (const auto add :
         {cli::add_demo, cli::add_generate, cli::add_import, cli::add_info, cli::add_rank, cli::add_plan,
          cli::add_share, cli::add_ledger, cli::add_keys, cli::add_verify_certificate, cli::add_certificate,
          cli::add_evaluate, cli::add_tune, cli::add_reproduce, cli::add_audit, cli::add_calibrate,
          cli::add_account})
      add(app, common);
    check_verb(app, argc, argv);
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& success) {  // --help, --version
    const int code = app.exit(success);
    return std::cout.flush() ? code : static_cast<int>(ErrorCode::failed);
  } catch (const CLI::ParseError& error) {
    std::string verb;
    for (const CLI::App* used : app.get_subcommands()) verb = " " + used->get_name();
    cli::notice("{}", error.what());
    cli::notice("try: hushwalk{} --help", verb);
    return static_cast<int>(ErrorCode::usage);
  } catch (const Error& error) {
    cli::notice("{}", cli::with_flags(error.what()));
    if (!error.for_custodian().empty())
      cli::notice("for the custodian: {}", cli::with_flags(error.for_custodian()));
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    cli::notice("not enough memory");
    return static_cast<int>(ErrorCode::failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error like any other
  hushwalk::cli::standard_output_closed = fcntl(STDOUT_FILENO, F_GETFD) == -1;
  // A file opened later must not take the number of a closed standard stream, or messages would end up in it.
  for (int fd = open("/dev/null", O_RDWR); fd >= 0 && fd <= STDERR_FILENO; fd = dup(fd)) {
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hushwalk: unexpected: %s\n", error.what());
    return 1;
  }
}
