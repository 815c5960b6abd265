// Importing 15 million edges of plain text into a graph file, beside a loop that only parses the same
// integers. bench/ratios.py prints the ratio.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hushwalk/generate.h"
#include "hushwalk/import.h"

namespace hushwalk::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t nodes = 400'000, edges = 15'000'000;

// A folder with the edge list, sorted as most published ones are and in random order.
class Texts {
 public:
  Texts() : folder_(fs::temp_directory_path() / ("hushwalk-bench-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::vector<std::pair<Node, Node>> list = edge_list();
    write("sorted.txt", list);
    std::uint64_t state = 1;  // a shuffle need not be good here, only the same every time
    for (std::size_t i = list.size() - 1; i > 0; --i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      std::swap(list[i], list[(state >> 33) % (i + 1)]);
    }
    write("shuffled.txt", list);
  }
  ~Texts() { fs::remove_all(folder_); }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  fs::path operator/(const char* name) const { return folder_ / name; }

 private:
  static std::vector<std::pair<Node, Node>> edge_list() {
    const Graph graph = hushwalk::generate("chung-lu", {.nodes = nodes, .edges = edges});
    std::vector<std::pair<Node, Node>> list;
    list.reserve(edges);
    for (Node u = 0; u < graph.nodes(); ++u)
      for (const Node v : graph.neighbors(u))
        if (u < v) list.emplace_back(u, v);
    return list;
  }

  void write(const char* name, const std::vector<std::pair<Node, Node>>& list) const {
    std::ofstream out(folder_ / name);
    for (const auto& [u, v] : list) out << u + 1 << ' ' << v + 1 << '\n';
  }

  fs::path folder_;
};

// Reads the file in blocks and parses its integers, nothing else.
std::uint64_t sum_of_integers(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY);
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t sum = 0;
  std::size_t kept = 0;
  for (ssize_t got = 0; (got = read(file, buffer.data() + kept, buffer.size() - kept)) > 0;) {
    const char* p = buffer.data();
    const char* const end = p + kept + got;
    const char* line_end = end;
    while (line_end > p && line_end[-1] != '\n') --line_end;
    while (p < line_end) {
      std::uint32_t value = 0;
      const auto parsed = std::from_chars(p, line_end, value);
      sum += value;
      p = parsed.ptr + 1;
    }
    kept = static_cast<std::size_t>(end - line_end);
    std::memmove(buffer.data(), line_end, kept);
  }
  close(file);
  return sum;
}

void add_all(const Texts& texts) {
  const auto add = [](const std::string& name, auto body) {
    ::benchmark::RegisterBenchmark(name.c_str(),
                                   [=](::benchmark::State& state) {
                                     for (auto _ : state) body(state);
                                   })
        ->Unit(::benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(1);
  };
  for (const char* name : {"sorted.txt", "shuffled.txt"}) {
    const fs::path text = texts / name, graph = texts / "graph.hwg";
    add(std::string("parse/") + name,
        [=](::benchmark::State&) { ::benchmark::DoNotOptimize(sum_of_integers(text)); });
    add(std::string("import/") + name, [=](::benchmark::State& state) {
      import_graph(text).graph.save(graph);
      state.PauseTiming();
      fs::remove(graph);
      state.ResumeTiming();
    });
  }
}

}  // namespace
}  // namespace hushwalk::bench

int main(int argc, char** argv) {
  const hushwalk::bench::Texts texts;
  hushwalk::bench::add_all(texts);
  ::benchmark::Initialize(&argc, argv);
  ::benchmark::RunSpecifiedBenchmarks();
}
