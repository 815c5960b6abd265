// Pull-direction sums over compressed rows, one value or 8 or 16 side by side per node.
//
// Method. A row is one chain of additions, which would wait for each other: so rows are summed eight abreast,
// the part that all eight have in one loop and what is left of the longer ones after it. Rows come in
// descending degree, and the runs of a window in descending length, so that little is left.
//
// Several lanes: a node's values are neighbours in memory, so one or two vector loads per edge, compiled for
// each SIMD target by Highway. Two vectors go four rows abreast: eight sums leave registers for what is
// added. One lane: plain scalar loads. They beat hardware gathers where both were tried (Zen 4), because a
// gather is split into one load per element anyway.
#include "diffusion/gather_sum.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

// Sums are kept in arrays, which vectors without a size cannot be in. Such targets have others besides.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diffusion/gather_sum.cpp"
#include <hwy/foreach_target.h>  // compiles this file once more for every target
// After foreach_target.h:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#ifndef HUSHWALK_GATHER_SUM_ONCE
#define HUSHWALK_GATHER_SUM_ONCE
namespace hushwalk {

// What a target offers.
template <class T, int lanes>
struct Kernel {
  void (*gather_sum)(const Csr& csr, const T* x, Row first, Row last, T* sums);
  void (*add_window)(const Window& window, const T* x, T* sums);
};
using Kernels = std::tuple<Kernel<double, 1>, Kernel<double, 8>, Kernel<double, 16>, Kernel<std::int64_t, 1>,
                           Kernel<std::int64_t, 8>, Kernel<std::int64_t, 16>>;

}  // namespace hushwalk
#endif

HWY_BEFORE_NAMESPACE();
namespace hushwalk {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What a sum is made of: one number, ...
struct Scalar {
  using Sum = double;
  static constexpr int abreast = 8;
  const double* x;
  HWY_INLINE Sum load(const double* from) const { return *from; }
  HWY_INLINE Sum add(Sum sum, std::size_t column) const { return sum + x[column]; }
  HWY_INLINE void store(Sum sum, double* to) const { *to = sum; }
};

// ... a vector of some of the `lanes` values of a node (of a single whole number, too: eight sums and their
// addresses would not fit the general registers), ...
template <class D, int lanes, class T = hn::TFromD<D>>
struct OneVector {
  using Sum = hn::Vec<D>;
  static constexpr int abreast = 8;
  const T* x;
  HWY_INLINE Sum load(const T* from) const { return hn::LoadU(D(), from); }
  HWY_INLINE Sum add(Sum sum, std::size_t column) const { return hn::Add(sum, load(x + column * lanes)); }
  HWY_INLINE void store(Sum sum, T* to) const { hn::StoreU(sum, D(), to); }
};

// ... or two of them that lie side by side.
template <class D, int lanes, class T = hn::TFromD<D>>
struct TwoVectors {
  struct Sum {
    hn::Vec<D> low, high;
  };
  static constexpr int abreast = 4;
  static constexpr std::size_t half = hn::MaxLanes(D());
  const T* x;
  HWY_INLINE Sum load(const T* from) const { return {hn::LoadU(D(), from), hn::LoadU(D(), from + half)}; }
  HWY_INLINE Sum add(Sum sum, std::size_t column) const {
    const Sum more = load(x + column * lanes);
    return {hn::Add(sum.low, more.low), hn::Add(sum.high, more.high)};
  }
  HWY_INLINE void store(Sum sum, T* to) const {
    hn::StoreU(sum.low, D(), to);
    hn::StoreU(sum.high, D(), to + half);
  }
};

// Columns of eight rows, read in words because loads are what the loops are short of: of whole rows, two of
// a row in a word, ...
struct RowByRow {
  static constexpr std::size_t step = 2;
  const Row* row[8];
  const Row* next;  // where the next eight rows begin: fetched ahead, since eight short rows are no stream
  HWY_INLINE std::size_t one(std::size_t i, int r) const { return row[r][i]; }
  struct Loaded {
    std::uint64_t of_row[8];
    HWY_INLINE std::size_t column(std::size_t k, int r) const {
      return static_cast<Row>(of_row[r] >> 32 * k);
    }
  };
  template <int begin, int end>
  HWY_INLINE Loaded words(std::size_t i) const {
    Loaded words;
    hwy::Prefetch(next + 8 * i);
#pragma GCC unroll 8
    for (int r = begin; r < end; ++r) std::memcpy(&words.of_row[r], row[r] + i, sizeof(std::uint64_t));
    return words;
  }
};

// ... or of runs that lie abreast, those of four rows in a word.
struct Abreast {
  static constexpr std::size_t step = 1;
  const std::uint16_t* columns;
  HWY_INLINE std::size_t one(std::size_t i, int r) const {
    return columns[8 * i + static_cast<std::size_t>(r)];
  }
  struct Loaded {
    std::uint64_t of_rows[2];
    HWY_INLINE std::size_t column(std::size_t, int r) const {
      return static_cast<std::uint16_t>(of_rows[r / 4] >> (r % 4 * 16));
    }
  };
  template <int begin, int end>
  HWY_INLINE Loaded words(std::size_t i) const {
    Loaded words;
    std::memcpy(&words, columns + 8 * i, sizeof words);
    return words;
  }
};

// Adds `length` columns of rows begin <= r < begin + abreast to their sums.
template <int begin, class Kind, class Columns, class T>
HWY_INLINE void add_abreast(const Kind kind, const Columns& columns, std::size_t length, T* const* to) {
  constexpr int end = begin + Kind::abreast;
  typename Kind::Sum sums[8];
#pragma GCC unroll 8
  for (int r = begin; r < end; ++r) sums[r] = kind.load(to[r]);
  std::size_t i = 0;
  if constexpr (std::endian::native == std::endian::little)
    for (; i + Columns::step <= length; i += Columns::step) {
      const auto words = columns.template words<begin, end>(i);
#pragma GCC unroll 8
      for (int r = begin; r < end; ++r)
#pragma GCC unroll 2
        for (std::size_t k = 0; k < Columns::step; ++k) sums[r] = kind.add(sums[r], words.column(k, r));
    }
  for (; i < length; ++i) {
#pragma GCC unroll 8
    for (int r = begin; r < end; ++r) sums[r] = kind.add(sums[r], columns.one(i, r));
  }
#pragma GCC unroll 8
  for (int r = begin; r < end; ++r) kind.store(sums[r], to[r]);
}

template <class Kind, class Columns, class T>
HWY_INLINE void add_eight(const Kind kind, const Columns& columns, std::size_t length, T* const* to) {
  add_abreast<0>(kind, columns, length, to);
  if constexpr (Kind::abreast == 4) add_abreast<4>(kind, columns, length, to);
}

template <class Kind, class Column, class T>
HWY_INLINE void add_one(const Kind kind, const Column* columns, std::size_t length, T* to) {
  auto sum = kind.load(to);
  for (std::size_t i = 0; i < length; ++i) sum = kind.add(sum, columns[i]);
  kind.store(sum, to);
}

// add(kind, lane) for as many lanes as go at once, until all have had their turn.
template <class T, int lanes, class Add>
HWY_INLINE void for_lanes(const T* x, const Add& add) {
  using D = hn::CappedTag<T, lanes>;
  constexpr std::size_t step = hn::MaxLanes(D());
  if constexpr (lanes == 1 && std::is_same_v<T, double>) {
    add(Scalar{x}, 0);
  } else if constexpr (lanes >= 2 * step) {
    for (std::size_t lane = 0; lane < lanes; lane += 2 * step) add(TwoVectors<D, lanes>{x + lane}, lane);
  } else {
    add(OneVector<D, lanes>{x}, 0);
  }
}

template <class T, int lanes>
void add_window_here(const Window& window, const T* x, T* sums) {
  const std::uint16_t* columns = window.columns;
  const Window::Run *run = window.runs.data(), *const end = run + window.runs.size();
  for (; end - run >= 8; run += 8) {
    const std::size_t length = run[7].length;
    for_lanes<T, lanes>(x, [&](auto kind, std::size_t lane) HWY_ATTR {
      T* to[8];
      for (int r = 0; r < 8; ++r) to[r] = sums + std::size_t{run[r].row} * lanes + lane;
      add_eight(kind, Abreast{columns}, length, to);
    });
    columns += 8 * length;
    for (int r = 0; run[r].length > length; ++r) {
      const std::size_t left = run[r].length - length;
      for_lanes<T, lanes>(x, [&](auto kind, std::size_t lane) HWY_ATTR {
        add_one(kind, columns, left, sums + std::size_t{run[r].row} * lanes + lane);
      });
      columns += left;
    }
  }
  for (; run < end; ++run) {
    for_lanes<T, lanes>(x, [&](auto kind, std::size_t lane) HWY_ATTR {
      add_one(kind, columns, run->length, sums + std::size_t{run->row} * lanes + lane);
    });
    columns += run->length;
  }
}

template <class T, int lanes>
void gather_sum_here(const Csr& csr, const T* x, Row first, Row last, T* sums) {
  const Row* const edges = csr.neighbors.data();
  const std::uint64_t* const offsets = csr.offsets.data();
  std::fill_n(sums, std::size_t{last - first} * lanes, T{0});
  Row row = first;
  for (; last - row >= 8; row += 8, sums += 8 * lanes) {
    RowByRow rows;
    rows.next = edges + offsets[row + 8];
    std::size_t length = csr.degree(row);
    for (Row r = 0; r < 8; ++r) {
      rows.row[r] = edges + offsets[row + r];
      length = std::min<std::size_t>(length, csr.degree(row + r));
    }
    for_lanes<T, lanes>(x, [&](auto kind, std::size_t lane) HWY_ATTR {
      T* to[8];
      for (std::size_t r = 0; r < 8; ++r) to[r] = sums + r * lanes + lane;
      add_eight(kind, rows, length, to);
      for (Row r = 0; r < 8; ++r)
        if (csr.degree(row + r) > length)
          add_one(kind, rows.row[r] + length, csr.degree(row + r) - length, to[r]);
    });
  }
  for (; row < last; ++row, sums += lanes)
    for_lanes<T, lanes>(x, [&](auto kind, std::size_t lane) HWY_ATTR {
      add_one(kind, edges + offsets[row], csr.degree(row), sums + lane);
    });
}

template <class T, int lanes>
constexpr Kernel<T, lanes> kernel{gather_sum_here<T, lanes>, add_window_here<T, lanes>};

// Highway exports plain functions only.
Kernels kernels() {
  return {kernel<double, 1>,       kernel<double, 8>,       kernel<double, 16>,
          kernel<std::int64_t, 1>, kernel<std::int64_t, 8>, kernel<std::int64_t, 16>};
}

}  // namespace HWY_NAMESPACE
}  // namespace hushwalk
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hushwalk {

HWY_EXPORT(kernels);

template <class T, int lanes>
void gather_sum(const Csr& csr, const T* x, Row first, Row last, T* sums) {
  std::get<Kernel<T, lanes>>(HWY_DYNAMIC_DISPATCH(kernels)()).gather_sum(csr, x, first, last, sums);
}

template <class T, int lanes>
void add_window(const Window& window, const T* x, T* sums) {
  std::get<Kernel<T, lanes>>(HWY_DYNAMIC_DISPATCH(kernels)()).add_window(window, x, sums);
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define HUSHWALK_DEFINE(T, lanes)                                         \
  template void gather_sum<T, lanes>(const Csr&, const T*, Row, Row, T*); \
  template void add_window<T, lanes>(const Window&, const T*, T*);
HUSHWALK_DEFINE(double, 1)
HUSHWALK_DEFINE(double, 8)
HUSHWALK_DEFINE(double, 16)
HUSHWALK_DEFINE(std::int64_t, 1)
HUSHWALK_DEFINE(std::int64_t, 8)
HUSHWALK_DEFINE(std::int64_t, 16)
#undef HUSHWALK_DEFINE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace hushwalk
#endif  // HWY_ONCE
