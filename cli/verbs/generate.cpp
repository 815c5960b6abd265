#include <memory>

#include "suggest.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string kind, output;
  std::optional<std::uint64_t> nodes, edges;
  GenerateOptions options;
  Permissions permissions;
};

void run(Flags flags, const Common& common) {
  if (flags.nodes == 0U || flags.edges == 0U) usage_error("--nodes and --edges must be at least 1");
  std::vector<std::string> kinds;
  for (const GraphKind& kind : graph_kinds()) kinds.emplace_back(kind.name);
  check_name("kind of graph", flags.kind, kinds);
  flags.options.nodes = flags.nodes.value_or(0);
  flags.options.edges = flags.edges.value_or(0);
  check_inputs({}, flags.output, FileKind::graph);
  const Graph graph = generate(flags.kind, flags.options, progress_bar());
  const std::string of_ledger =
      save_with_notes(graph, flags.output, "generated: " + flags.kind, flags.permissions);
  if (!of_ledger.empty()) notice("{}", of_ledger);
  if (common.json)
    print_json(graph_json(graph));
  else
    print_text(fmt::format("{}: {} nodes, {} edges\n", flags.output, graph.nodes(), graph.secret_edges()));
}

std::string kinds_text() {
  std::string text = "Kinds:\n";
  for (const GraphKind& kind : graph_kinds())
    text += fmt::format("  {:<18} {}\n", kind.name, kind.description);
  return text;
}

}  // namespace

void add_generate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(app, common, "generate", "Make a graph from a model",
                                  "hushwalk generate blogcatalog-like -o b.hwg\n\n" + kinds_text(),
                                  [flags, &common] { run(*flags, common); });
  verb->add_option("kind", flags->kind, "One of the kinds below")->required()->type_name("KIND");
  verb->add_option("-o,--output", flags->output, "The graph file to write")->required()->type_name("G");
  add_mode(*verb, flags->permissions);
  add_count(*verb, "--nodes", flags->nodes, "How many nodes (default: the kind's own)")->type_name("N");
  add_count(*verb, "--edges", flags->edges, "How many edges (default: the kind's own)")->type_name("M");
  add_count(*verb, "--random-seed", flags->options.random_seed, "Equal seeds make equal graphs (default: 1)")
      ->type_name("S");
}

}  // namespace hushwalk::cli
