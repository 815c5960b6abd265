#include "audit/sampling.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"

namespace hushwalk::auditing {
namespace {

constexpr std::size_t chunk = 4096;  // releases of one start, which costs as much as about twenty
constexpr std::size_t batch = 64;    // seeds side by side

// All streams draw on one: a new key for every stream would cost more than the release of a small graph.
class OneStream final : public RandomSource {
 public:
  explicit OneStream(std::unique_ptr<RandomStream> words)
      : shared_(std::make_shared<Shared>(std::move(words))) {}
  std::unique_ptr<RandomStream> stream(std::uint64_t) const override {
    return std::make_unique<Part>(shared_);
  }

 private:
  struct Shared {
    explicit Shared(std::unique_ptr<RandomStream> from) : words(std::move(from)) {}
    std::mutex mutex;
    std::unique_ptr<RandomStream> words;
  };
  class Part final : public RandomStream {
   public:
    explicit Part(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
    void fill(std::span<std::uint64_t> words) override {
      const std::scoped_lock lock(shared_->mutex);
      shared_->words->fill(words);
    }

   private:
    std::shared_ptr<Shared> shared_;
  };
  std::shared_ptr<Shared> shared_;
};

void keep(const Numbers& numbers, std::span<const Place> places, std::int64_t* out) {
  for (const Place& place : places) *out++ = numbers[place.column][place.node];
}

// Trials first to last, by a release of their own.
void run_chunk(const Subject& subject, const Graph& graph, const SeedVector& seed, const RandomSource& source,
               std::span<const Place> places, std::size_t first, std::size_t last, std::int64_t* out) {
  const OneStream words(source.stream(first));
  const auto release = subject.mechanism.start(subject.plan, graph, words, {});
  const std::size_t together = subject.plan.one_artefact ? 1 : batch;
  const std::vector<SeedVector> seeds(together, seed);
  for (std::size_t t = first; t < last; t += together) {
    const std::size_t count = std::min(together, last - t);
    if (subject.plan.one_artefact) release->renew(t);
    for (const Numbers& numbers : release->numbers(std::span(seeds).first(count), t, {})) {
      keep(numbers, places, out);
      out += places.size();
    }
  }
}

}  // namespace

Sample sample(const Subject& subject, const Graph& graph, const SeedVector& seed,
              std::span<const Place> places, std::uint64_t trials, const RandomSource& source,
              const std::function<void(std::uint64_t)>& done) {
  Sample result{places.size(), std::vector<std::int64_t>(trials * places.size())};
  std::mutex mutex;
  std::uint64_t sum = 0;
  parallel_for((trials + chunk - 1) / chunk, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::size_t first = piece * chunk, last = std::min<std::size_t>(first + chunk, trials);
      run_chunk(subject, graph, seed, source, places, first, last,
                result.values.data() + first * places.size());
      const std::scoped_lock lock(mutex);
      sum += last - first;
      if (done) done(sum);
    }
  });
  return result;
}

}  // namespace hushwalk::auditing
