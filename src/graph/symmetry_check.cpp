#include "graph/symmetry_check.h"

#include <bit>

#include "base/system_random.h"

namespace hushwalk {

std::vector<SymmetryCheck::Words> SymmetryCheck::random_words(std::size_t count) {
  std::vector<Words> words(count);
  fill_random(std::as_writable_bytes(std::span(words)), "checking that a graph file is symmetric");
  return words;
}

SymmetryCheck::SymmetryCheck(std::uint64_t rows)
    : low_bits_((static_cast<unsigned>(std::bit_width(rows)) + 1) / 2),
      low_(random_words(std::size_t{1} << low_bits_)),
      high_(random_words((rows >> low_bits_) + 1)) {}

inline SymmetryCheck::Words SymmetryCheck::at(Row row) const noexcept {
  const Words &low = low_[row & (low_.size() - 1)], &high = high_[row >> low_bits_];
  return {low.x * high.x, low.y * high.y};
}

std::uint64_t SymmetryCheck::share(Row row, std::span<const Row> entries) const noexcept {
  Words sum{0, 0};
  for (const Row entry : entries) {
    const Words words = at(entry);
    sum.x += words.x;
    sum.y += words.y;
  }
  const Words own = at(row);
  return own.x * sum.y - own.y * sum.x;
}

}  // namespace hushwalk
