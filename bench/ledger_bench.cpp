// A ledger with so many entries: what a charge, `show` and `verify` take, and how many bytes an answer needs.
//
//   ledger_bench [ENTRIES]      (default: 1000, then a thousand times as many)
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "hushwalk/generate.h"
#include "hushwalk/ledger.h"

namespace hushwalk::bench {
namespace {

namespace fs = std::filesystem;

double seconds(const std::function<void()>& action) {
  const auto began = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
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

void measure(const char* mechanism, Node entries) {
  const fs::path folder = fs::temp_directory_path() / ("hushwalk-ledger-bench-" + std::to_string(getpid()));
  fs::create_directories(folder);
  constexpr Node more = 50;
  const Graph graph = generate("er", {.nodes = entries + more, .edges = 1000});
  const fs::path path = folder / "l";
  Ledger::create(path, graph.facts(), {.epsilon = Epsilon(1e6)});
  Ledger ledger(path);
  const double all =
      seconds([&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, 0, entries))); });
  ledger.compact();
  Node next = entries;
  const double charge =
      best(more, [&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, next++, 1))); });
  const double again = best(20, [&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, 0, 1))); });
  const double show = best(20, [&] { static_cast<void>(ledger.state()); });
  const double verify = seconds([&] {
    if (!ledger.verify().valid) std::abort();
  });
  std::printf(
      "%-7s %8u answers: %6.1f bytes each; all at once in %.2f s, one more in %.2f ms, one again in %.2f ms (of it the graph's "
      "digest), show %.2f ms, verify %.2f s\n",
      mechanism, entries, static_cast<double>(fs::file_size(path)) / entries, all, 1e3 * charge, 1e3 * again,
      1e3 * show, verify);
  std::fflush(stdout);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace hushwalk::bench

int main(int argc, char** argv) {
  using hushwalk::Node;
  std::vector<Node> sizes = {1'000, 1'000'000};
  if (argc > 1) sizes = {static_cast<Node>(std::atoi(argv[1]))};
  for (const char* mechanism : {"twohop", "shared"})
    for (const Node size : sizes) hushwalk::bench::measure(mechanism, size);
}
