// Up to `lanes` seeds side by side, in one sweep over the rows per step. How lanes, blocks and seeds lie is
// written here once; a diffusion adds what happens to a block of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "diffusion/rows.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// A seed in a row of mine.
template <class T>
struct SeedEntry {
  Row row;
  std::uint32_t lane;
  T weight;
};

// What the rows of a batch send, and will send next. How much room this is depends on links, because values
// of others have a place in it; what draws noise takes it before, once for all its batches.
template <class T>
struct BatchRoom {
  BatchRoom() = default;
  BatchRoom(const Rows& rows, std::size_t lanes)
      : sent(rows.with_others() * lanes), next(rows.with_others() * lanes) {
    for (const Buffer<T>* const buffer : {&sent, &next}) std::fill_n(buffer->data(), buffer->size(), T{0});
  }
  Buffer<T> sent, next;
};

// Lanes without a seed stay zero. The rows outlive the batch.
template <class T, int lanes>
class Batch {
 public:
  using Entry = SeedEntry<T>;
  using Values = Buffer<T>;

  // A block of rows after its sums have been made.
  struct Block : RowBlock {
    std::size_t number;  // counted from 0
    std::span<const Entry> seeds;
    T* sums;

    T& sum(Row row, std::size_t lane) const { return sums[std::size_t{row - first} * lanes + lane]; }
    T& sum(const Entry& seed) const { return sum(seed.row, seed.lane); }
  };

  // weights(seed) are the weights of its entries, in their order. Where `room` is too small, or there is
  // none, it is made.
  template <class Weights>
  Batch(const Rows& rows, std::span<const SeedVector> seeds, const Weights& weights, BatchRoom<T> room = {})
      : rows_(rows),
        seeds_(entries(rows, seeds, weights)),
        blocks_(rows.blocks<lanes>()),
        sent_(zeros(rows.with_others(), std::move(room.sent))),
        next_(zeros(rows.with_others(), std::move(room.next))) {}

  // For the next batch; this one is over.
  void give_back(BatchRoom<T>& room) { room.sent = std::move(sent_), room.next = std::move(next_); }

  static std::size_t at(Row row, std::size_t lane) { return std::size_t{row} * lanes + lane; }
  static std::size_t at(const Entry& seed) { return at(seed.row, seed.lane); }

  static Values zeros(std::size_t rows, Values room = {}) {
    const std::size_t size = rows * lanes;
    Values values = room.size() < size ? Values(size) : std::move(room);
    std::fill_n(values.data(), size, T{0});
    return values;
  }

  std::span<const Entry> seeds() const { return seeds_; }  // ascending by row
  std::size_t block_count() const { return blocks_.size(); }
  T* sent() { return sent_.data(); }  // what a row sends along each of its links, by at()
  const T* sent() const { return sent_.data(); }
  T* next() { return next_.data(); }  // what it will send in the next step
  const T* next() const { return next_.data(); }

  // Sums what is sent, and calls epilogue(block) for every block; then what was next is sent. An epilogue
  // writes to rows of its block only, and not to sent(); next() holds nothing of use before.
  template <class Epilogue>
  void step(const Epilogue& epilogue) {
    rows_.template sweep<T, lanes>(blocks_, sent(), next(), [&](const RowBlock& block, T* sums) {
      epilogue(Block{block, static_cast<std::size_t>(&block - blocks_.data()), seeds_in(block), sums});
    });
    std::swap(sent_, next_);
  }

 private:
  template <class Weights>
  static std::vector<Entry> entries(const Rows& rows, std::span<const SeedVector> seeds,
                                    const Weights& weights) {
    std::vector<Entry> found;
    for (std::uint32_t lane = 0; lane < seeds.size(); ++lane) {
      const std::vector<T> of_seed = weights(seeds[lane]);
      for (std::size_t i = 0; i < of_seed.size(); ++i)
        if (const auto row = rows.find(seeds[lane].entries()[i].first))
          found.push_back({*row, lane, of_seed[i]});
    }
    std::ranges::sort(found, {}, &Entry::row);
    return found;
  }

  std::span<const Entry> seeds_in(const RowBlock& block) const {
    const auto first = std::ranges::lower_bound(seeds_, block.first, {}, &Entry::row);
    const auto last = std::ranges::lower_bound(first, seeds_.end(), block.last, {}, &Entry::row);
    return {first, last};
  }

  const Rows& rows_;
  std::vector<Entry> seeds_;
  std::vector<RowBlock> blocks_;
  Values sent_, next_;
};

}  // namespace hushwalk
