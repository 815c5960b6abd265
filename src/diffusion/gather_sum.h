// The one kernel of every diffusion: what flows into each row along its edges.
//
// The sum of a row is one chain of additions: +0, then its neighbours in their order, one after the other.
// For double the bytes of a sum are thus a function of the row and of the lane's values only, whatever the
// lanes, the SIMD instructions at hand, the threads, or where a row is interrupted to be continued later. An
// empty sum is +0, and no sum is -0. For int64 the caller keeps sums from overflowing.
//
// Defined for T = double and std::int64_t, lanes = 1, 8 and 16; quickest when x and sums are aligned to 64
// bytes.
#pragma once

#include <cstdint>
#include <span>

#include "graph/csr.h"

namespace hushwalk {

// sums[(r - first) * lanes + l] = sum over u in row r of x[u * lanes + l], for rows first <= r < last and
// every lane l.
template <class T, int lanes>
void gather_sum(const Csr& csr, const T* x, Row first, Row last, T* sums);

// Runs of different rows, longest first, and their columns, counted from a column of the caller's. Eight runs
// at a time, as many columns of each as the shortest has lie column by column, eight abreast; then follows,
// run by run, what is left of each. The last runs, if fewer than eight, have all their columns left.
struct Window {
  // Consecutive neighbours of a row, at least one.
  struct Run {
    Row row;
    std::uint32_t length;
  };
  std::span<const Run> runs;
  const std::uint16_t* columns;
};

// sums[r * lanes + l] += the sum over u in the run of row r of x[u * lanes + l], for every run and lane; x is
// that of the column from which columns are counted.
template <class T, int lanes>
void add_window(const Window& window, const T* x, T* sums);

}  // namespace hushwalk
