// Lazy PPR (beta = 0.8, 100 steps): hushwalk beside Eigen and SuiteSparse:GraphBLAS. All must agree before
// any of them is timed. bench/ratios.py runs this with interleaved repetitions and prints the ratios.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "bench_graph.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/threads.h"
#include "peers/peers.h"

namespace hushwalk::bench {
namespace {

constexpr Ppr ppr{0.8, 100};
constexpr Node seed = 4711;

struct Contest {
  Graph graph = bench_graph();
  DegreeOrder order{graph};
  Diffusion diffusion = Diffusion::ppr(ppr.beta, ppr.steps);
  EigenPpr eigen{order, ppr};
  GraphBlasPpr times{order, ppr, GraphBlasPpr::Form::times};
  GraphBlasPpr second{order, ppr, GraphBlasPpr::Form::second};

  std::vector<double> ours() const { return diffuse_exactly(graph, diffusion, SeedVector(seed)); }
};

bool agree(const std::vector<double>& a, const std::vector<double>& b) {
  double distance = 0;
  for (std::size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
  return a.size() == b.size() && distance <= 1e-9;
}

bool all_agree(const Contest& contest) {
  const std::vector<double> ours = contest.ours();
  return agree(ours, contest.eigen.run(seed)) && agree(ours, contest.times.run(seed, 1)) &&
         agree(ours, contest.second.run(seed, 1));
}

// `run` with a limit on threads; the time is that of one seed.
template <class Run>
void add(const std::string& name, int threads, int seeds, Run run) {
  ::benchmark::RegisterBenchmark(name.c_str(),
                                 [=](::benchmark::State& state) {
                                   const ThreadLimit limit(threads);
                                   for (auto _ : state) ::benchmark::DoNotOptimize(run());
                                   state.counters["seeds"] = seeds;
                                 })
      ->Unit(::benchmark::kMillisecond)
      ->UseRealTime();
}

void add_batch(const Contest& contest, int threads, Node seeds) {
  std::vector<SeedVector> batch;
  for (Node i = 0; i < seeds; ++i)
    batch.emplace_back((seed + 601 * i) % static_cast<Node>(contest.graph.nodes()));
  add("hushwalk/seeds:" + std::to_string(seeds) + "/threads:" + std::to_string(threads), threads,
      static_cast<int>(seeds),
      [&contest, batch] { return diffuse_exactly(contest.graph, contest.diffusion, batch); });
}

void add_all(const Contest& contest) {
  add("eigen/seeds:1/threads:1", 1, 1, [&] { return contest.eigen.run(seed); });
  for (const int threads : {1, 2}) {
    const std::string suffix = "/seeds:1/threads:" + std::to_string(threads);
    add("graphblas-times" + suffix, threads, 1, [&, threads] { return contest.times.run(seed, threads); });
    add("graphblas-second" + suffix, threads, 1, [&, threads] { return contest.second.run(seed, threads); });
    for (const Node seeds : {1, 8, 16}) add_batch(contest, threads, seeds);
  }
}

}  // namespace
}  // namespace hushwalk::bench

int main(int argc, char** argv) {
  using namespace hushwalk::bench;
  const Contest contest;
  if (!all_agree(contest)) {
    std::fputs("the libraries disagree: nothing was timed\n", stderr);
    return 1;
  }
  add_all(contest);
  ::benchmark::Initialize(&argc, argv);
  ::benchmark::RunSpecifiedBenchmarks();
}
