#include "audit/sampling.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "noise/entropy_source.h"

namespace hushwalk::auditing {
namespace {

constexpr std::size_t chunk = 4096;  // releases of one start, which costs as much as about twenty
constexpr std::size_t batch = 64;    // seeds side by side

// All addresses draw on one stream: a key for each would cost more than the release of a small graph, and
// nobody asks for the same words again.
class OneStream final : public NoiseSource {
 public:
  explicit OneStream(std::unique_ptr<RandomStream> stream)
      : shared_(std::make_shared<Shared>(std::move(stream))) {}
  std::unique_ptr<NoiseSource> answer(std::uint64_t) override {
    return std::unique_ptr<NoiseSource>(new OneStream(shared_));
  }
  std::unique_ptr<PieceWords> piece(const PieceAddress&) override {
    return std::make_unique<SharedWords>(shared_);
  }

 private:
  struct Shared {
    explicit Shared(std::unique_ptr<RandomStream> from) : stream(std::move(from)), words(*stream) {}
    std::mutex mutex;
    std::unique_ptr<RandomStream> stream;
    StreamWords words;
  };
  class SharedWords final : public PieceWords {
   public:
    explicit SharedWords(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
    void primary(std::uint64_t first, std::size_t per_group, std::span<std::uint64_t> words) override {
      const std::scoped_lock lock(shared_->mutex);
      shared_->words.primary(first, per_group, words);
    }
    void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) override {
      const std::scoped_lock lock(shared_->mutex);
      shared_->words.own(blocks, words);
    }

   private:
    std::shared_ptr<Shared> shared_;
  };

  explicit OneStream(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  std::shared_ptr<Shared> shared_;
};

void keep(const Columns& numbers, std::span<const Place> places, std::int64_t* out) {
  for (const Place& place : places) *out++ = numbers[place.column][place.node];
}

// Trials first to last, by a release of their own.
void run_chunk(const Subject& subject, const Graph& graph, const SeedVector& seed,
               const EntropySource& source, std::span<const Place> places, std::size_t first,
               std::size_t last, std::int64_t* out) {
  OneStream words(source.stream());
  const auto release = subject.mechanism.start(subject.plan, graph, words, {});
  const std::size_t together = subject.plan.one_artefact() ? 1 : batch;
  const std::vector<SeedVector> seeds(together, seed);
  for (std::size_t t = first; t < last; t += together) {
    const std::size_t count = std::min(together, last - t);
    if (subject.plan.one_artefact()) release->renew(t);
    for (const Columns& numbers : release->numbers(std::span(seeds).first(count), t, {})) {
      keep(numbers, places, out);
      out += places.size();
    }
  }
}

}  // namespace

Sample sample(const Subject& subject, const Graph& graph, const SeedVector& seed,
              std::span<const Place> places, std::uint64_t trials,
              const std::function<void(std::uint64_t)>& done) {
  Sample result{places.size(), std::vector<std::int64_t>(trials * places.size())};
  const EntropySource source;
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

namespace {

double loss_of(const Columns& numbers, const Centres& without, const Centres& with) {
  double sum = 0;
  for (std::size_t column = 0; column < numbers.size(); ++column)
    for (Node v = 0; v < numbers[column].size(); ++v)
      if (const double scale = without.scale[column][v]; scale > 0) {
        const std::int64_t number = numbers[column][v];
        sum += static_cast<double>(std::abs(number - with.centre[column][v]) -
                                   std::abs(number - without.centre[column][v])) /
               scale;
      }
  return sum;
}

}  // namespace

std::vector<double> sample_losses(const Subject& subject, const AdjacentPair& pair, bool with_edge,
                                  std::uint64_t trials, const std::function<void(std::uint64_t)>& done) {
  const Graph without = pair.without(), with = pair.with();
  const EntropySource source;
  std::vector<double> losses(trials);
  std::mutex mutex;
  std::uint64_t sum = 0;
  parallel_for((trials + chunk - 1) / chunk, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      OneStream words(source.stream());
      const auto here = subject.mechanism.start(subject.plan, without, words, {}),
                 there = subject.mechanism.start(subject.plan, with, words, {});
      const std::size_t first = piece * chunk, last = std::min<std::size_t>(first + chunk, trials);
      for (std::size_t t = first; t < last; ++t) {
        Release& release = with_edge ? *there : *here;
        release.renew(t);
        const Columns numbers = release.numbers(std::span(&pair.seed, 1), t, {}).front();
        losses[t] = loss_of(numbers, *here->centres(numbers, pair.seed), *there->centres(numbers, pair.seed));
      }
      const std::scoped_lock lock(mutex);
      sum += last - first;
      if (done) done(sum);
    }
  });
  return losses;
}

}  // namespace hushwalk::auditing
