// The one door to threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace hushwalk {

// How many threads may run.
inline std::size_t thread_count() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

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

// source() gives items until nullopt, in order; work(item) runs on many threads; sink(result) takes the
// results in the order of the items.
template <class Source, class Work, class Sink>
void parallel_pipeline(const Source& source, const Work& work, const Sink& sink) {
  using Item = typename std::invoke_result_t<Source>::value_type;
  using Result = std::invoke_result_t<Work, Item&>;
  const auto in_flight = 4 * thread_count();
  tbb::parallel_pipeline(
      in_flight,
      tbb::make_filter<void, std::shared_ptr<Item>>(tbb::filter_mode::serial_in_order,
                                                    [&](tbb::flow_control& control) {
                                                      std::optional<Item> item = source();
                                                      if (item)
                                                        return std::make_shared<Item>(std::move(*item));
                                                      control.stop();
                                                      return std::shared_ptr<Item>();
                                                    }) &
          tbb::make_filter<std::shared_ptr<Item>, std::shared_ptr<Result>>(
              tbb::filter_mode::parallel,
              [&](const std::shared_ptr<Item>& item) { return std::make_shared<Result>(work(*item)); }) &
          tbb::make_filter<std::shared_ptr<Result>, void>(
              tbb::filter_mode::serial_in_order,
              [&](const std::shared_ptr<Result>& result) { sink(std::move(*result)); }));
}

}  // namespace hushwalk
