// Checking a graph file of 600 MB beside reading it, from the page cache, with two threads each; and how much
// of it is touched to read one row. bench/ratios.py prints the ratios.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "hushwalk/generate.h"
#include "hushwalk/graph.h"
#include "hushwalk/threads.h"

namespace hushwalk::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t nodes = 4'000'000, edges = 64'000'000;
constexpr int threads = 2;

struct File {
  File() : path(fs::temp_directory_path() / ("hushwalk-bench-" + std::to_string(getpid()) + ".hwg")) {
    generate("rmat", {.nodes = nodes, .edges = edges}).save(path);
  }
  ~File() { fs::remove(path); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const fs::path path;
};

const File& file() {
  static const File made;
  return made;
}

void read_range(const fs::path& path, std::uint64_t first, std::uint64_t last) {
  static thread_local std::vector<char> buffer(1 << 18);
  const int handle = open(path.c_str(), O_RDONLY);
  for (std::uint64_t at = first; at < last;) {
    const ssize_t got = pread(handle, buffer.data(), std::min<std::uint64_t>(buffer.size(), last - at),
                              static_cast<off_t>(at));
    if (got <= 0) break;
    at += static_cast<std::uint64_t>(got);
  }
  close(handle);
}

void read_whole(benchmark::State& state) {
  const std::uint64_t size = fs::file_size(file().path);
  for (auto _ : state) {
    std::array<std::jthread, threads> readers;
    for (std::uint64_t i = 0; i < threads; ++i)
      readers[i] =
          std::jthread([=] { read_range(file().path, size * i / threads, size * (i + 1) / threads); });
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(size) * state.iterations());
}

void check_whole(benchmark::State& state) {
  const ThreadLimit limit(threads);
  for (auto _ : state) Graph::open(file().path).check();
  state.SetBytesProcessed(static_cast<std::int64_t>(fs::file_size(file().path)) * state.iterations());
}

// What the system has mapped of the file, and what was read of it by copying.
double mapped_bytes(const fs::path& path) {
  std::ifstream maps("/proc/self/smaps");
  double kilobytes = 0;
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find('-') != std::string::npos && line.find(':') > 12)
      inside = line.find(path.string()) != std::string::npos;
    if (inside && line.starts_with("Rss:")) kilobytes += std::stod(line.substr(4));
  }
  return 1024 * kilobytes;
}

double read_bytes() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  double bytes = 0;
  counters >> name >> bytes;  // rchar
  return bytes;
}

// With about as many neighbours as the mean.
Node usual_node() {
  const Graph graph = Graph::open(file().path);
  Node node = 0;
  while (graph.degree(node) != 2 * edges / nodes) ++node;
  return node;
}

void open_one_row(benchmark::State& state) {
  const Node node = usual_node();
  double touched = 0, degree = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const double before = read_bytes();
    state.ResumeTiming();
    const Graph graph = Graph::open(file().path);
    degree = static_cast<double>(graph.neighbors(node).size());
    state.PauseTiming();
    const double read = read_bytes() - before;
    touched = std::max(touched, read + mapped_bytes(file().path));
    state.ResumeTiming();
  }
  state.counters["touched"] = touched;
  state.counters["degree"] = degree;
}

BENCHMARK(read_whole)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(check_whole)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(open_one_row)->Unit(benchmark::kMicrosecond)->Iterations(3);

}  // namespace
}  // namespace hushwalk::bench

BENCHMARK_MAIN();
