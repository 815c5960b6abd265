// Stable counting sorts, so the result cannot depend on the threads.
//
// First every edge goes to the list of its smaller node, where repeats are found: this fixes the degrees and
// so the order of the rows. Then row r is laid out as its neighbours below r, followed by those above.
// Grouping pairs by one end in the order of the other leaves every group sorted, so no row needs a sort by
// comparison.

#include "graph/build_csr.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

#include "base/buffer.h"
#include "base/parallel.h"

namespace hushwalk {
namespace {

constexpr std::size_t row_grain = 1024;
constexpr std::size_t most_parts = 4;  // each part of a counting sort keeps a counter per node

// Cuts [0, count) into consecutive parts of about equal work; work(i) is the work before item i.
template <class Work>
std::vector<std::size_t> cut_evenly(std::size_t count, const Work& work) {
  const std::size_t parts = std::min(thread_count(), most_parts);
  const auto items = std::views::iota(std::size_t{0}, count);
  std::vector<std::size_t> cuts{0};
  for (std::size_t part = 1; part < parts; ++part)
    cuts.push_back(*std::ranges::lower_bound(items, work(count) / parts * part, {}, work));
  cuts.push_back(count);
  return cuts;
}

// A stable counting sort in two passes over pairs (key, value). emit(first, last, sink) calls sink(key,
// value) for the pairs of the items in [first, last), in order, and the same in both passes.
template <class Emit>
class CountingSort {
 public:
  CountingSort(std::size_t keys, std::vector<std::size_t> cuts, Emit emit)
      : cuts_(std::move(cuts)), emit_(std::move(emit)), cursors_(cuts_.size() - 1) {
    for_each_part([&](std::size_t part) {
      std::vector<std::uint64_t>& counts = cursors_[part];
      counts.resize(keys);
      emit_(cuts_[part], cuts_[part + 1], [&](Node key, Node) { ++counts[key]; });
    });
  }

  // How many pairs have each key: the first pass has counted them.
  std::uint64_t count(std::size_t key) const {
    std::uint64_t total = 0;
    for (const auto& counts : cursors_) total += counts[key];
    return total;
  }

  // Writes the values of key k to out[start(k)] and behind.
  template <class Start>
  void write(const Start& start, Node* out) {
    parallel_for(cursors_[0].size(), row_grain, [&](std::size_t first, std::size_t last) {
      for (std::size_t key = first; key < last; ++key) {
        std::uint64_t at = start(key);
        for (auto& counts : cursors_) at += std::exchange(counts[key], at);
      }
    });
    for_each_part([&](std::size_t part) {
      std::vector<std::uint64_t>& next = cursors_[part];
      emit_(cuts_[part], cuts_[part + 1], [&](Node key, Node value) { out[next[key]++] = value; });
      std::vector<std::uint64_t>().swap(next);
    });
  }

 private:
  template <class Body>
  void for_each_part(const Body& body) {
    parallel_for(cursors_.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) body(part);
    });
  }

  std::vector<std::size_t> cuts_;
  Emit emit_;
  std::vector<std::vector<std::uint64_t>> cursors_;  // by part and key
};

// Each edge once, in the list of its smaller node: values[starts[u] .. ends[u]).
struct Lists {
  std::vector<std::uint64_t> starts, ends;
  Buffer<Node> values;

  std::span<Node> of(std::size_t u) const { return {values.data() + starts[u], ends[u] - starts[u]}; }
  std::size_t size() const { return ends.size(); }
};

template <class Emit>
Lists group(std::size_t keys, std::vector<std::size_t> cuts, Emit emit) {
  CountingSort sort(keys, std::move(cuts), std::move(emit));
  Lists lists;
  lists.starts.resize(keys + 1);
  for (std::size_t key = 0; key < keys; ++key) lists.starts[key + 1] = lists.starts[key] + sort.count(key);
  lists.ends.assign(lists.starts.begin() + 1, lists.starts.end());
  lists.values = Buffer<Node>(lists.starts.back());
  sort.write([&](std::size_t key) { return lists.starts[key]; }, lists.values.data());
  return lists;
}

// The edges of all pieces without self-loops, each in the list of its smaller node. Frees the pieces.
Lists collect(std::uint64_t nodes, EdgePieces& pieces, std::uint64_t& self_loops) {
  std::vector<std::uint64_t> before(pieces.size() + 1), loops(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) before[i + 1] = before[i] + pieces[i].size();
  Lists lists = group(nodes, cut_evenly(pieces.size(), [&](std::size_t i) { return before[i]; }),
                      [&](std::size_t first, std::size_t last, const auto& sink) {
                        for (std::size_t i = first; i < last; ++i) {
                          loops[i] = 0;
                          for (const auto [u, v] : pieces[i])
                            u == v ? void(++loops[i]) : sink(std::min(u, v), std::max(u, v));
                        }
                      });
  self_loops = std::accumulate(loops.begin(), loops.end(), std::uint64_t{0});
  EdgePieces().swap(pieces);
  return lists;
}

// Sorts each list (a file is often sorted already, so this is cheap) and drops repeats; returns how many.
std::uint64_t drop_repeats(Lists& lists) {
  parallel_for(lists.size(), row_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t u = first; u < last; ++u) {
      const std::span<Node> list = lists.of(u);
      if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
      const auto repeats = std::ranges::unique(list);
      lists.ends[u] -= repeats.size();
    }
  });
  std::uint64_t kept = 0;
  for (std::size_t u = 0; u < lists.size(); ++u) kept += lists.ends[u] - lists.starts[u];
  return lists.starts.back() - kept;
}

struct Arrays {
  std::vector<std::uint64_t> offsets;
  Buffer<Row> neighbors;
  std::vector<Node> node_of_row;
  std::vector<Row> row_of_node;
};

// Cuts lists into parts with about as many edges each.
std::vector<std::size_t> cut_lists(std::span<const std::uint64_t> starts) {
  return cut_evenly(starts.size() - 1, [=](std::size_t i) { return starts[i]; });
}

// Rows by descending degree, ties by node; offsets by the degrees.
void order_rows(const std::vector<std::uint64_t>& degrees, Arrays& arrays) {
  const std::size_t rows = degrees.size();
  arrays.node_of_row.resize(rows);
  std::iota(arrays.node_of_row.begin(), arrays.node_of_row.end(), Node{0});
  parallel_sort(arrays.node_of_row.begin(), arrays.node_of_row.end(),
                [&](Node a, Node b) { return degrees[a] != degrees[b] ? degrees[a] > degrees[b] : a < b; });
  arrays.row_of_node.resize(rows);
  arrays.offsets.resize(rows + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    const Node node = arrays.node_of_row[row];
    arrays.row_of_node[node] = static_cast<Row>(row);
    arrays.offsets[row + 1] = arrays.offsets[row] + degrees[node];
  }
}

std::vector<std::uint64_t> count_degrees(const Lists& lists) {
  const auto both_ends = [&](std::size_t first, std::size_t last, const auto& sink) {
    for (std::size_t u = first; u < last; ++u)
      for (const Node v : lists.of(u)) sink(static_cast<Node>(u), v), sink(v, static_cast<Node>(u));
  };
  const CountingSort ends(lists.size(), cut_lists(lists.starts), both_ends);
  std::vector<std::uint64_t> degrees(lists.size());
  for (std::size_t u = 0; u < lists.size(); ++u) degrees[u] = ends.count(u);
  return degrees;
}

// The same edges by rows: b in the list of a, a < b.
Lists relabel(const Lists& lists, const std::vector<Row>& row_of_node) {
  return group(lists.size(), cut_lists(lists.starts),
               [&](std::size_t first, std::size_t last, const auto& sink) {
                 for (std::size_t u = first; u < last; ++u)
                   for (const Node v : lists.of(u)) {
                     const auto [a, b] = std::minmax({row_of_node[u], row_of_node[v]});
                     sink(a, b);
                   }
               });
}

Arrays lay_out(Lists lists) {
  Arrays arrays;
  const std::size_t rows = lists.size();
  order_rows(count_degrees(lists), arrays);
  lists = relabel(lists, arrays.row_of_node);
  const std::vector<std::uint64_t>& offsets = arrays.offsets;
  arrays.neighbors = Buffer<Row>(offsets[rows]);

  // Over a ascending, b receives its neighbours below.
  std::vector<std::uint64_t> below(rows);
  {
    CountingSort sort(rows, cut_lists(lists.starts),
                      [&](std::size_t first, std::size_t last, const auto& sink) {
                        for (std::size_t a = first; a < last; ++a)
                          for (const Row b : lists.of(a)) sink(b, static_cast<Row>(a));
                      });
    for (std::size_t b = 0; b < rows; ++b) below[b] = sort.count(b);
    sort.write([&](std::size_t b) { return offsets[b]; }, arrays.neighbors.data());
  }
  lists = {};
  // Over b ascending, a receives its neighbours above.
  CountingSort sort(rows, cut_lists(offsets), [&](std::size_t first, std::size_t last, const auto& sink) {
    for (std::size_t b = first; b < last; ++b)
      for (std::uint64_t i = offsets[b]; i < offsets[b] + below[b]; ++i)
        sink(arrays.neighbors[i], static_cast<Row>(b));
  });
  sort.write([&](std::size_t a) { return offsets[a] + below[a]; }, arrays.neighbors.data());
  return arrays;
}

}  // namespace

BuiltCsr build_csr(std::uint64_t nodes, EdgePieces pieces, const Progress& progress) {
  const auto report = [&](double fraction) {
    if (progress) progress("building", fraction);
  };
  report(0);
  BuiltCsr built;
  Lists lists = collect(nodes, pieces, built.self_loops);
  report(0.3);
  built.duplicates = drop_repeats(lists);
  report(0.4);
  const auto owner = std::make_shared<const Arrays>(lay_out(std::move(lists)));
  built.csr = {.offsets = owner->offsets,
               .neighbors = owner->neighbors.span(),
               .node_of_row = owner->node_of_row,
               .row_of_node = owner->row_of_node,
               .owner = owner};
  report(1);
  return built;
}

}  // namespace hushwalk
