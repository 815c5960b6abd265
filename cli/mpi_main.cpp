// hushwalk-mpi: one of the processes of an MPI job. The first is the command line, the others have rows and
// wait for what it asks.
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>

#include "hushwalk/distributed.h"
#include "run.h"
#include "spread.h"

namespace {

using namespace hushwalk;

// What --threads says; mpirun gives all processes the same words. Nonsense is left to the first process.
std::optional<int> threads_asked_for(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--threads" && i + 1 < argc)
      word = argv[i + 1];
    else if (word.starts_with("--threads="))
      word.remove_prefix(std::string_view("--threads=").size());
    else
      continue;
    int threads = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), threads);
    if (error == std::errc() && threads >= 1 && threads <= 4096) return threads;
  }
  return {};
}

// The processors that this process is bound to; without a bond, its share of those of the host.
int share_of_host(int processes) {
  cpu_set_t bound;
  const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (sched_getaffinity(0, sizeof bound, &bound) == 0 && CPU_COUNT(&bound) < all) return CPU_COUNT(&bound);
  return std::max(1, all / processes);
}

// With --timings: what each process had to do.
void say_what_processes_did(const DistributedJob& job) {
  std::fprintf(stderr, "hushwalk-mpi: what each process did (NOT private: it depends on secret edges):\n");
  int number = 0;
  for (const ProcessUsage& of : job.usage())
    std::fprintf(stderr,
                 "  process %d: %" PRIu64 " links, %" PRIu64 " of them in rows that need no others; %" PRIu64
                 " rows of others, brought %" PRIu64 " times in %" PRIu64 " bytes; at most %" PRIu64 " kB\n",
                 number++, of.links, of.inner_links, of.others, of.times, of.brought, of.memory / 1024);
}

int work(int argc, char** argv) {
  DistributedJob job;
  const ThreadLimit limit(
      threads_asked_for(argc, argv).value_or(share_of_host(job.processes_on_this_host())));
  if (!job.is_first()) {
    job.serve();
    return 0;
  }
  setenv("NO_COLOR", "1", 0);  // a launcher puts a terminal of its own before its pipe
  cli::open_spread = [&job](const std::string& path) { return job.open(path); };
  cli::import_spread = [&job](const auto& paths, const ImportOptions& options, const Progress& progress) {
    return job.import_graph(paths, options, progress);
  };
  const int code = cli::run(
      argc, argv,
      {"hushwalk-mpi", {cli::add_import, cli::add_info, cli::add_rank, cli::add_plan, cli::add_share}});
  if (code == 0 && std::find(argv, argv + argc, std::string_view("--timings")) != argv + argc)
    say_what_processes_did(job);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return work(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hushwalk-mpi: %s\n", error.what());
    return 1;
  }
}
