// What a release asks of its source of noise. Two graphs run under one key, so that all that differs is the
// graph, and must ask for the same.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "noise/noise_source.h"

namespace hushwalk::auditing {

// An answer's source, or a group of numbers: `path` are the answers that lead to the source that was asked.
struct Asked {
  std::vector<std::uint64_t> path;
  std::uint64_t kind = 0, step = 0, piece = 0, group = 0;
  friend auto operator<=>(const Asked&, const Asked&) = default;
};
using Use = std::map<Asked, std::uint64_t>;  // how many words were asked for

// Hands on the words of another source and remembers what it was asked for.
class RecordingSource final : public NoiseSource {
 public:
  explicit RecordingSource(NoiseSource& source);  // which must outlive it

  std::unique_ptr<NoiseSource> answer(std::uint64_t number) override;
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override;

  // Once nobody draws any more.
  const Use& use() const;

 private:
  struct Log;
  class Answer;
  class RecordedWords;

  NoiseSource& source_;
  std::shared_ptr<Log> log_;
};

}  // namespace hushwalk::auditing
