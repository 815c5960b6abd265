// The one door to threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#ifdef __has_feature  // of clang
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define HUSHWALK_TSAN
#endif
#endif
#ifdef HUSHWALK_TSAN  // what oneTBB calls first, and keeps among its own data
#define HUSHWALK_HANDED_OVER __attribute__((no_sanitize("thread")))
#else
#define HUSHWALK_HANDED_OVER
#endif

namespace hushwalk {

// What the caller did before is seen by all turns, and what they did by the caller after. oneTBB sees to that
// by itself: this tells the thread sanitizer, which cannot look into oneTBB's library, so that it reports
// races of ours, and only these. Without it nothing happens here.
class Handover {
 public:
  enum class From { caller, caller_and_earlier_turns };

  Handover() { give(begun_); }
  ~Handover() { take(done_); }
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

  class Turn {
   public:
    explicit Turn(Handover& handover, From from = From::caller) : handover_(handover) {
      take(handover_.begun_);
      if (from == From::caller_and_earlier_turns) take(handover_.done_);
    }
    ~Turn() { give(handover_.done_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Handover& handover_;
  };

 private:
#ifdef HUSHWALK_TSAN
  static void give(char& to) { __tsan_release(&to); }
  static void take(char& from) { __tsan_acquire(&from); }
#else
  static void give(char& /*to*/) {}
  static void take(char& /*from*/) {}
#endif
  char begun_ = 0, done_ = 0;
};

// How many threads may run.
inline std::size_t thread_count() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

// body(first, last) over consecutive pieces of [0, count), each at least `grain` long where possible.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  Handover handover;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&](const tbb::blocked_range<std::size_t>& piece) HUSHWALK_HANDED_OVER {
                      const Handover::Turn turn(handover);
                      body(piece.begin(), piece.end());
                    });
}

// Sorts by a total order, so that the result does not depend on the threads.
template <class Iterator, class Less>
void parallel_sort(Iterator first, Iterator last, const Less& less) {
#ifdef HUSHWALK_TSAN
  std::sort(first, last, less);
#else
  tbb::parallel_sort(first, last, less);
#endif
}

// source() gives items until nullopt, in order; work(item) runs on many threads; sink(result) takes the
// results in the order of the items.
template <class Source, class Work, class Sink>
void parallel_pipeline(const Source& source, const Work& work, const Sink& sink) {
  using Item = typename std::invoke_result_t<Source>::value_type;
  using Result = std::invoke_result_t<Work, Item&>;
  const auto in_flight = 4 * thread_count();
  Handover handover;
  const auto next = [&](tbb::flow_control& control) HUSHWALK_HANDED_OVER {
    const Handover::Turn turn(handover, Handover::From::caller_and_earlier_turns);
    std::optional<Item> item = source();
    if (item) return std::make_shared<Item>(std::move(*item));
    control.stop();
    return std::shared_ptr<Item>();
  };
  const auto worked = [&](const std::shared_ptr<Item>& item) HUSHWALK_HANDED_OVER {
    const Handover::Turn turn(handover, Handover::From::caller_and_earlier_turns);
    return std::make_shared<Result>(work(*item));
  };
  const auto sunk = [&](const std::shared_ptr<Result>& result) HUSHWALK_HANDED_OVER {
    const Handover::Turn turn(handover, Handover::From::caller_and_earlier_turns);
    sink(std::move(*result));
  };
  tbb::parallel_pipeline(
      in_flight,
      tbb::make_filter<void, std::shared_ptr<Item>>(tbb::filter_mode::serial_in_order, next) &
          tbb::make_filter<std::shared_ptr<Item>, std::shared_ptr<Result>>(tbb::filter_mode::parallel,
                                                                           worked) &
          tbb::make_filter<std::shared_ptr<Result>, void>(tbb::filter_mode::serial_in_order, sunk));
}

}  // namespace hushwalk
