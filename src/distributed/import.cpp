#include "distributed/import.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/memory.h"
#include "base/phase.h"
#include "distributed/cuts.h"
#include "distributed/exchange.h"
#include "distributed/sort_across.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

// --- what travels ------------------------------------------------------------------------------------------

Json note_json(const LineNote& note) { return {note.line, note.reason, note.text, note.part}; }
LineNote note_in(const Json& json) { return {json[0], json[1], json[2], json[3]}; }

template <class T, class Write>
Json perhaps(const std::optional<T>& value, const Write& write) {
  return value ? write(*value) : Json(nullptr);
}
template <class Read>
auto perhaps_in(const Json& json, const Read& read) {
  return json.is_null() ? std::nullopt : std::optional(read(json));
}

Json first_line_json(const FirstLine& line) {
  return {note_json(line.note), line.first, line.second, line.likely_header};
}
FirstLine first_line_in(const Json& json) { return {note_in(json[0]), json[1], json[2], json[3]}; }

Json start_json(const ListStart& start) {
  const EdgeHeader& header = start.header;
  return {start.part,
          {header.layout.separator, header.layout.first, header.layout.second},
          perhaps(header.set_aside, first_line_json),
          header.other_columns,
          header.taken};
}
ListStart start_in(const Json& json) {
  ListStart start{.part = json[0]};
  const Json& layout = json[1];
  start.header.layout = {layout[0].get<char>(), layout[1].get<std::size_t>(), layout[2].get<std::size_t>()};
  start.header.set_aside = perhaps_in(json[2], first_line_in);
  start.header.other_columns = json[3];
  start.header.taken = json[4];
  return start;
}

// But for the node list and the bound, which the first process checks.
Json options_json(const ImportOptions& options) {
  return {static_cast<int>(options.format), options.columns.has_value(), options.string_ids,
          options.skip_bad_lines};
}
ImportOptions options_in(const Json& json) {
  ImportOptions options;
  options.format = static_cast<TextFormat>(json[0].get<int>());
  if (json[1].get<bool>()) options.columns.emplace();
  options.string_ids = json[2];
  options.skip_bad_lines = json[3];
  return options;
}

Json summary_json(const ListSummary& summary) {
  Json bad = Json::array();
  for (const auto& [part, count] : summary.bad) bad.push_back({part, count});
  return {summary.edges,
          summary.wide_lines,
          summary.headers,
          bad,
          perhaps(summary.first_bad, note_json),
          perhaps(summary.first_huge, note_json),
          perhaps(summary.first_block,
                  [](const auto& block) { return Json{block.part, block.first_column_counts}; }),
          perhaps(summary.failure,
                  [](const auto& failure) {
                    return Json{failure.part, failure.code, failure.message, failure.for_custodian};
                  }),
          summary.all_integers};
}

ListSummary summary_in(const Json& json) {
  ListSummary summary{.edges = json[0], .wide_lines = json[1], .headers = json[2]};
  for (const Json& some : json[3]) summary.bad.push_back({some[0], some[1]});
  summary.first_bad = perhaps_in(json[4], note_in);
  summary.first_huge = perhaps_in(json[5], note_in);
  summary.first_block =
      perhaps_in(json[6], [](const Json& block) { return ListSummary::FirstBlock{block[0], block[1]}; });
  summary.failure = perhaps_in(json[7], [](const Json& failure) {
    return ListSummary::Failure{failure[0], failure[1], failure[2], failure[3]};
  });
  summary.all_integers = json[8];
  return summary;
}

ListSummary summary_of_all(const Job& job, const ListSummary& here) {
  ListSummary all;
  for (const auto& bytes : job.collect(Json::to_cbor(summary_json(here))))
    all.add(summary_in(Json::from_cbor(bytes)));
  return all;
}

// The list of the first process; `list` is null in the others.
NodeList shared_integers(const Job& job, const NodeList* list) {
  std::uint64_t size = list != nullptr ? list->size() : 0;
  job.share(std::span(&size, 1));
  std::vector<std::int64_t> ids(size);
  for (std::uint64_t i = 0; list != nullptr && i < size; ++i) ids[i] = list->integer(static_cast<Node>(i));
  job.share(std::span(ids));
  return NodeList::integers(std::move(ids));
}

NodeList shared_names(const Job& job, const NodeList* list) {
  std::vector<std::string> names;
  for (std::uint64_t i = 0; list != nullptr && i < list->size(); ++i)
    names.push_back(list->name(static_cast<Node>(i)));
  std::vector<std::uint8_t> bytes = Json::to_cbor(names);
  job.share(bytes);
  return NodeList::names(Json::from_cbor(bytes).get<std::vector<std::string>>());
}

void share_nodes(const Job& job, std::optional<NodeList>& nodes) {
  enum Kind : std::uint8_t { none, integers, names };
  Kind kind = !nodes ? none : nodes->are_integers() ? integers : names;
  job.share(std::span(&kind, 1));
  const NodeList* const list = nodes ? &*nodes : nullptr;
  if (kind == integers) nodes = shared_integers(job, list);
  if (kind == names) nodes = shared_names(job, list);
}

std::uint64_t size_of_file(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace

std::unique_ptr<LineBlocks> ImportTask::begin(std::size_t processes) {
  parts.check();
  auto lines = find_start(parts, parts.open_edge_list(0, options.format), options, start);
  std::vector<std::uint64_t> sizes(parts.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = size_of_file(parts[i]);
  reader = deal_files(sizes, processes, start.part);
  return lines;
}

Json ImportTask::json() const {
  Json paths = Json::array();
  for (std::size_t i = 0; i < parts.size(); ++i) paths.push_back(parts[i].string());
  return {paths, options_json(options), start_json(start), reader};
}

ImportTask ImportTask::from(const Json& json) {
  const auto names = json[0].get<std::vector<std::string>>();
  return {TextParts({names.begin(), names.end()}), options_in(json[1]), start_in(json[2]), json[3]};
}

ImportedPart::ImportedPart(const Job& job, ImportTask task, std::unique_ptr<LineBlocks> begun,
                           const Progress& progress)
    : job_(job) {
  share_nodes(job, task.options.nodes);
  Collected collected = collect(task, std::move(begun), progress);
  if (progress) progress("sorting across processes", -1);
  give_memory_back();
  report_ = std::move(collected.report);
  report_.lines = job.sum(collected.edges.added());
  ids_ = task.options.nodes ? ids_of_list(job, *task.options.nodes)
                            : number_ids(job, std::exchange(collected.nodes, NodeList()));
  give_memory_back();
  std::vector<std::uint64_t> edges = sorted_edges(std::move(collected.edges));
  give_memory_back();
  report_.edges = job.sum(edges.size());
  report_.duplicates = report_.lines - report_.edges - report_.self_loops;
  job.each([&] { check_has_edges(report_, task.parts, task.options); });
  rows_ = rows_of_edges(job, ids_.nodes, std::move(edges));
  sizes_ = section_sizes(job, sections());
}

Collected ImportedPart::collect(const ImportTask& task, std::unique_ptr<LineBlocks> begun,
                                const Progress& progress) {
  EdgeListReader reader(task.parts, task.options, task.start);
  job_.each([&] {
    const Phase phase("reading texts");
    const auto me = static_cast<std::size_t>(job_.number());
    for (std::size_t part = task.start.part; part < task.parts.size(); ++part)
      if (task.reader[part] == me && !reader.try_to_read(part, std::exchange(begun, nullptr), progress))
        break;
  });
  const ListSummary all = summary_of_all(job_, reader.summary());
  Collected collected;
  job_.each([&] {
    reader.check(all);
    collected = reader.finish(all, job_.is_first());
  });
  return collected;
}

// Each once, in the process of its range. What is left of self-loops and repeats is counted.
std::vector<std::uint64_t> ImportedPart::sorted_edges(EdgeHeap heap) {
  const Phase phase("sorting edges across processes");
  EdgePieces pieces = std::move(heap.pieces());
  std::uint64_t loops = heap.dropped().self_loops;
  for (auto& piece : pieces) loops += std::erase_if(piece, [](const EdgeOfNodes& e) { return e.u == e.v; });
  report_.self_loops = job_.sum(loops);
  const auto node = [&](Node local) { return ids_.node_of.empty() ? local : ids_.node_of[local]; };
  std::vector<std::uint64_t> edges = sort_across(job_, std::move(pieces), [&](const EdgeOfNodes& edge) {
    const auto [u, v] = std::minmax({node(edge.u), node(edge.v)});
    return std::uint64_t{u} << 32 | v;
  });
  const auto repeats = std::ranges::unique(edges);
  edges.erase(repeats.begin(), repeats.end());
  edges.shrink_to_fit();
  std::vector<Node>().swap(ids_.node_of);
  return edges;
}

SectionParts ImportedPart::sections() const {
  return {std::as_bytes(std::span(rows_.offsets)),     std::as_bytes(std::span(rows_.neighbors)),
          std::as_bytes(std::span(rows_.node_of_row)), std::as_bytes(std::span(rows_.row_of_node)),
          std::as_bytes(std::span(ids_.ids)),          std::as_bytes(std::span(ids_.text))};
}

GraphShape ImportedPart::shape(const PublicFacts& facts) const {
  return {flags_of(facts, ids_.integers), facts.nodes, report_.edges, facts.max_edges, sizes_};
}

std::vector<Sha256> ImportedPart::save(const OpenedAs& file, graph_file::Header header) const {
  job_.share(std::span(&header, 1));
  return write_parts(job_, sections(), header, file);
}

}  // namespace hushwalk
