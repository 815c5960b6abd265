#include "audit/replay.h"

#include <utility>

namespace hushwalk::auditing {

struct RecordingSource::Log {
  std::mutex mutex;
  Use use;

  void add(const Asked& asked, std::uint64_t words) {
    const std::scoped_lock lock(mutex);
    use[asked] += words;
  }
};

class RecordingSource::RecordedWords final : public PieceWords {
 public:
  RecordedWords(std::unique_ptr<PieceWords> words, Asked asked, std::shared_ptr<Log> log)
      : words_(std::move(words)), asked_(std::move(asked)), log_(std::move(log)) {}

  void primary(std::uint64_t first, std::size_t per_group, std::span<std::uint64_t> words) override {
    words_->primary(first, per_group, words);
    for (std::size_t i = 0; i < words.size() / per_group; ++i) add(first + i, per_group);
  }
  void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) override {
    words_->own(blocks, words);
    for (const OwnBlock& block : blocks) add(block.node / nodes_per_group, words_per_block);
  }

 private:
  void add(std::uint64_t group, std::uint64_t words) {
    asked_.group = group;
    log_->add(asked_, words);
  }

  std::unique_ptr<PieceWords> words_;
  Asked asked_;
  std::shared_ptr<Log> log_;
};

class RecordingSource::Answer final : public NoiseSource {
 public:
  Answer(std::unique_ptr<NoiseSource> owned, NoiseSource& source, std::vector<std::uint64_t> path,
         std::shared_ptr<Log> log)
      : owned_(std::move(owned)), source_(source), path_(std::move(path)), log_(std::move(log)) {}

  std::unique_ptr<NoiseSource> answer(std::uint64_t number) override {
    std::vector<std::uint64_t> path = path_;
    path.push_back(number);
    log_->add({path}, 0);
    std::unique_ptr<NoiseSource> owned = source_.answer(number);
    NoiseSource& source = *owned;
    return std::make_unique<Answer>(std::move(owned), source, std::move(path), log_);
  }
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override {
    const Asked asked{path_, static_cast<std::uint64_t>(address.kind), address.step, address.piece};
    return std::make_unique<RecordedWords>(source_.piece(address), asked, log_);
  }

 private:
  std::unique_ptr<NoiseSource> owned_;
  NoiseSource& source_;
  std::vector<std::uint64_t> path_;
  std::shared_ptr<Log> log_;
};

RecordingSource::RecordingSource(NoiseSource& source) : source_(source), log_(std::make_shared<Log>()) {}

std::unique_ptr<NoiseSource> RecordingSource::answer(std::uint64_t number) {
  return Answer(nullptr, source_, {}, log_).answer(number);
}

std::unique_ptr<PieceWords> RecordingSource::piece(const PieceAddress& address) {
  return Answer(nullptr, source_, {}, log_).piece(address);
}

const Use& RecordingSource::use() const { return log_->use; }

}  // namespace hushwalk::auditing
