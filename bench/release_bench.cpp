// A release and its certificate by the C++ interface alone, beside which bench/python_call.py measures one
// from Python.
#include <benchmark/benchmark.h>

#include "hushwalk/answer.h"
#include "hushwalk/generate.h"
#include "hushwalk/threads.h"

namespace hushwalk::bench {
namespace {

void release(benchmark::State& state) {
  const ThreadLimit one(1);
  const Graph graph = hushwalk::generate("blogcatalog-like");
  const Node seed = *graph.node_list().find(17);
  for (auto _ : state) {
    AnswerSource answers = ask(graph, {.seeds = {seed}, .release = {.epsilon = Epsilon(1)}, .top = 100});
    answers.each([](const Ranking& ranking) { benchmark::DoNotOptimize(ranking.nodes.data()); });
    benchmark::DoNotOptimize(answers.certificate());
  }
}

BENCHMARK(release)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace hushwalk::bench

BENCHMARK_MAIN();
