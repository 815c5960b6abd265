// Discrete Laplace noise of scale 2^40, one thread: the sampler of releases, by address and from a stream,
// beside a straightforward one, all exact, all fed by the same cipher. bench/ratios.py adds NumPy's
// continuous Laplace and prints ratios.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "noise/discrete_laplace.h"
#include "noise/entropy_source.h"
#include "noise/keyed_noise.h"
#include "support/cks_sampler.h"

namespace hushwalk::bench {
namespace {

constexpr int log_scale = 40;
constexpr std::size_t batch = std::size_t{1} << 20;

template <class Fill>
void measure(::benchmark::State& state, std::size_t count, const Fill& fill) {
  const auto stream = EntropySource().stream();
  std::vector<std::int64_t> samples(count);
  for (auto _ : state) {
    fill(*stream, samples);
    ::benchmark::DoNotOptimize(samples.data());
    ::benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

// As a release draws: every round another step.
void hushwalk_laplace(::benchmark::State& state) {
  const DiscreteLaplace laplace(static_cast<double>(std::uint64_t{1} << log_scale));
  KeyedNoise source(ReleaseKey::fresh());
  std::uint64_t step = 0;
  measure(state, batch, [&](RandomStream&, auto& samples) {
    draw_by_address(source, NoiseKind::step_first, step++, laplace, 0, samples);
  });
}

void stream_laplace(::benchmark::State& state) {
  const DiscreteLaplace laplace(static_cast<double>(std::uint64_t{1} << log_scale));
  measure(state, batch, [&](RandomStream& stream, auto& samples) { laplace.fill(stream, samples); });
}

void cks_laplace(::benchmark::State& state) {
  const testing::CksLaplace laplace(std::uint64_t{1} << log_scale, 1);
  measure(state, batch / 16, [&](RandomStream& stream, auto& samples) {
    for (std::int64_t& sample : samples) sample = laplace.draw(stream);
  });
}

// What the random words alone cost: nothing can be faster than its share of this.
void entropy_words(::benchmark::State& state) {
  measure(state, batch, [](RandomStream& stream, auto& samples) {
    for (std::int64_t& sample : samples) sample = static_cast<std::int64_t>(stream.next_word());
  });
}

// Setting up a new scale.
void construction(::benchmark::State& state) {
  double scale = static_cast<double>(std::uint64_t{1} << log_scale);
  for (auto _ : state) ::benchmark::DoNotOptimize(DiscreteLaplace(scale += 0.125));
}

BENCHMARK(hushwalk_laplace)->Unit(::benchmark::kMillisecond);
BENCHMARK(stream_laplace)->Unit(::benchmark::kMillisecond);
BENCHMARK(cks_laplace)->Unit(::benchmark::kMillisecond);
BENCHMARK(entropy_words)->Unit(::benchmark::kMillisecond);
BENCHMARK(construction)->Unit(::benchmark::kMicrosecond);

}  // namespace
}  // namespace hushwalk::bench

BENCHMARK_MAIN();
