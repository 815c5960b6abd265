// What a charge, `show` and, for each entry, `verify` take in a ledger with many answers, as ratios to one
// with a thousand, and how many bytes an answer needs.
//
//   ledger_bench [ANSWERS]      (default: a million)
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>

#include "hushwalk/generate.h"
#include "hushwalk/ledger.h"

namespace hushwalk::bench {
namespace {

namespace fs = std::filesystem;

constexpr Node portion = 10'000, more = 50;

// Of the processor: neither the disk nor other processes count.
double seconds(const std::function<void()>& action) {
  const std::clock_t began = std::clock();
  action();
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

// The best of several: other processes only ever add.
double best(int times, const std::function<void()>& action) {
  double least = seconds(action);
  for (int i = 1; i < times; ++i) least = std::min(least, seconds(action));
  return least;
}

LedgerRequest for_nodes(const char* mechanism, Node first, Node count) {
  LedgerRequest request{{.mechanism = mechanism, .epsilon = Epsilon(0.5)}, {}, ""};
  for (Node node = first; node < first + count; ++node) request.seeds.emplace_back(node);
  return request;
}

struct Times {
  double charge, again, show, verify;  // the last for each answer
};

// Entries that differ in their seeds, charged in portions.
Times measure(const char* mechanism, const Graph& graph, Node answers) {
  const fs::path folder = fs::temp_directory_path() / ("hushwalk-ledger-bench-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path path = folder / "l";
  Ledger::create(path, graph.facts(), {.epsilon = Epsilon(1e6)});
  Ledger ledger(path);
  const double all = seconds([&] {
    for (Node first = 0; first < answers; first += portion)
      static_cast<void>(
          ledger.charge(graph, for_nodes(mechanism, first, std::min(portion, answers - first))));
  });
  ledger.compact();
  const double bytes = static_cast<double>(fs::file_size(path)) / answers;
  Node next = answers;
  Times times{};
  times.charge =
      best(more, [&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, next++, 1))); });
  times.again = best(more, [&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, 0, 1))); });
  times.show = best(more, [&] { static_cast<void>(ledger.state()); });
  const auto entries = static_cast<double>(ledger.state().entries);
  times.verify = seconds([&] {
                   if (!ledger.verify().valid) std::abort();
                 }) /
                 answers;
  std::printf(
      "%-7s %8u answers in %8.0f entries: %6.1f bytes an answer; charged in %.1f s, one more in %.2f ms, one again in "
      "%.3f ms, show %.3f ms, verify %.1f us an answer\n",
      mechanism, answers, entries, bytes, all, 1e3 * times.charge, 1e3 * times.again, 1e3 * times.show,
      1e6 * times.verify);
  std::fflush(stdout);
  fs::remove_all(folder);
  return times;
}

void compare(const char* mechanism, Node few, Node many) {
  const Graph graph = generate("er", {.nodes = many + more, .edges = 1000});  // one for both
  const Times small = measure(mechanism, graph, few), large = measure(mechanism, graph, many);
  std::printf(
      "%-7s %u answers / %u: one more %.2f, one again %.2f, show %.2f, verify %.2f an answer (target: at most 3 "
      "each)\n",
      mechanism, many, few, large.charge / small.charge, large.again / small.again, large.show / small.show,
      large.verify / small.verify);
  std::fflush(stdout);
}

}  // namespace
}  // namespace hushwalk::bench

int main(int argc, char** argv) {
  using hushwalk::Node;
  const Node many = argc > 1 ? static_cast<Node>(std::atoi(argv[1])) : 1'000'000;
  for (const char* mechanism : {"twohop", "shared"}) hushwalk::bench::compare(mechanism, 1'000, many);
}
