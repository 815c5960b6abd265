#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "diffusion_flags.h"
#include "ranking_writer.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string graph;
  std::vector<std::string> seeds;
  std::optional<std::string> seeds_file, seed_set, candidates, output, format;
  bool all = false, exact = false, exclude_neighbors = false, full = false;
  std::optional<std::uint64_t> top;
  DiffusionFlags diffusion;
};

void check(const Flags& flags, const Common& common) {
  const int ways =
      !flags.seeds.empty() + flags.seeds_file.has_value() + flags.all + flags.seed_set.has_value();
  if (ways == 0) usage_error("say whose ranking you want: --seed V, --seeds-file F, --all or --seed-set F");
  if (ways > 1) usage_error("give only one of --seed, --seeds-file, --all and --seed-set");
  if (!flags.exact)
    usage_error("private rankings are not in this version yet; --exact gives the answer that is NOT private");
  if (flags.full && flags.top) usage_error("give --top or --full, not both");
  if (flags.top == 0U) usage_error("--top must be at least 1");
  if (common.json && flags.format.value_or("json") != "json")
    usage_error(fmt::format("--json contradicts --format {}", *flags.format));
}

std::vector<SeedVector> find_seeds(const Flags& flags, const Graph& graph) {
  if (flags.seed_set) return {SeedVector::weighted(read_weighted_nodes(*flags.seed_set, graph.node_list()))};
  std::vector<Node> nodes;
  if (flags.seeds_file) nodes = read_nodes(*flags.seeds_file, graph.node_list());
  for (const std::string& id : flags.seeds) nodes.push_back(find_node(graph, id));
  if (flags.all) {
    nodes.resize(graph.nodes());
    std::iota(nodes.begin(), nodes.end(), Node{0});
  }
  std::vector<SeedVector> seeds;
  std::unordered_set<Node> seen;
  for (const Node node : nodes)
    if (seen.insert(node).second) seeds.emplace_back(node);
  return seeds;
}

std::vector<Node> excluded_nodes(const Flags& flags, const Graph& graph, const SeedVector& seed) {
  std::vector<Node> excluded;
  for (const auto& [node, weight] : seed.entries()) {
    excluded.push_back(node);
    if (!flags.exclude_neighbors) continue;
    const auto neighbors = graph.neighbors(node);
    excluded.insert(excluded.end(), neighbors.begin(), neighbors.end());
  }
  return excluded;
}

// Seeds are diffused in portions whose scores take about 256 MB, and never fewer than a batch of the kernel.
std::size_t portion_size(const Graph& graph) {
  const std::uint64_t fit =
      (std::uint64_t{1} << 28) / (sizeof(double) * std::max<std::uint64_t>(graph.nodes(), 1));
  return std::clamp<std::uint64_t>(fit / 16 * 16, 16, 1024);
}

void run(const Flags& flags, const Common& common) {
  check(flags, common);
  check_inputs({flags.graph, flags.seeds_file.value_or(""), flags.seed_set.value_or(""),
                flags.candidates.value_or(""), flags.diffusion.coefficients.value_or("")},
               flags.output);
  const Diffusion diffusion = flags.diffusion.make();
  const Progress progress = progress_bar();
  const Graph graph = open_graph_saying(flags.graph, progress);
  const std::vector<SeedVector> seeds = find_seeds(flags, graph);
  std::optional<std::vector<Node>> candidates;
  if (flags.candidates) candidates = read_nodes(*flags.candidates, graph.node_list());

  std::optional<OutputFile> file;
  if (flags.output) file.emplace(*flags.output);
  const auto write = [&](const std::string& text) { file ? file->write(text) : print_out(text); };
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  const auto writer = make_ranking_writer(format, graph.node_list(), flags.seed_set.has_value(),
                                          {{"private", false},
                                           {"certificate", nullptr},
                                           {"diffusion", diffusion_json(flags.diffusion, diffusion)}});
  notice("exact answer, NOT private: it depends on secret edges and is for the custodian only");

  const std::uint64_t top = flags.full ? graph.nodes() : flags.top.value_or(10);
  const std::size_t portion = portion_size(graph);
  for (std::size_t first = 0; first < seeds.size(); first += portion) {
    const auto part = std::span(seeds).subspan(first, std::min(portion, seeds.size() - first));
    const auto scores = diffuse(graph, diffusion, part, {}, [&](std::string_view stage, double fraction) {
      const double done = static_cast<double>(first) + fraction * static_cast<double>(part.size());
      if (progress) progress(stage, done / static_cast<double>(seeds.size()));
    });
    if (first == 0) write(writer->begin());  // nothing is printed before there is an answer
    for (std::size_t i = 0; i < part.size(); ++i)
      write(
          writer->ranking(part[i], top_k(scores[i], top, excluded_nodes(flags, graph, part[i]), candidates)));
  }
  write(writer->end());
  if (file) file->commit();
}

}  // namespace

void add_rank(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(app, common, "rank", "Rank the nodes that matter most to a node",
                                  "hushwalk rank friends.hwg --seed 17 --exact --top 10",
                                  [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file, or a text edge list")->required()->type_name("G");
  verb->add_flag("--exact", flags->exact, "The exact answer, which is not private");
  verb->add_option("--seed", flags->seeds, "Whose ranking; repeat it for one ranking each")
      ->type_name("V")
      ->allow_extra_args(false);
  verb->add_option("--seeds-file", flags->seeds_file, "One ranking for each id in the file")
      ->type_name("FILE");
  verb->add_flag("--all", flags->all, "One ranking for each node");
  verb->add_option("--seed-set", flags->seed_set,
                   "One ranking for all ids in the file together, weights optional")
      ->type_name("FILE");
  flags->diffusion.add_to(*verb);
  add_count(*verb, "--top", flags->top, "How many nodes to list (default: 10)")->type_name("K");
  verb->add_flag("--full", flags->full, "List all nodes");
  verb->add_flag("--exclude-neighbors", flags->exclude_neighbors, "Leave out the seed's own neighbours");
  verb->add_option("--candidates", flags->candidates, "List only nodes whose ids are in the file")
      ->type_name("FILE");
  verb->add_option("--format", flags->format, "table, csv or json (default: table)")
      ->check(CLI::IsMember({"table", "csv", "json"}).description(""))
      ->type_name("NAME");
  verb->add_option("-o,--output", flags->output, "Write to this file instead of standard output")
      ->type_name("FILE");
}

}  // namespace hushwalk::cli
