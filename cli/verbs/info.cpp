#include <filesystem>
#include <memory>

#include "verbs.h"

namespace hushwalk::cli {
namespace {

std::string to_text(const Graph& graph, const GraphStatistics& s, std::optional<std::uintmax_t> file_size) {
  const PublicFacts& facts = graph.facts();
  std::string text = "Exact, not private: for the custodian of the graph only.\n\n";
  const auto row = [&](std::string_view name, const auto& value) {
    text += fmt::format("{:<20}{}\n", name, value);
  };
  row("nodes", fmt::format("{} ({} list, {} ids)", s.nodes, facts.nodes_declared ? "declared" : "collected",
                           graph.node_list().are_integers() ? "integer" : "text"));
  row("edges", s.edges);
  row("max_edges",
      fmt::format("{} ({})", facts.max_edges, facts.max_edges_declared ? "declared" : "all pairs"));
  row("degree", fmt::format("min {}, median {}, 90 % {}, 99 % {}, max {}; mean {:.2f}", s.min_degree,
                            s.median_degree, s.p90_degree, s.p99_degree, s.max_degree, s.mean_degree));
  row("isolated nodes", s.isolated);
  row("components", fmt::format("{}, the largest with {} nodes", s.components, s.largest_component));
  row("clustering", fmt::format("{:.4f} mean local, {:.4f} of all wedges ({})", s.clustering, s.transitivity,
                                s.sampled ? "sampled" : "exact"));
  if (file_size) row("file size", fmt::format("{} bytes", *file_size));
  row("graph id", facts.graph_id);
  text += "\n     degree      nodes\n";
  for (const DegreeBin& bin : s.degrees)
    text += fmt::format(
        "{:>11} {:>10}\n",
        bin.from == bin.to ? fmt::format("{}", bin.from) : fmt::format("{}-{}", bin.from, bin.to), bin.nodes);
  return text;
}

// Everything in a graph file is looked at, and its notes say when.
std::optional<GraphNotes> checked(const std::string& path, const Graph& graph) {
  graph.check();
  static_cast<void>(graph.secret_digest());
  std::optional<GraphNotes> notes = read_notes(path, graph);
  if (!notes) return {};
  notes->checked = time_now();
  try {
    write_notes(path, graph, *notes);
  } catch (const Error& error) {  // a folder that cannot be written
    notice("when the file was checked is not noted: {}", error.what());
  }
  return notes;
}

std::string notes_text(const std::optional<GraphNotes>& notes) {
  if (!notes) return "";
  const std::string made =
      notes->source.empty() ? "" : fmt::format("{}, on {}; ", notes->source, notes->written);
  return fmt::format(
      "\n{}last checked on {}.{}\n", made, notes->checked,
      notes->ledger.empty() ? "" : " Answers are counted by the ledger " + notes->ledger + ".");
}

// Of all parts, where it is a folder of them.
std::optional<std::uintmax_t> size_of(const std::filesystem::path& path) {
  std::error_code none;  // standard input has no size
  if (std::filesystem::is_regular_file(path, none)) return std::filesystem::file_size(path, none);
  if (!std::filesystem::is_directory(path, none)) return {};
  std::uintmax_t sum = 0;
  for (const auto& part : std::filesystem::directory_iterator(path, none)) sum += part.file_size(none);
  return sum;
}

void run(const std::string& path, const Common& common) {
  const auto [graph, report] = open_with_advice(path, progress_bar());
  const auto notes = report.lasting ? checked(path, graph) : std::nullopt;
  const GraphStatistics s = statistics(graph);
  const auto file_size = size_of(path);
  common.json ? print_json(statistics_json(graph, s, file_size, notes))
              : print_text(to_text(graph, s, file_size) + notes_text(notes));
}

}  // namespace

void add_info(CLI::App& app, Common& common) {
  const auto path = std::make_shared<std::string>();
  add_verb(app, common, "info", "Show what a graph looks like (exact, not private)",
           "hushwalk info friends.hwg", [path, &common] { run(*path, common); })
      ->add_option("graph", *path, "A graph file, or a text edge list")
      ->required()
      ->type_name("G");
}

}  // namespace hushwalk::cli
