// Pull-direction sums over compressed rows, one value or 8 or 16 side by side per node.
//
// Order of summation. Floating-point addition is not associative, so the order is part of the contract: edge
// i of a row goes to partial sum i mod 8, and the eight partial sums are joined by the tree
//   ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)).
// Eight chains are enough to hide the latency of an addition. Every lane follows the same order, so a seed
// alone gives the same bytes as in a batch. Partial sums start at +0 and thus are never -0, which makes
// "nothing to add" and "add zero" the same thing.
//
// Method. Several lanes: a node's values are neighbours in memory, one vector load per edge and chunk of
// lanes, compiled for each SIMD target by Highway. One lane: plain scalar loads. They beat hardware gathers
// on the CPUs measured (Zen 4: 0.31 ns an edge; AVX2 gathers 0.51, AVX-512 gathers 0.56), because a gather is
// split into one load per element anyway.
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

// The sum of one row for the Lanes(d) lanes that begin at `x`. Eight named sums, not an array: vectors of
// some targets have no size.
template <int lanes, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> sum_row(D d, const Row* edge, const Row* end, const T* HWY_RESTRICT x) {
  const auto value = [&](const Row* e) HWY_ATTR { return hn::LoadU(d, x + std::size_t{*e} * lanes); };
  auto p0 = hn::Zero(d), p1 = p0, p2 = p0, p3 = p0, p4 = p0, p5 = p0, p6 = p0, p7 = p0;
  for (; end - edge >= 8; edge += 8) {
    p0 = hn::Add(p0, value(edge));
    p1 = hn::Add(p1, value(edge + 1));
    p2 = hn::Add(p2, value(edge + 2));
    p3 = hn::Add(p3, value(edge + 3));
    p4 = hn::Add(p4, value(edge + 4));
    p5 = hn::Add(p5, value(edge + 5));
    p6 = hn::Add(p6, value(edge + 6));
    p7 = hn::Add(p7, value(edge + 7));
  }
  switch (end - edge) {
    case 7:
      p6 = hn::Add(p6, value(edge + 6));
      [[fallthrough]];
    case 6:
      p5 = hn::Add(p5, value(edge + 5));
      [[fallthrough]];
    case 5:
      p4 = hn::Add(p4, value(edge + 4));
      [[fallthrough]];
    case 4:
      p3 = hn::Add(p3, value(edge + 3));
      [[fallthrough]];
    case 3:
      p2 = hn::Add(p2, value(edge + 2));
      [[fallthrough]];
    case 2:
      p1 = hn::Add(p1, value(edge + 1));
      [[fallthrough]];
    case 1:
      p0 = hn::Add(p0, value(edge));
      [[fallthrough]];
    default:
      return hn::Add(hn::Add(hn::Add(p0, p4), hn::Add(p2, p6)), hn::Add(hn::Add(p1, p5), hn::Add(p3, p7)));
  }
}

template <class T, int lanes>
HWY_INLINE void sum_rows(const Csr& csr, const T* HWY_RESTRICT x, Row first, Row last, T* HWY_RESTRICT sums) {
  const hn::CappedTag<T, lanes> d;
  const Row* const edges = csr.neighbors.data();
  const std::uint64_t* const offsets = csr.offsets.data();
  for (Row row = first; row < last; ++row, sums += lanes)
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d))
      hn::StoreU(sum_row<lanes>(d, edges + offsets[row], edges + offsets[row + 1], x + lane), d, sums + lane);
}

// Highway exports plain functions only.
void sum_rows_double_8(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  sum_rows<double, 8>(csr, x, first, last, sums);
}
void sum_rows_double_16(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  sum_rows<double, 16>(csr, x, first, last, sums);
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
namespace {

HWY_EXPORT(sum_rows_double_8);
HWY_EXPORT(sum_rows_double_16);
HWY_EXPORT(sum_rows_int64_8);
HWY_EXPORT(sum_rows_int64_16);

struct TwoRows {
  Row even, odd;
};

// Two neighbours in one load: loads are what the scalar loop is short of.
inline TwoRows load_two(const Row* edge) {
  if constexpr (std::endian::native != std::endian::little) return {edge[0], edge[1]};
  std::uint64_t both;
  std::memcpy(&both, edge, sizeof both);
  return {static_cast<Row>(both), static_cast<Row>(both >> 32)};
}

// One row, one lane; the order of summation is the same as above.
template <class T>
inline T sum_row(const Row* edge, const Row* end, const T* x) {
  T p0{}, p1{}, p2{}, p3{}, p4{}, p5{}, p6{}, p7{};
  for (; end - edge >= 8; edge += 8) {
    const TwoRows a = load_two(edge), b = load_two(edge + 2), c = load_two(edge + 4), d = load_two(edge + 6);
    p0 += x[a.even];
    p1 += x[a.odd];
    p2 += x[b.even];
    p3 += x[b.odd];
    p4 += x[c.even];
    p5 += x[c.odd];
    p6 += x[d.even];
    p7 += x[d.odd];
  }
  switch (end - edge) {
    case 7:
      p6 += x[edge[6]];
      [[fallthrough]];
    case 6:
      p5 += x[edge[5]];
      [[fallthrough]];
    case 5:
      p4 += x[edge[4]];
      [[fallthrough]];
    case 4:
      p3 += x[edge[3]];
      [[fallthrough]];
    case 3:
      p2 += x[edge[2]];
      [[fallthrough]];
    case 2:
      p1 += x[edge[1]];
      [[fallthrough]];
    case 1:
      p0 += x[edge[0]];
      [[fallthrough]];
    default:
      return ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7));
  }
}

template <class T>
void sum_rows_alone(const Csr& csr, const T* x, Row first, Row last, T* sums) {
  const Row* const edges = csr.neighbors.data();
  const std::uint64_t* const offsets = csr.offsets.data();
  for (Row row = first; row < last; ++row)
    *sums++ = sum_row(edges + offsets[row], edges + offsets[row + 1], x);
}

}  // namespace

template <>
void gather_sum<double, 1>(const Csr& csr, const double* x, Row first, Row last, double* sums) {
  sum_rows_alone(csr, x, first, last, sums);
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
  sum_rows_alone(csr, x, first, last, sums);
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
