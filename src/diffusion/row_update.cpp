// Element-wise and bound by memory, so the vectors of the target at hand and nothing clever. Products and
// sums are rounded one by one (this folder is compiled with -ffp-contract=off): a fused multiply-add on some
// targets only would make the result depend on the machine.
#include "diffusion/row_update.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diffusion/row_update.cpp"
#include <hwy/foreach_target.h>  // compiles this file once more for every target
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hushwalk {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Lanes(d) elements from z on; `inverse_degree` is theirs.
template <bool clip, class D>
HWY_INLINE void update_vector(D d, const RowUpdate& update, hn::Vec<D> inverse_degree, const double* sums,
                              const double* z, double* next_z) {
  const auto walk = hn::Mul(hn::Set(d, update.walk), inverse_degree);
  auto next = hn::Add(hn::Mul(walk, hn::LoadU(d, sums)), hn::Mul(hn::Set(d, update.stay), hn::LoadU(d, z)));
  if constexpr (clip) next = hn::Min(hn::Max(next, hn::Set(d, update.floor)), hn::Set(d, update.cap));
  hn::StoreU(next, d, next_z);
}

// Many lanes: a vector holds lanes of one row.
template <bool clip, int lanes>
HWY_INLINE void update_batch(const RowUpdate& update, Row first, Row last, const double* sums,
                             const double* z, double* next_z) {
  const hn::CappedTag<double, lanes> d;
  std::size_t at = std::size_t{first} * lanes;
  for (Row row = first; row < last; ++row) {
    const auto inverse_degree = hn::Set(d, update.inverse_degree[row]);
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d), at += hn::Lanes(d), sums += hn::Lanes(d))
      update_vector<clip>(d, update, inverse_degree, sums, z + at, next_z + at);
  }
}

// One lane: a vector holds consecutive rows. Returns the first row that no longer fills a vector.
template <bool clip, class D>
HWY_INLINE Row update_run(D d, const RowUpdate& update, Row first, Row last, const double* sums,
                          const double* z, double* next_z) {
  const Row step = static_cast<Row>(hn::Lanes(d));
  Row row = first;
  for (; last - row >= step; row += step)
    update_vector<clip>(d, update, hn::LoadU(d, update.inverse_degree + row), sums + (row - first), z + row,
                        next_z + row);
  return row;
}

template <bool clip, int lanes>
HWY_INLINE void update_all(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                           double* next_z) {
  if constexpr (lanes == 1) {
    const Row rest = update_run<clip>(hn::ScalableTag<double>(), update, first, last, sums, z, next_z);
    update_run<clip>(hn::CappedTag<double, 1>(), update, rest, last, sums + (rest - first), z, next_z);
  } else {
    update_batch<clip, lanes>(update, first, last, sums, z, next_z);
  }
}

template <int lanes>
HWY_INLINE void choose_clip(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                            double* next_z) {
  update.clip ? update_all<true, lanes>(update, first, last, sums, z, next_z)
              : update_all<false, lanes>(update, first, last, sums, z, next_z);
}

// Highway exports plain functions only.
void update_rows_1(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                   double* next_z) {
  choose_clip<1>(update, first, last, sums, z, next_z);
}
void update_rows_8(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                   double* next_z) {
  choose_clip<8>(update, first, last, sums, z, next_z);
}
void update_rows_16(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                    double* next_z) {
  choose_clip<16>(update, first, last, sums, z, next_z);
}

}  // namespace HWY_NAMESPACE
}  // namespace hushwalk
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hushwalk {

HWY_EXPORT(update_rows_1);
HWY_EXPORT(update_rows_8);
HWY_EXPORT(update_rows_16);

template <>
void update_rows<1>(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                    double* next_z) {
  HWY_DYNAMIC_DISPATCH(update_rows_1)(update, first, last, sums, z, next_z);
}
template <>
void update_rows<8>(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                    double* next_z) {
  HWY_DYNAMIC_DISPATCH(update_rows_8)(update, first, last, sums, z, next_z);
}
template <>
void update_rows<16>(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                     double* next_z) {
  HWY_DYNAMIC_DISPATCH(update_rows_16)(update, first, last, sums, z, next_z);
}

}  // namespace hushwalk
#endif  // HWY_ONCE
