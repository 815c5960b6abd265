#include "diffusion/rows.h"

#include "base/phase.h"
#include "graph/graph_impl.h"

namespace hushwalk {

Rows::Rows(const Graph& graph) {
  if (const SpreadRows* const spread = spread_rows(graph))
    *this = spread->mine();
  else
    part_ = {.csr = csr_of(graph), .nodes = graph.nodes()};
}

Rows Rows::in_segments() const {
  const Phase phase("cutting links into segments");
  Rows rows = *this;
  rows.segments_ = std::make_shared<const Segments>(part_.csr);
  return rows;
}

// Segments cost as much as some sweeps with one lane: about ten where x stays in the second-level cache, and
// a sweep gains little, else about five. `make bench` prints what they gain.
Rows Rows::ready_for(std::size_t seeds, std::size_t steps) const {
  constexpr std::size_t cached_rows = 1 << 15;
  const std::size_t enough = mine() <= cached_rows ? 64 : 16;
  return !part_.exchange && !segments_ && seeds * steps >= enough ? in_segments() : *this;
}

const SpreadRows* spread_rows(const Graph& graph) {
  return static_cast<const SpreadRows*>(GraphAccess::spread(graph));
}

const KeptNumbers& kept_numbers(const Graph& graph) { return GraphAccess::kept(graph); }

// Of at most `max_rows` rows and about `max_edges` edges: hubs come first, so blocks of equal rows would be
// of very unequal work. No block has rows that need others and rows that do not.
std::vector<RowBlock> Rows::blocks(Row max_rows, std::uint64_t max_edges) const {
  std::vector<RowBlock> blocks;
  const std::span<const std::uint64_t> offsets = part_.csr.offsets;
  const Row rows = static_cast<Row>(mine());
  for (Row first = 0, last = 0; first < rows; first = last) {
    do ++last;
    while (last < rows && last != part_.inner && last - first < max_rows &&
           offsets[last + 1] - offsets[first] <= max_edges);
    blocks.push_back({first, last});
  }
  return blocks;
}

std::vector<std::int64_t> Rows::sums_of(std::vector<std::int64_t>& x) const {
  std::vector<std::int64_t> result(mine());
  sweep<std::int64_t, 1>(blocks<1>(), x.data(), result.data(),
                         [&](const RowBlock& block, const std::int64_t* sums) {
                           std::copy_n(sums, block.last - block.first, result.data() + block.first);
                         });
  return result;
}

std::vector<std::int64_t> Scatter::take() && {
  if (const Exchange* exchange = rows_.part_.exchange) exchange->send_back(sums_.data());
  if (!rows_.spare_) {
    sums_.resize(rows_.mine());
    return std::move(sums_);
  }
  std::vector<std::int64_t> mine(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(rows_.mine()));
  rows_.give_back(std::move(sums_));
  return mine;
}

}  // namespace hushwalk
