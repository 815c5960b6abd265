// The row epilogue of a diffusion in double: from what flowed in to the next state.
#pragma once

#include "diffusion/rows.h"

namespace hushwalk {

struct RowUpdate {
  double walk = 0, stay = 0;
  double floor = 0, cap = 0;  // of the clip
  bool clip = false;
  const double* inverse_degree = nullptr;  // per row
};

// For rows first <= r < last and every lane, z = x / d:
//   next_z = clip(walk / d * sum + stay * z).
// `sums` begins with row `first`, z and next_z with row 0. Lanes 1, 8 and 16; the same bytes on every target.
template <int lanes>
void update_rows(const RowUpdate& update, Row first, Row last, const double* sums, const double* z,
                 double* next_z);

}  // namespace hushwalk
