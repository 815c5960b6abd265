// The links of a graph once more, in an order in which a sweep finds what it reads in the cache.
//
// A sweep over rows reads x all over memory: past the cache, nearly every link is a miss. Here columns are
// cut into segments whose x stays in the second-level cache, narrow ones for hubs, which are read most, and
// wider ones for the many others. A segment has the runs of links that rows have in it, as columns of 16
// bits. Segments follow each other in the order of columns and add to the same sums, so that every row is
// summed in the one order of gather_sum.h: the bytes are those of a sweep over rows.
#pragma once

#include <algorithm>
#include <vector>

#include "base/buffer.h"
#include "base/parallel.h"
#include "diffusion/gather_sum.h"

namespace hushwalk {

// Immutable; any thread may read.
class Segments {
 public:
  // Every neighbour in `csr` is one of its rows, and neighbours are ascending.
  explicit Segments(const Csr& csr);

  // sums[r * lanes + l] = the sum over u ~ r of x[u * lanes + l], for every row and lane.
  template <class T, int lanes>
  void sum(const T* x, T* sums) const {
    parallel_for(rows_ * lanes, std::size_t{1} << 16,
                 [&](std::size_t first, std::size_t last) { std::fill(sums + first, sums + last, T{0}); });
    // The windows of a segment have different rows, so that they may run at once.
    for (std::size_t s = 0; s + 1 < segments_.size(); ++s) {
      const T* const of_segment = x + std::size_t{segments_[s].first_column} * lanes;
      const std::size_t begin = segments_[s].window, count = segments_[s + 1].window - begin;
      parallel_for(count, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t w = begin + first; w < begin + last; ++w)
          add_window<T, lanes>(window(w), of_segment, sums);
      });
    }
  }

  std::size_t bytes() const noexcept;  // of memory

 private:
  using Run = Window::Run;
  struct Place {
    std::uint64_t run = 0, column = 0;
  };
  struct Segment {
    Row first_column;
    std::size_t window = 0;  // the first of its own
    Place begin = {};
  };

  void lay_out(std::vector<std::vector<Place>>& counts);
  void arrange();

  Window window(std::size_t w) const {
    return {runs_.span().subspan(windows_[w].run, windows_[w + 1].run - windows_[w].run),
            columns_.data() + windows_[w].column};
  }

  std::size_t rows_;
  std::vector<Segment> segments_;  // and where the last one ends
  std::vector<Place> windows_;     // where each begins, and where the last one ends
  Buffer<Run> runs_;
  Buffer<std::uint16_t> columns_;
};

}  // namespace hushwalk
