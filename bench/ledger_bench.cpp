// What a ledger adds to a release, beside a bare SQLite loop that commits the same bytes in the same two
// transactions; and a replay beside a bare read of the same row. bench/ratios.py prints the ratios.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hushwalk/generate.h"
#include "hushwalk/ledger.h"
#include "peers/bare_sqlite.h"

namespace hushwalk::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t nodes = 10'000, edges = 50'000;
constexpr int releases = 20, replays = 500;  // of a repetition

class Setting {
 public:
  Setting()
      : folder_(fs::temp_directory_path() / ("hushwalk-ledger-bench-" + std::to_string(getpid()))),
        graph_(hushwalk::generate("chung-lu", {.nodes = nodes, .edges = edges})) {
    fs::create_directories(folder_);
    Ledger::create(folder_ / "ledger", graph_.facts(), {.epsilon = Epsilon(1e6)});
    ledger_ = std::make_unique<Ledger>(folder_ / "ledger");
    static_cast<void>(released(0));
    bare_ = std::make_unique<BareSqlite>(folder_ / "bare", folder_ / "ledger");
  }
  ~Setting() { fs::remove_all(folder_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  PrivateScores released(Node seed) {
    return LedgerRanker(*ledger_, graph_, {request(), {seed}, ""}).answer(0);
  }
  PrivateScores released_uncounted(Node seed) const {
    PrivateRanker ranker(graph_, request());
    return ranker.answer(SeedVector(seed));
  }
  Node next_seed() { return ++last_seed_ % nodes; }
  BareSqlite& bare() { return *bare_; }

 private:
  // A quick release, so that what the ledger adds is not lost in the noise of what it is added to.
  static ReleaseParameters request() { return {.mechanism = "twohop", .epsilon = Epsilon(0.1)}; }

  fs::path folder_;
  Graph graph_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<BareSqlite> bare_;
  Node last_seed_ = 0;
};

Setting& setting() {
  static Setting setting;
  return setting;
}

void with_ledger(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(setting().released(setting().next_seed()));
}
void without_ledger(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(setting().released_uncounted(setting().next_seed()));
}
void bare_commits(benchmark::State& state) {
  for (auto _ : state) setting().bare().commit_release();
}
// The same commits on a machine that has just computed a release, as the ledger's are.
void bare_after_release(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting().released_uncounted(setting().next_seed()));
    setting().bare().commit_release();
  }
}
void replay(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(setting().released(0));
}
void bare_read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(setting().bare().read_row());
}

BENCHMARK(with_ledger)->Iterations(releases)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(without_ledger)->Iterations(releases)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(bare_commits)->Iterations(releases)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(bare_after_release)->Iterations(releases)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(replay)->Iterations(replays)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(bare_read)->Iterations(replays)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace hushwalk::bench

BENCHMARK_MAIN();
