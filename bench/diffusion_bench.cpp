// Lazy PPR (beta = 0.8, 100 steps): hushwalk beside Eigen and SuiteSparse:GraphBLAS. All must agree before
// any of them is timed. bench/ratios.py runs this with interleaved repetitions and prints the ratios.
//
//     diffusion_bench [GRAPH [alone]]
//
// GRAPH is a graph file or the name of a preset; `alone` leaves out the peers, which need much more memory.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench_graph.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/threads.h"
#include "peers/peers.h"

namespace hushwalk::bench {
namespace {

constexpr Ppr ppr{0.8, 100};
constexpr Node seed = 4711;

struct Peers {
  explicit Peers(const Graph& graph) : order(graph) {}
  DegreeOrder order;
  EigenPpr eigen{order, ppr};
  GraphBlasPpr times{order, ppr, GraphBlasPpr::Form::times};
  GraphBlasPpr second{order, ppr, GraphBlasPpr::Form::second};
};

struct Contest {
  Graph graph;
  std::unique_ptr<const Peers> peers;
  Diffusion diffusion = Diffusion::ppr(ppr.beta, ppr.steps);

  std::vector<double> ours() const { return diffuse_exactly(graph, diffusion, SeedVector(seed)); }
};

std::vector<Node> first_seeds(const Graph& graph, Node count) {
  std::vector<Node> seeds;
  for (Node i = 0; i < count; ++i) seeds.push_back((seed + 601 * i) % static_cast<Node>(graph.nodes()));
  return seeds;
}

bool agree(const std::vector<double>& a, const std::vector<double>& b) {
  double distance = 0;
  for (std::size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
  return a.size() == b.size() && distance <= 1e-9;
}

bool all_agree(const Contest& contest) {
  if (!contest.peers) return true;
  const std::vector<double> ours = contest.ours();
  const Peers& peers = *contest.peers;
  const std::vector<Node> two = first_seeds(contest.graph, 2);
  return agree(ours, peers.eigen.run(seed)) && agree(ours, peers.times.run(seed, 1)) &&
         agree(ours, peers.second.run(seed, 1)) && agree(ours, peers.times.run_together(two, 1)) &&
         agree(ours, peers.second.run_together(two, 1));
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

std::string suffix(Node seeds, int threads) {
  return "/seeds:" + std::to_string(seeds) + "/threads:" + std::to_string(threads);
}

void add_ours(const Contest& contest, int threads, Node seeds) {
  const std::vector<Node> nodes = first_seeds(contest.graph, seeds);
  const std::vector<SeedVector> batch(nodes.begin(), nodes.end());
  add("hushwalk" + suffix(seeds, threads), threads, static_cast<int>(seeds),
      [&contest, batch] { return diffuse_exactly(contest.graph, contest.diffusion, batch); });
}

void add_graphblas(const std::string& name, const GraphBlasPpr& peer, const Graph& graph, int threads) {
  add(name + suffix(1, threads), threads, 1, [&peer, threads] { return peer.run(seed, threads); });
  for (const Node seeds : {8, 16})
    add(name + suffix(seeds, threads), threads, static_cast<int>(seeds),
        [&peer, threads, nodes = first_seeds(graph, seeds)] { return peer.run_together(nodes, threads); });
}

void add_all(const Contest& contest) {
  if (contest.peers) add("eigen" + suffix(1, 1), 1, 1, [&] { return contest.peers->eigen.run(seed); });
  for (const int threads : {1, 2}) {
    if (contest.peers) {
      add_graphblas("graphblas-times", contest.peers->times, contest.graph, threads);
      add_graphblas("graphblas-second", contest.peers->second, contest.graph, threads);
    }
    for (const Node seeds : {1, 8, 16}) add_ours(contest, threads, seeds);
  }
}

}  // namespace
}  // namespace hushwalk::bench

int main(int argc, char** argv) {
  using namespace hushwalk::bench;
  ::benchmark::Initialize(&argc, argv);
  Contest contest{bench_graph(argc > 1 ? argv[1] : "blogcatalog-like"), nullptr};
  if (argc <= 2) contest.peers = std::make_unique<const Peers>(contest.graph);
  if (!all_agree(contest)) {
    std::fputs("the libraries disagree: nothing was timed\n", stderr);
    return 1;
  }
  add_all(contest);
  ::benchmark::RunSpecifiedBenchmarks();
}
