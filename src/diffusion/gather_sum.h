// The one kernel of every diffusion: what flows into each row along its edges.
#pragma once

#include "graph/csr.h"

namespace hushwalk {

// sums[(r - first) * lanes + l] = sum over u in row r of x[u * lanes + l], for rows first <= r < last and
// every lane l.
//
// For double the bytes are a function of the row and of the lane's values only, whatever `lanes`, the SIMD
// instructions at hand or the threads; an empty sum is +0. For int64 the caller keeps sums from overflowing.
// Defined for T = double and std::int64_t, lanes = 1, 8 and 16; quickest when x is aligned to 64 bytes.
template <class T, int lanes>
void gather_sum(const Csr& csr, const T* x, Row first, Row last, T* sums);

}  // namespace hushwalk
