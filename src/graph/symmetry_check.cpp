#include "graph/symmetry_check.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/system_random.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t most_first = std::uint64_t{1} << 14;  // 128 kB

std::vector<std::uint64_t> random_words(std::size_t count) {
  std::vector<std::uint64_t> words(count);
  fill_random(std::as_writable_bytes(std::span(words)), "checking that a graph file is symmetric");
  return words;
}

unsigned half_the_bits(std::uint64_t rows) { return (static_cast<unsigned>(std::bit_width(rows)) + 1) / 2; }

}  // namespace

SymmetryCheck::Words::Words(std::uint64_t rows, unsigned bits)
    : low_bits(bits),
      first(random_words(std::min(rows, most_first))),
      low(random_words(std::size_t{1} << bits)),
      high(random_words((rows >> bits) + 1)) {}

inline std::uint64_t SymmetryCheck::Words::of(Row row) const noexcept {
  return row < first.size() ? first[row] : low[row & (low.size() - 1)] * high[row >> low_bits];
}

inline std::uint64_t SymmetryCheck::Words::take(std::span<const Row> ascending, std::size_t& at,
                                                Row limit) const noexcept {
  const std::size_t size = ascending.size();
  const Row own_words = std::min(limit, static_cast<Row>(first.size()));
  std::size_t i = at;
  std::uint64_t sum = 0;
  for (; i < size && ascending[i] < own_words; ++i) sum += first[ascending[i]];
  for (; i < size && ascending[i] < limit; ++i)
    sum += low[ascending[i] & (low.size() - 1)] * high[ascending[i] >> low_bits];
  at = i;
  return sum;
}

SymmetryCheck::SymmetryCheck(std::uint64_t rows)
    : x_(rows, half_the_bits(rows)), y_(rows, half_the_bits(rows)) {}

std::uint64_t SymmetryCheck::share(Row row, std::span<const Row> entries) const noexcept {
  std::size_t at = 0;
  const std::uint64_t below = y_.take(entries, at, row);
  const std::uint64_t above = x_.take(entries, at, std::numeric_limits<Row>::max());
  return x_.of(row) * below - y_.of(row) * above;
}

}  // namespace hushwalk
