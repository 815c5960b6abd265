#include "audit/replay.h"

#include <algorithm>
#include <utility>

namespace hushwalk::auditing {

struct TapeSource::Log {
  std::mutex mutex;
  std::map<std::uint64_t, std::vector<std::shared_ptr<std::vector<std::uint64_t>>>> streams;
};

namespace {

class TapeStream final : public RandomStream {
 public:
  TapeStream(std::vector<std::uint64_t> tape, std::unique_ptr<RandomStream> fresh,
             std::shared_ptr<std::vector<std::uint64_t>> used)
      : tape_(std::move(tape)), fresh_(std::move(fresh)), used_(std::move(used)) {}

  void fill(std::span<std::uint64_t> words) override {
    const std::size_t recorded = std::min(words.size(), tape_.size() - next_);
    std::copy_n(tape_.begin() + static_cast<std::ptrdiff_t>(next_), recorded, words.begin());
    next_ += recorded;
    if (recorded < words.size()) fresh_->fill(words.subspan(recorded));
    used_->insert(used_->end(), words.begin(), words.end());
  }

 private:
  std::vector<std::uint64_t> tape_;
  std::size_t next_ = 0;
  std::unique_ptr<RandomStream> fresh_;
  std::shared_ptr<std::vector<std::uint64_t>> used_;
};

}  // namespace

TapeSource::TapeSource(const RandomSource& fresh, Words tape)
    : fresh_(fresh), tape_(std::move(tape)), log_(std::make_shared<Log>()) {}

TapeSource::~TapeSource() = default;

std::unique_ptr<RandomStream> TapeSource::stream(std::uint64_t index) const {
  const auto used = std::make_shared<std::vector<std::uint64_t>>();
  std::size_t number = 0;
  {
    const std::scoped_lock lock(log_->mutex);
    number = log_->streams[index].size();
    log_->streams[index].push_back(used);
  }
  const auto found = tape_.find(index);
  std::vector<std::uint64_t> words;
  if (found != tape_.end() && number < found->second.size()) words = found->second[number];
  return std::make_unique<TapeStream>(std::move(words), fresh_.stream(index), used);
}

Words TapeSource::used() const {
  Words words;
  for (const auto& [index, requests] : log_->streams)
    for (const auto& request : requests) words[index].push_back(*request);
  return words;
}

}  // namespace hushwalk::auditing
