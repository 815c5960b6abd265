// Two look-ups and a product for every entry. With vectors of eight words (AVX-512) they are gathered,
// about 1.7 times as fast as one by one; shorter vectors were not tried.
#include "graph/symmetry_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/system_random.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/symmetry_check.cpp"
#include <hwy/foreach_target.h>  // compiles this file once more for every target
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hushwalk {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The tables as a loop sees them.
struct WordTables {
  const std::uint64_t *low, *high;
  std::uint64_t lows, highs;  // so many of y, and as many of x behind them
  unsigned low_bits;

  explicit WordTables(const SymmetryCheck::Tables& tables)
      : low(tables.low.data()),
        high(tables.high.data()),
        lows(tables.low.size() / 2),
        highs(tables.high.size() / 2),
        low_bits(tables.low_bits) {}
  HWY_INLINE std::uint64_t y(Row row) const { return low[row & (lows - 1)] * high[row >> low_bits]; }
  HWY_INLINE std::uint64_t x(Row row) const {
    return low[lows + (row & (lows - 1))] * high[highs + (row >> low_bits)];
  }
};

// Of the entries of a row: the words y of those below it, the words x of the others.
struct Sums {
  std::uint64_t below = 0, above = 0;
};

HWY_INLINE void add_one_by_one(const WordTables& words, Row row, const Row* entry, const Row* end,
                               Sums& sums) {
  for (; entry < end && *entry < row; ++entry) sums.below += words.y(*entry);
  for (; entry < end; ++entry) sums.above += words.x(*entry);
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// Words wrap around; the sum of the library, of signed numbers, may not.
HWY_INLINE std::uint64_t sum_of(hn::Vec<hn::Full512<std::int64_t>> vector) {
  const hn::Full512<std::uint64_t> d;
  HWY_ALIGN std::array<std::uint64_t, 8> words;
  hn::Store(hn::BitCast(d, vector), d, words.data());
  return std::accumulate(words.begin(), words.end(), std::uint64_t{0});
}
#endif

HWY_INLINE std::uint64_t share_of_row(const WordTables& words, Row row, const Row* entry, const Row* end) {
  Sums sums;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const hn::Full512<std::int64_t> d;
  const hn::Full256<Row> d_row;
  constexpr std::size_t lanes = 8;
  const auto* const low = reinterpret_cast<const std::int64_t*>(words.low);
  const auto* const high = reinterpret_cast<const std::int64_t*>(words.high);
  const auto own = hn::Set(d, std::int64_t{row});
  const auto lows = hn::Set(d, static_cast<std::int64_t>(words.lows)), mask = hn::Sub(lows, hn::Set(d, 1)),
             highs = hn::Set(d, static_cast<std::int64_t>(words.highs));
  const int low_bits = static_cast<int>(words.low_bits);
  auto below = hn::Zero(d), all = hn::Zero(d);
  for (; entry + lanes <= end; entry += lanes) {
    const auto entries =
        hn::BitCast(d, hn::PromoteTo(hn::RebindToUnsigned<decltype(d)>(), hn::LoadU(d_row, entry)));
    const auto is_below = hn::Lt(entries, own);
    const auto at_low = hn::Add(hn::And(entries, mask), hn::IfThenZeroElse(is_below, lows));
    const auto at_high = hn::Add(hn::ShiftRightSame(entries, low_bits), hn::IfThenZeroElse(is_below, highs));
    const auto word = hn::Mul(hn::GatherIndex(d, low, at_low), hn::GatherIndex(d, high, at_high));
    all = hn::Add(all, word);
    below = hn::Add(below, hn::IfThenElseZero(is_below, word));
  }
  sums.below = sum_of(below);
  sums.above = sum_of(all) - sums.below;
#endif
  add_one_by_one(words, row, entry, end, sums);
  return words.x(row) * sums.below - words.y(row) * sums.above;
}

std::uint64_t share_of_entries(const SymmetryCheck::Tables& tables, Row row, std::span<const Row> entries) {
  return share_of_row(WordTables(tables), row, entries.data(), entries.data() + entries.size());
}

std::uint64_t share_of_rows(const SymmetryCheck::Tables& tables, const Csr& csr, Row row, std::size_t first,
                            std::size_t last) {
  const WordTables words(tables);
  const Row* const entries = csr.neighbors.data();
  std::uint64_t sum = 0;
  for (std::size_t at = first; at < last; ++row) {
    const std::size_t end = std::min<std::size_t>(csr.offsets[row + 1], last);
    sum += share_of_row(words, row, entries + at, entries + end);
    at = end;
  }
  return sum;
}

std::size_t count_descents(const Row* entry, const Row* end) {
  const hn::ScalableTag<Row> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t count = 0;
  for (; entry + lanes <= end; entry += lanes)
    count += lanes - hn::CountTrue(d, hn::Gt(hn::LoadU(d, entry), hn::LoadU(d, entry - 1)));
  for (; entry < end; ++entry) count += entry[0] <= entry[-1] ? 1 : 0;
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace hushwalk
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hushwalk {

HWY_EXPORT(share_of_entries);
HWY_EXPORT(share_of_rows);
HWY_EXPORT(count_descents);

namespace {

std::vector<std::uint64_t> random_words(std::size_t count) {
  std::vector<std::uint64_t> words(count);
  fill_random(std::as_writable_bytes(std::span(words)), "checking that a graph file is symmetric");
  return words;
}

SymmetryCheck::Tables random_tables(std::uint64_t rows) {
  const unsigned bits = (static_cast<unsigned>(std::bit_width(rows)) + 1) / 2;
  return {bits, random_words(std::size_t{2} << bits), random_words(2 * ((rows >> bits) + 1))};
}

}  // namespace

SymmetryCheck::SymmetryCheck(std::uint64_t rows) : tables_(random_tables(rows)) {}

std::uint64_t SymmetryCheck::share(Row row, std::span<const Row> entries) const noexcept {
  return HWY_DYNAMIC_DISPATCH(share_of_entries)(tables_, row, entries);
}

std::uint64_t SymmetryCheck::share(const Csr& csr, Row row, std::size_t first,
                                   std::size_t last) const noexcept {
  return HWY_DYNAMIC_DISPATCH(share_of_rows)(tables_, csr, row, first, last);
}

std::size_t descents(std::span<const Row> all, std::size_t first, std::size_t last) noexcept {
  const Row* const begin = all.data();
  return last > 0
             ? HWY_DYNAMIC_DISPATCH(count_descents)(begin + std::max<std::size_t>(first, 1), begin + last)
             : 0;
}

}  // namespace hushwalk
#endif  // HWY_ONCE
