// The one door to threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <cstddef>

namespace hushwalk {

// body(first, last) over consecutive pieces of [0, count), each at least `grain` long where possible.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&](const tbb::blocked_range<std::size_t>& piece) { body(piece.begin(), piece.end()); });
}

// Sorts by a total order, so that the result does not depend on the threads.
template <class Iterator, class Less>
void parallel_sort(Iterator first, Iterator last, const Less& less) {
  tbb::parallel_sort(first, last, less);
}

}  // namespace hushwalk
