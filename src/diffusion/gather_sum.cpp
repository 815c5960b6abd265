// Pull-direction sums over compressed rows, one value or 8 or 16 side by side per node.
//
// Order of summation. Floating-point addition is not associative, so the order is part of the contract: edge
// i of a row goes to partial sum i mod 8, and the eight partial sums are joined by the tree
//   ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)).
// Eight chains are enough to hide the latency of an addition. Every lane follows the same order, so a seed
// alone gives the same bytes as in a batch. Partial sums start at +0 and thus are never -0, which makes
// "nothing to add" and "add zero" the same thing.
//
// Method. Several lanes: a node's values are neighbours in memory, so one or two vector loads per edge,
// compiled for each SIMD target by Highway. With AVX-512 all 16 lanes go at once (8 x 2 sums in 32
// registers); narrower targets go over the row once per vector of lanes. One lane: plain scalar loads. They
// beat hardware gathers where both were tried (Zen 4), because a gather is split into one load per element
// anyway.
//
// Rows come in descending degree, so neighbouring rows take the same branches and short rows are well
// predicted.
#include "diffusion/gather_sum.h"

#include <bit>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diffusion/gather_sum.cpp"
#include <hwy/foreach_target.h>  // compiles this file once more for every target
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hushwalk {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct TwoRows {
  Row even, odd;
};

// Two neighbours in one load: loads are what the loop is short of.
HWY_INLINE TwoRows load_two(const Row* edge) {
  if constexpr (std::endian::native != std::endian::little) return {edge[0], edge[1]};
  std::uint64_t both;
  std::memcpy(&both, edge, sizeof both);
  return {static_cast<Row>(both), static_cast<Row>(both >> 32)};
}

// What a sum is made of: one value, ...
template <class T>
struct Scalar {
  using Sum = T;
  const T* x;
  HWY_INLINE Sum zero() const { return 0; }
  HWY_INLINE Sum add(Sum sum, Row row) const { return sum + x[row]; }
  HWY_INLINE Sum join(Sum a, Sum b) const { return a + b; }
  HWY_INLINE void store(Sum sum, T* to) const { *to = sum; }
};

// ... a vector of some of the `lanes` values of a node, ...
template <class D, int lanes, class T = hn::TFromD<D>>
struct OneVector {
  using Sum = hn::Vec<D>;
  const T* x;
  HWY_INLINE Sum zero() const { return hn::Zero(D()); }
  HWY_INLINE Sum add(Sum sum, Row row) const {
    return hn::Add(sum, hn::LoadU(D(), x + std::size_t{row} * lanes));
  }
  HWY_INLINE Sum join(Sum a, Sum b) const { return hn::Add(a, b); }
  HWY_INLINE void store(Sum sum, T* to) const { hn::StoreU(sum, D(), to); }
};

#if HWY_TARGET <= HWY_AVX3
// ... or two of them that lie side by side.
template <class D, int lanes, class T = hn::TFromD<D>>
struct TwoVectors {
  struct Sum {
    hn::Vec<D> low, high;
  };
  static constexpr std::size_t half = hn::MaxLanes(D());
  const T* x;
  HWY_INLINE Sum zero() const { return {hn::Zero(D()), hn::Zero(D())}; }
  HWY_INLINE Sum add(Sum sum, Row row) const {
    const T* const from = x + std::size_t{row} * lanes;
    return {hn::Add(sum.low, hn::LoadU(D(), from)), hn::Add(sum.high, hn::LoadU(D(), from + half))};
  }
  HWY_INLINE Sum join(Sum a, Sum b) const { return {hn::Add(a.low, b.low), hn::Add(a.high, b.high)}; }
  HWY_INLINE void store(Sum sum, T* to) const {
    hn::StoreU(sum.low, D(), to);
    hn::StoreU(sum.high, D(), to + half);
  }
};
#endif

// The order of summation lives here and nowhere else. Eight named sums, not an array: vectors of some targets
// have no size.
template <class Kind, class T>
HWY_INLINE void sum_row(const Kind kind, const Row* edge, const Row* end, T* to) {
  auto p0 = kind.zero(), p1 = p0, p2 = p0, p3 = p0, p4 = p0, p5 = p0, p6 = p0, p7 = p0;
  for (; end - edge >= 8; edge += 8) {
    const TwoRows a = load_two(edge), b = load_two(edge + 2), c = load_two(edge + 4), d = load_two(edge + 6);
    p0 = kind.add(p0, a.even);
    p1 = kind.add(p1, a.odd);
    p2 = kind.add(p2, b.even);
    p3 = kind.add(p3, b.odd);
    p4 = kind.add(p4, c.even);
    p5 = kind.add(p5, c.odd);
    p6 = kind.add(p6, d.even);
    p7 = kind.add(p7, d.odd);
  }
  switch (end - edge) {
    case 7:
      p6 = kind.add(p6, edge[6]);
      [[fallthrough]];
    case 6:
      p5 = kind.add(p5, edge[5]);
      [[fallthrough]];
    case 5:
      p4 = kind.add(p4, edge[4]);
      [[fallthrough]];
    case 4:
      p3 = kind.add(p3, edge[3]);
      [[fallthrough]];
    case 3:
      p2 = kind.add(p2, edge[2]);
      [[fallthrough]];
    case 2:
      p1 = kind.add(p1, edge[1]);
      [[fallthrough]];
    case 1:
      p0 = kind.add(p0, edge[0]);
      [[fallthrough]];
    default:
      kind.store(kind.join(kind.join(kind.join(p0, p4), kind.join(p2, p6)),
                           kind.join(kind.join(p1, p5), kind.join(p3, p7))),
                 to);
  }
}

// One row, all lanes.
template <class T, int lanes>
HWY_INLINE void sum_lanes(const Row* edge, const Row* end, const T* x, T* to) {
  using D = hn::CappedTag<T, lanes>;
  if constexpr (lanes == 1) return sum_row(Scalar<T>{x}, edge, end, to);
#if HWY_TARGET <= HWY_AVX3
  if constexpr (lanes == 2 * hn::MaxLanes(D())) return sum_row(TwoVectors<D, lanes>{x}, edge, end, to);
#endif
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(D()))
    sum_row(OneVector<D, lanes>{x + lane}, edge, end, to + lane);
}

template <class T, int lanes>
HWY_INLINE void sum_rows(const Csr& csr, const T* x, Row first, Row last, T* sums) {
  const Row* const edges = csr.neighbors.data();
  const std::uint64_t* const offsets = csr.offsets.data();
  for (Row row = first; row < last; ++row, sums += lanes)
    sum_lanes<T, lanes>(edges + offsets[row], edges + offsets[row + 1], x, sums);
}

// Highway exports plain functions only.
void sum_rows_double_1(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  sum_rows<double, 1>(csr, x, first, last, sums);
}
void sum_rows_double_8(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  sum_rows<double, 8>(csr, x, first, last, sums);
}
void sum_rows_double_16(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  sum_rows<double, 16>(csr, x, first, last, sums);
}
void sum_rows_int64_1(const Csr& csr, const std::int64_t* x, Row first, Row last, std::int64_t* sums) {
  sum_rows<std::int64_t, 1>(csr, x, first, last, sums);
}
void sum_rows_int64_8(const Csr& csr, const std::int64_t* x, Row first, Row last, std::int64_t* sums) {
  sum_rows<std::int64_t, 8>(csr, x, first, last, sums);
}
void sum_rows_int64_16(const Csr& csr, const std::int64_t* x, Row first, Row last, std::int64_t* sums) {
  sum_rows<std::int64_t, 16>(csr, x, first, last, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace hushwalk
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hushwalk {

HWY_EXPORT(sum_rows_double_1);
HWY_EXPORT(sum_rows_double_8);
HWY_EXPORT(sum_rows_double_16);
HWY_EXPORT(sum_rows_int64_1);
HWY_EXPORT(sum_rows_int64_8);
HWY_EXPORT(sum_rows_int64_16);

template <>
void gather_sum<double, 1>(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  HWY_DYNAMIC_DISPATCH(sum_rows_double_1)(csr, x, first, last, sums);
}
template <>
void gather_sum<double, 8>(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  HWY_DYNAMIC_DISPATCH(sum_rows_double_8)(csr, x, first, last, sums);
}
template <>
void gather_sum<double, 16>(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  HWY_DYNAMIC_DISPATCH(sum_rows_double_16)(csr, x, first, last, sums);
}
template <>
void gather_sum<std::int64_t, 1>(const Csr& csr, const std::int64_t* x, Row first, Row last,
                                 std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(sum_rows_int64_1)(csr, x, first, last, sums);
}
template <>
void gather_sum<std::int64_t, 8>(const Csr& csr, const std::int64_t* x, Row first, Row last,
                                 std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(sum_rows_int64_8)(csr, x, first, last, sums);
}
template <>
void gather_sum<std::int64_t, 16>(const Csr& csr, const std::int64_t* x, Row first, Row last,
                                  std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(sum_rows_int64_16)(csr, x, first, last, sums);
}

}  // namespace hushwalk
#endif  // HWY_ONCE
