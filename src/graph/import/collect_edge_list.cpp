// Ids are numbered when all have been seen: by a table when they are small integers, else by the interner.

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "graph/import/collect.h"
#include "graph/import/edge_header.h"
#include "graph/import/edge_list.h"

namespace hushwalk {
namespace {

// All blocks of an edge list, not yet agreed on what an id is.
struct EdgeListTotals {
  EdgeHeap edges;
  std::uint64_t bad_lines = 0, wide_lines = 0;
  std::optional<LineNote> first_bad, first_huge;
  std::uint32_t largest = 0;
  bool any_interned = false, all_integers = true;
  std::optional<bool> first_column_counts = {};  // in the first block

  void add(ParsedBlock block) {
    if (!first_column_counts) first_column_counts = block.first_column_counts;
    bad_lines += block.bad_lines;
    wide_lines += block.wide_lines;
    if (!first_bad) first_bad = std::move(block.first_bad);
    if (!first_huge) first_huge = std::move(block.first_huge);
    largest = std::max(largest, block.largest);
    any_interned |= block.interned;
    all_integers &= block.all_integers;
    edges.add(std::move(block.edges), block.interned);
  }
};

void for_each_end(std::vector<EdgeOfNodes>& edges, const auto& change) {
  for (auto& [u, v] : edges) u = change(u), v = change(v);
}

// Lines may be bad only because the ids are in other columns.
void check_bad_lines(const EdgeListTotals& totals, const ImportOptions& options, const std::string& name,
                     const std::string& other_columns) {
  if (totals.bad_lines <= options.skip_bad_lines) return;
  std::string remedy = other_columns.empty() ? "" : "; " + other_columns;
  if (options.skip_bad_lines > 0)
    remedy += fmt::format(" (the first of {} malformed lines so far; {} may be skipped)", totals.bad_lines,
                          options.skip_bad_lines);
  fail_at(name, *totals.first_bad, remedy);
}

// Small numbers, not too sparse: a table tells each its place among those present.
NodeList number_by_table(EdgeListTotals& totals) {
  std::vector<std::atomic<std::uint32_t>> place(std::size_t{totals.largest} + 1);
  EdgePieces& pieces = totals.edges.pieces();
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (const auto [u, v] : pieces[i])
        place[u].store(1, std::memory_order_relaxed), place[v].store(1, std::memory_order_relaxed);
  });
  std::vector<std::int64_t> ids;
  for (std::size_t id = 0; id < place.size(); ++id) {
    if (place[id] == 0) continue;
    place[id] = static_cast<std::uint32_t>(ids.size());
    ids.push_back(static_cast<std::int64_t>(id));
  }
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for_each_end(pieces[i], [&](std::uint32_t id) { return place[id].load(std::memory_order_relaxed); });
  });
  return NodeList::integers(std::move(ids));
}

NodeList number_by_interner(EdgeListTotals& totals, Interner& interner, bool string_ids) {
  EdgePieces& pieces = totals.edges.pieces();
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!totals.edges.interned(i))
        for_each_end(pieces[i], [&](std::uint32_t id) {
          std::array<char, 10> digits{};
          const char* const end = std::to_chars(digits.begin(), digits.end(), id).ptr;
          return interner.intern({digits.data(), end});
        });
  });
  Interner::Finished finished = interner.finish(string_ids);
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for_each_end(pieces[i], [&](std::uint32_t handle) { return finished.node(handle); });
  });
  return std::move(finished.nodes);
}

// The table may take as much memory as the edges, and a megabyte.
bool table_fits(const EdgeListTotals& totals) {
  return totals.largest <= totals.edges.held() * sizeof(EdgeOfNodes) / sizeof(std::uint32_t) + (1U << 18);
}

void add_edge(EdgeListTotals& totals, EdgeOfNodes edge, bool interned) {
  totals.any_interned |= interned;
  totals.all_integers = false;
  totals.edges.add({edge}, interned);
}

// Decides what the first line is: an edge, or a header, which is reported. With a public list the decision
// rests on that list alone, so that it cannot change with an edge elsewhere in the file.
void settle_first_line(const FirstLine& line, const NodeList* list, Interner& interner,
                       const std::string& name, EdgeListTotals& totals, ImportReport& report) {
  const auto header = [&] {
    report.notices.push_back(fmt::format("skipped the header '{}': ids are integers", line.note.text));
  };
  if (list == nullptr) {
    if (totals.all_integers && totals.edges.added() > 0) return header();
    if (line.likely_header)
      report.notices.push_back(
          fmt::format("line {} ('{}') was read as an edge; if it names the columns, say `header`",
                      line.note.line, line.note.text));
    return add_edge(totals, {interner.intern(line.first), interner.intern(line.second)}, true);
  }
  const auto u = list->find(line.first), v = list->find(line.second);
  if (u && v) return add_edge(totals, {*u, *v}, false);
  if (list->are_integers()) return header();
  fail_at(name,
          {line.note.line, "an id is not in the node list (a header? then say `header`)", line.note.text});
}

}  // namespace

Collected collect_edge_list(LineBlocks& lines, const ImportOptions& options, const Progress& progress) {
  Collected collected;
  ImportReport& report = collected.report;
  const EdgeHeader header = read_edge_header(lines, options, report);
  const auto interner = std::make_unique<Interner>();
  const NodeList* const list = options.nodes ? &*options.nodes : nullptr;
  IdSpace ids{.list = list,
              .interner = interner.get(),
              .layout = header.layout,
              .prefer_interner = options.string_ids};
  EdgeListTotals totals;
  for_each_block(
      lines, progress, [&](const LineBlock& block) { return parse_edge_list(block, ids); },
      [&](ParsedBlock block) {
        totals.add(std::move(block));
        check_bad_lines(totals, options, lines.name(), header.other_columns);
      });

  if (header.set_aside) settle_first_line(*header.set_aside, list, *interner, lines.name(), totals, report);
  if (totals.first_huge && totals.all_integers && !options.string_ids && list == nullptr)
    fail_at(lines.name(), *totals.first_huge, "; to take ids as text, say `string_ids`");

  report.bad_lines = totals.bad_lines;
  if (totals.bad_lines > 0)
    report.notices.push_back(fmt::format("skipped {} malformed lines, the first at line {}: {}: '{}'",
                                         totals.bad_lines, totals.first_bad->line, totals.first_bad->reason,
                                         totals.first_bad->text));
  if (!options.columns && totals.first_column_counts.value_or(false))
    report.notices.emplace_back(
        "the first column numbers the lines and was taken as ids; if the ids are in the second and third, say `columns 2,3`");
  if (totals.wide_lines > 0 && !options.columns)
    report.notices.push_back(
        fmt::format("ignored what follows the two ids on {} lines (weights, times, …)", totals.wide_lines));

  if (list != nullptr)
    collected.nodes = *list;
  else if (!totals.any_interned && !options.string_ids && table_fits(totals))
    collected.nodes = number_by_table(totals);
  else
    collected.nodes = number_by_interner(totals, *interner, options.string_ids);
  collected.edges = std::move(totals.edges);
  return collected;
}

}  // namespace hushwalk
