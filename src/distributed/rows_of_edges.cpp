// A process owns an equal share of the nodes. It counts their links and learns their rows, and tells those
// who ask; then every edge goes to the owners of both its rows, who have about as many links each.
#include "distributed/rows_of_edges.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.h"
#include "base/phase.h"
#include "distributed/cuts.h"
#include "distributed/exchange.h"
#include "distributed/sort_across.h"

namespace hushwalk {
namespace {

std::uint32_t high(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }
std::uint32_t low(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }
std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

std::size_t me(const Job& job) { return static_cast<std::size_t>(job.number()); }
std::size_t count_of(const Job& job) { return static_cast<std::size_t>(job.size()); }

// send(i, to) for every i below `count`, of which each adds at most `words`.
template <class Send, class Take>
void exchange_each(const Job& job, std::size_t count, std::size_t words, const Send& send, const Take& take) {
  std::size_t at = 0;
  exchange_in_turns(
      job,
      [&](std::vector<Message>& to) {
        const std::size_t end = std::min(count, at + words_in_a_turn(job) / words);
        for (; at < end; ++at) send(at, to);
        return at < count;
      },
      [&](std::size_t, Words words_here) { take(words_here); });
}

// Of my share of the nodes.
std::vector<std::uint32_t> count_degrees(const Job& job, const Cuts& nodes,
                                         const std::vector<std::uint64_t>& edges) {
  std::vector<std::uint32_t> degrees(nodes.size(me(job)));
  const std::uint64_t first = nodes.first(me(job));
  exchange_each(
      job, edges.size(), 2,
      [&](std::size_t i, std::vector<Message>& to) {
        for (const Node node : {high(edges[i]), low(edges[i])}) to[nodes.owner_of(node)].push_back(node);
      },
      [&](Words words) {
        for (const Node node : words) ++degrees[node - first];
      });
  return degrees;
}

// Some consecutive rows.
struct OrderedRows {
  std::uint64_t first = 0;
  std::vector<Node> nodes = {};
  std::vector<std::uint64_t> offsets = {};
  std::uint64_t degree(std::size_t i, std::uint64_t end) const {
    return (i + 1 < offsets.size() ? offsets[i + 1] : end) - offsets[i];
  }
};

// By descending degree, ties by node. The end of the last row is not among the offsets.
OrderedRows order_rows(const Job& job, const Cuts& nodes, std::vector<std::uint32_t> degrees,
                       std::uint64_t& end) {
  std::vector<std::vector<std::uint64_t>> keys(1, std::vector<std::uint64_t>(degrees.size()));
  for (std::size_t i = 0; i < degrees.size(); ++i)
    keys[0][i] = pair_of(~degrees[i], static_cast<Node>(nodes.first(me(job)) + i));
  std::vector<std::uint32_t>().swap(degrees);
  const std::vector<std::uint64_t> order =
      sort_across(job, std::move(keys), [](std::uint64_t key) { return key; });
  std::uint64_t links = 0;
  for (const std::uint64_t key : order) links += ~high(key);
  OrderedRows rows{.first = job.sum_before(order.size())};
  end = job.sum_before(links);
  for (const std::uint64_t key : order) {
    rows.nodes.push_back(low(key));
    rows.offsets.push_back(end);
    end += ~high(key);
  }
  return rows;
}

// The rows of my share of the nodes.
std::vector<Row> rows_of_nodes(const Job& job, const Cuts& nodes, const OrderedRows& rows) {
  std::vector<Row> row_of_node(nodes.size(me(job)));
  const std::uint64_t first = nodes.first(me(job));
  exchange_each(
      job, rows.nodes.size(), 2,
      [&](std::size_t i, std::vector<Message>& to) {
        Message& words = to[nodes.owner_of(rows.nodes[i])];
        words.push_back(rows.nodes[i]), words.push_back(static_cast<Row>(rows.first + i));
      },
      [&](Words words) {
        for (std::size_t i = 0; i < words.size(); i += 2) row_of_node[words[i] - first] = words[i + 1];
      });
  return row_of_node;
}

// Ranges of rows with about as many links, a row counting as one.
Cuts cut_rows(const Job& job, const OrderedRows& rows, std::uint64_t all_rows, std::uint64_t links) {
  const Cuts wanted = equal_cuts(links + all_rows, count_of(job));
  std::vector<std::int64_t> starts(count_of(job) + 1);
  for (std::size_t i = 0; i < rows.offsets.size(); ++i)
    ++starts[wanted.owner_of(rows.offsets[i] + rows.first + i) + 1];
  job.add_up(starts);
  Cuts cuts;
  std::uint64_t sum = 0;
  for (const std::int64_t count : starts) cuts.starts.push_back(sum += static_cast<std::uint64_t>(count));
  return cuts;
}

// One turn of relabel(): asks the owners of both ends for their rows.
void relabel_some(const Job& job, const Cuts& nodes, const std::vector<Row>& row_of_node,
                  std::span<std::uint64_t> edges) {
  std::vector<Message> to(count_of(job)), back(count_of(job));
  for (const std::uint64_t edge : edges)
    for (const Node node : {high(edge), low(edge)}) to[nodes.owner_of(node)].push_back(node);
  const Arrived asked(std::move(to));
  for (std::size_t sender = 0; sender < asked.senders(); ++sender)
    for (const Node node : asked.from(sender))
      back[sender].push_back(row_of_node[node - nodes.first(me(job))]);
  const Arrived answers(std::move(back));
  std::vector<std::size_t> next(count_of(job));
  const auto row_of = [&](Node node) {
    const std::size_t owner = nodes.owner_of(node);
    return answers.from(owner)[next[owner]++];
  };
  for (std::uint64_t& edge : edges) {
    const Row a = row_of(high(edge)), b = row_of(low(edge));
    edge = pair_of(a, b);
  }
}

// Nodes become rows.
void relabel(const Job& job, const Cuts& nodes, const std::vector<Row>& row_of_node,
             std::span<std::uint64_t> edges) {
  for (bool more = true; more;) {
    const std::size_t some = std::min(edges.size(), words_in_a_turn(job) / 2);
    relabel_some(job, nodes, row_of_node, edges.first(some));
    edges = edges.subspan(some);
    more = job.sum(edges.size()) > 0;
  }
}

// Where each of my rows begins among my links.
std::vector<std::uint64_t> starts_of_rows(const Job& job, const Cuts& cuts, const OrderedRows& rows,
                                          std::uint64_t end) {
  const std::uint64_t first = cuts.first(me(job));
  std::vector<std::uint64_t> starts(cuts.size(me(job)) + 1);
  exchange_each(
      job, rows.nodes.size(), 2,
      [&](std::size_t i, std::vector<Message>& to) {
        Message& words = to[cuts.owner_of(rows.first + i)];
        words.push_back(static_cast<Row>(rows.first + i));
        words.push_back(static_cast<std::uint32_t>(rows.degree(i, end)));
      },
      [&](Words words) {
        for (std::size_t i = 0; i < words.size(); i += 2) starts[words[i] - first + 1] = words[i + 1];
      });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  return starts;
}

// The links of my rows. `edges` are given away.
std::vector<Row> links_of_rows(const Job& job, const Cuts& cuts, const std::vector<std::uint64_t>& starts,
                               std::vector<std::uint64_t> edges) {
  std::vector<Row> links(starts.back());
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  const std::uint64_t first = cuts.first(me(job));
  exchange_each(
      job, edges.size(), 4,
      [&](std::size_t i, std::vector<Message>& to) {
        const Row a = high(edges[i]), b = low(edges[i]);
        for (const auto& [row, link] : {std::pair(a, b), std::pair(b, a)}) {
          Message& words = to[cuts.owner_of(row)];
          words.push_back(row), words.push_back(link);
        }
      },
      [&](Words words) {
        for (std::size_t i = 0; i < words.size(); i += 2) links[next[words[i] - first]++] = words[i + 1];
      });
  std::vector<std::uint64_t>().swap(edges);
  parallel_for(next.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      std::sort(links.begin() + static_cast<std::ptrdiff_t>(starts[i]),
                links.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]));
  });
  return links;
}

}  // namespace

RowParts rows_of_edges(const Job& job, std::uint64_t nodes, std::vector<std::uint64_t> edges) {
  const Phase phase("making rows across processes");
  const Cuts node_cuts = equal_cuts(nodes, count_of(job));
  std::uint64_t end = 0;  // of the last row that was ordered here
  OrderedRows rows = order_rows(job, node_cuts, count_degrees(job, node_cuts, edges), end);
  RowParts parts;
  parts.row_of_node = rows_of_nodes(job, node_cuts, rows);
  const Cuts row_cuts = cut_rows(job, rows, nodes, 2 * job.sum(edges.size()));
  relabel(job, node_cuts, parts.row_of_node, edges);
  parts.neighbors = links_of_rows(job, row_cuts, starts_of_rows(job, row_cuts, rows, end), std::move(edges));
  parts.node_of_row = std::move(rows.nodes);
  parts.offsets = std::move(rows.offsets);
  const std::uint64_t all_links = job.sum(parts.neighbors.size());
  if (job.number() + 1 == job.size()) parts.offsets.push_back(all_links);
  return parts;
}

}  // namespace hushwalk
