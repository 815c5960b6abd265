#include "graph/symmetry_check.h"

#include <bit>

#include "base/system_random.h"

namespace hushwalk {

std::vector<SymmetryCheck::Tag> SymmetryCheck::random_tags(std::size_t count) {
  std::vector<Tag> tags(count);
  fill_random(std::as_writable_bytes(std::span(tags)), "checking that a graph file is symmetric");
  return tags;
}

SymmetryCheck::SymmetryCheck(std::uint64_t rows)
    : low_bits_((static_cast<unsigned>(std::bit_width(rows)) + 1) / 2),
      low_(random_tags(std::size_t{1} << low_bits_)),
      high_(random_tags((rows >> low_bits_) + 1)) {}

inline SymmetryCheck::Tag SymmetryCheck::at(Row row) const noexcept {
  const Tag &low = low_[row & (low_.size() - 1)], &high = high_[row >> low_bits_];
  return {low.x * high.x, low.y * high.y};
}

std::uint64_t SymmetryCheck::share(Row row, std::span<const Row> entries) const noexcept {
  Tag sum{0, 0};
  for (const Row entry : entries) {
    const Tag tag = at(entry);
    sum.x += tag.x;
    sum.y += tag.y;
  }
  const Tag own = at(row);
  return own.x * sum.y - own.y * sum.x;
}

}  // namespace hushwalk
