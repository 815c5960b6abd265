// What a diffusion or a mechanism may know of where rows lie.
//
// A graph may be spread over several parts, one a process. Each part has the complete rows of a range of
// the public node list: *mine*. Their neighbours are given as places in an array of values that holds mine
// first, then those of other parts' rows that mine are linked to; a sweep brings these in as it begins.
// Nobody above this header sees a whole graph by address. A graph on one machine is one part that has
// everything: nothing is brought in, and nothing is called for it.
//
// Neighbours of a row keep the order they have in the whole graph, so that sums are the same bytes for any
// number of parts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/fail.h"
#include "base/parallel.h"
#include "base/phase.h"
#include "diffusion/gather_sum.h"
#include "diffusion/segments.h"
#include "graph/kept_numbers.h"
#include "graph/spread_graph.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/listing.h"

namespace hushwalk {

// How the parts of a graph talk to each other. All parts make the same calls in the same order, one at a
// time, and a call ends when the part has what it asked for; bring() alone is over when it was waited for.
class Exchange {
 public:
  virtual ~Exchange() = default;
  // values[mine * lanes ..] becomes what the owners of these rows have in theirs, by the end of what is
  // returned, which is called once, by the same thread. Until then values of mine may be read and not
  // written, and values of others neither.
  using Wait = std::function<void()>;
  [[nodiscard]] virtual Wait bring(double* values, std::size_t lanes) const = 0;
  [[nodiscard]] virtual Wait bring(std::int64_t* values, std::size_t lanes) const = 0;
  // Adds values[mine ..] to what the owners of these rows have in theirs.
  virtual void send_back(std::int64_t* values) const = 0;
  // Whether it is so in all parts.
  virtual bool everywhere(bool here) const = 0;
  // Values by node of all parts, one part after the other; `all` has an entry for every node.
  virtual void collect(std::span<const std::int64_t> mine, std::span<std::int64_t> all) const = 0;
  // In the first part: take(bytes) with what every part has, in pieces and one part after the other. A piece
  // is as long as all that its part has, or a multiple of 64 bytes, and aligned to 16.
  using Take = std::function<void(std::span<const std::byte>)>;
  virtual void give_to_first(std::span<const std::byte> mine, const Take& take) const = 0;
  // values[i] becomes its sum over all parts, which all have equally many.
  virtual void add_up(std::span<std::int64_t> values) const = 0;
};

// Consecutive rows of mine.
struct RowBlock {
  Row first, last;
};

// Arrays by row, with room for values of others. How much that is depends on links: what was taken once,
// before any noise was drawn, serves again after that.
class SpareRooms {
 public:
  std::vector<std::int64_t> take(std::size_t size) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::int64_t> room;
    if (!spare_.empty()) room = std::move(spare_.back()), spare_.pop_back();
    room.assign(size, 0);
    return room;
  }
  void give_back(std::vector<std::int64_t> room) {
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(room));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::int64_t>> spare_;
};

// Immutable; any thread may read. Sweeps, `everywhere`, `whole`, `in_first`, `give_to_first`, `add_up` and
// Scatter::take are exchanges.
class Rows {
 public:
  // A part of a graph. In `csr`, rows are mine and neighbours from csr.rows() on are other parts' rows; its
  // nodes are counted from `first_node`. Rows that are linked to mine alone come first: a sweep begins with
  // them, while the values of others are on their way.
  struct Part {
    Csr csr;
    std::size_t others = 0;                  // how many rows of other parts mine are linked to
    Row inner = 0;                           // how many rows of mine are linked to mine alone
    std::span<const Node> other_nodes = {};  // their public nodes, ascending
    Node first_node = 0;
    std::uint64_t nodes = 0;             // of the whole graph
    const Exchange* exchange = nullptr;  // outlives these rows
  };
  explicit Rows(Part part) : part_(std::move(part)) {
    if (part_.exchange) spare_ = std::make_shared<SpareRooms>();
  }
  Rows(const Graph& graph);  // NOLINT(google-explicit-constructor): a graph on one machine is all its rows

  // The same rows, ready for `steps` sweeps for each of `seeds` seeds: where that pays, with their links in
  // segments. Sums are the same bytes, only time and memory differ. A part among others has its rows alone,
  // since places of its neighbours are not ascending.
  Rows ready_for(std::size_t seeds, std::size_t steps) const;
  Rows in_segments() const;  // without asking; not for a part among others

  std::size_t mine() const noexcept { return part_.csr.rows(); }
  std::size_t with_others() const noexcept { return mine() + part_.others; }
  std::uint64_t nodes() const noexcept { return part_.nodes; }

  std::uint64_t degree(Row row) const noexcept { return part_.csr.degree(row); }
  std::span<const Row> neighbors(Row row) const noexcept { return part_.csr.row(row); }

  // The public nodes of my rows are consecutive. What is "by node" has an entry for each of them, in the
  // order of the public list, and node_index is the entry of a row.
  Node first_node() const noexcept { return part_.first_node; }
  Node node_index(Row row) const noexcept { return part_.csr.node_of_row[row]; }
  // None when another part has the node.
  std::optional<Row> find(Node node) const noexcept {
    if (node < first_node() || node - first_node() >= mine()) return {};
    return part_.csr.row_of_node[node - first_node()];
  }

  // The place of a node of mine, or of one that mine are linked to.
  std::optional<Row> place(Node node) const noexcept {
    if (const auto row = find(node)) return row;
    const auto other = std::ranges::lower_bound(part_.other_nodes, node);
    if (other == part_.other_nodes.end() || *other != node) return {};
    return static_cast<Row>(mine() + static_cast<std::size_t>(other - part_.other_nodes.begin()));
  }
  // Those of some nodes, in ascending order, that are mine.
  std::span<const Node> mine_of(std::span<const Node> nodes) const noexcept {
    const auto first = std::ranges::lower_bound(nodes, first_node());
    return {first, std::ranges::lower_bound(first, nodes.end(), first_node() + std::uint64_t{mine()})};
  }
  // The entry of a node of mine in what is by node.
  std::size_t entry(Node node) const noexcept { return node - first_node(); }

  // value(row) of my rows by node.
  template <class Value>
  auto by_node(const Value& value) const {
    std::vector<std::invoke_result_t<Value, Row>> values(mine());
    parallel_for(mine(), rows_per_task, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) values[i] = value(part_.csr.row_of_node[i]);
    });
    return values;
  }

  // value(row) of my rows by row, with room for the values of others.
  template <class Value>
  auto by_row(const Value& value) const {
    std::vector<std::invoke_result_t<Value, Row>> values(with_others());
    parallel_for(mine(), rows_per_task, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row) values[row] = value(static_cast<Row>(row));
    });
    return values;
  }

  bool everywhere(bool here) const { return part_.exchange ? part_.exchange->everywhere(here) : here; }

  // Error{usage} when there are others and no way to them.
  void check_reach() const {
    if (!part_.exchange && mine() != nodes()) fail_usage("all rows of a graph are needed in one place");
  }
  // What is by node, of the nodes of all parts. Errors of check_reach().
  std::vector<std::int64_t> whole(std::vector<std::int64_t> by_node) const {
    check_reach();
    if (!part_.exchange) return by_node;
    std::vector<std::int64_t> all(nodes());
    part_.exchange->collect(by_node, all);
    return all;
  }
  // The same in the first part; nothing in the others.
  template <class T>
  std::vector<T> in_first(std::vector<T> by_node) const {
    check_reach();
    if (!part_.exchange) return by_node;
    std::vector<T> all;
    give_to_first<T>(by_node, [&](std::span<const T> values) {
      all.reserve(nodes());
      all.insert(all.end(), values.begin(), values.end());
    });
    return all;
  }
  // take(values) in the first part, with what each part has, in pieces and one part after the other.
  template <class T, class TakeValues>
  void give_to_first(std::span<const T> mine, const TakeValues& take) const {
    static_assert(64 % sizeof(T) == 0);
    if (!part_.exchange) return take(mine);
    part_.exchange->give_to_first(std::as_bytes(mine), [&](std::span<const std::byte> bytes) {
      take(std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)));
    });
  }
  // The sums over all parts.
  void add_up(std::span<std::int64_t> values) const {
    if (part_.exchange) part_.exchange->add_up(values);
  }

  // My rows in blocks for sweeps of that many lanes.
  template <int lanes>
  std::vector<RowBlock> blocks() const {
    return blocks(sums_per_block / lanes, loads_per_block / lanes);
  }

  // Brings in the values of others at the end of x, and calls epilogue(block, sums) for every block,
  // sums[(r - block.first) * lanes + l] being the sum over u ~ r of x[u * lanes + l] (see gather_sum.h). The
  // epilogue may overwrite them. Blocks run on any thread in any order; an epilogue writes to rows of its
  // block only, and never to x. `room` has a value for every row of mine and lane; those of a block may be
  // overwritten until its epilogue is called, not later.
  template <class T, int lanes, class Epilogue>
  void sweep(const std::vector<RowBlock>& blocks, T* x, T* room, const Epilogue& epilogue) const {
    if (segments_) segments_->sum<T, lanes>(x, room);
    const auto sum_up = [&](std::span<const RowBlock> some) {
      parallel_for(some.size(), 1, [&](std::size_t begin, std::size_t end) {
        alignas(64) std::array<T, sums_per_block> sums;
        for (const RowBlock& block : some.subspan(begin, end - begin)) {
          const auto [first, last] = block;
          if (segments_)
            std::copy(room + std::size_t{first} * lanes, room + std::size_t{last} * lanes, sums.data());
          else
            gather_sum<T, lanes>(part_.csr, x, first, last, sums.data());
          epilogue(block, sums.data());
        }
      });
    };
    if (!part_.exchange) return sum_up(blocks);
    const Exchange::Wait wait = begin_bringing(x, lanes);
    const std::span inner(blocks.begin(),
                          std::ranges::lower_bound(blocks, part_.inner, {}, &RowBlock::first));
    sum_up(inner);
    end_bringing(wait);
    sum_up(std::span(blocks).subspan(inner.size()));
  }

  // Brings in values that nobody needs, so that the memory of messages of so many lanes is taken. How much
  // it is depends on links: what draws noise takes it before.
  void take_room_for_others(std::int64_t* x, std::size_t lanes) const {
    if (part_.exchange) end_bringing(begin_bringing(x, lanes));
  }

  // The sum over the neighbours of each row of mine of value(neighbour), by row. A value is asked of its
  // owner.
  template <class Value>
  std::vector<std::int64_t> neighbor_sums(const Value& value) const {
    std::vector<std::int64_t> x = take_room();
    parallel_for(mine(), rows_per_task, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row) x[row] = value(static_cast<Row>(row));
    });
    std::vector<std::int64_t> sums = sums_of(x);
    give_back(std::move(x));
    return sums;
  }

 private:
  friend class Scatter;

  // Sums of a block stay in the first-level cache until its epilogue has used them.
  static constexpr Row sums_per_block = 2048;
  static constexpr std::uint64_t loads_per_block = 1 << 16;
  static constexpr std::size_t rows_per_task = 1 << 14;

  std::vector<RowBlock> blocks(Row max_rows, std::uint64_t max_edges) const;
  std::vector<std::int64_t> sums_of(std::vector<std::int64_t>& x) const;

  // For a number of each row, others too; all 0.
  std::vector<std::int64_t> take_room() const {
    return spare_ ? spare_->take(with_others()) : std::vector<std::int64_t>(with_others());
  }
  void give_back(std::vector<std::int64_t> room) const {
    if (spare_) spare_->give_back(std::move(room));
  }

  template <class T>
  Exchange::Wait begin_bringing(T* x, std::size_t lanes) const {
    const Phase phase(bringing);
    return part_.exchange->bring(x, lanes);
  }
  static void end_bringing(const Exchange::Wait& wait) {
    const Phase phase(bringing);
    wait();
  }
  static constexpr const char* bringing = "bringing in the values of others";

  Part part_;
  std::shared_ptr<const Segments> segments_;  // null: sweeps go over the rows
  std::shared_ptr<SpareRooms> spare_;         // null: there are no others
};

// A graph of which this process has a part. All processes of a job make the same calls on it, in the same
// order.
class SpreadRows : public SpreadGraph {
 public:
  virtual const Rows& mine() const = 0;
  // Runs `work`, while the other processes make the same call of diffuse_exactly(), or, with a listing, of
  // best_exactly().
  struct Exact {
    const Diffusion& diffusion;
    std::span<const SeedVector> seeds;
    std::optional<Clip> clip = {};
    const Listing* listing = nullptr;
  };
  virtual void diffuse_together(const Exact& what, const std::function<void()>& work) const = 0;
};
const SpreadRows* spread_rows(const Graph& graph);  // null: all rows are here

const KeptNumbers& kept_numbers(const Graph& graph);

// Adds numbers to all neighbours of some rows, whoever owns these.
class Scatter {
 public:
  explicit Scatter(const Rows& rows) : rows_(rows), sums_(rows.take_room()) {}

  void add_to_neighbors(Row row, std::int64_t number) {
    for (const Row neighbor : rows_.neighbors(row)) sums_[neighbor] += number;
  }

  // What all parts have added to my rows, by row.
  std::vector<std::int64_t> take() &&;

 private:
  const Rows& rows_;
  std::vector<std::int64_t> sums_;
};

}  // namespace hushwalk
