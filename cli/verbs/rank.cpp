#include <algorithm>
#include <functional>
#include <memory>

#include "ranking_writer.h"
#include "release_flags.h"
#include "seed_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string graph;
  SeedFlags seeds;
  std::optional<std::string> candidates, output, format, shared;
  bool exact = false, exclude_neighbors = false, full = false;
  std::optional<std::uint64_t> top;
  ReleaseFlags release;
};

void check(const Flags& flags, const Common& common) {
  const int ways = flags.seeds.ways();
  if (ways == 0) usage_error("say whose ranking you want: --seed V, --seeds-file F, --all or --seed-set F");
  if (ways > 1) usage_error("give only one of --seed, --seeds-file, --all and --seed-set");
  if (flags.exact && flags.release.any_private())
    usage_error("--exact is the answer without privacy; it takes no --epsilon, --mechanism or other noise");
  if (flags.shared && (flags.exact || flags.release.any_private()))
    usage_error(
        "--shared uses an artefact whose privacy is fixed; it takes no --exact, --epsilon or --mechanism");
  if (!flags.exact && !flags.shared && !flags.release.epsilon)
    usage_error(
        "say how private the answer must be: --epsilon E, for example --epsilon 1; or --shared S to use an "
        "artefact, or --exact for the answer that is NOT private");
  if (flags.exclude_neighbors && !flags.exact && flags.release.scope == "edge")
    throw Error(ErrorCode::refused, excludes_neighbors_in_edge_scope);
  if (flags.full && flags.top) usage_error("give --top or --full, not both");
  if (flags.top == 0U) usage_error("--top must be at least 1");
  if (common.json && flags.format.value_or("json") != "json")
    usage_error(fmt::format("--json contradicts --format {}", *flags.format));
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

// Seeds are answered in portions whose numbers and scores take about 256 MB; exact ones never in fewer than a
// batch of the kernel.
std::size_t portion_size(const Graph& graph, bool exact) {
  constexpr std::uint64_t columns = 3;  // a score, and up to two released numbers
  const std::uint64_t fit =
      (std::uint64_t{1} << 28) / (columns * sizeof(double) * std::max<std::uint64_t>(graph.nodes(), 1));
  return exact ? std::clamp<std::uint64_t>(fit / 16 * 16, 16, 1024) : std::clamp<std::uint64_t>(fit, 1, 1024);
}

// Where the scores of a portion of seeds come from, and what is said of them.
struct Answers {
  std::function<std::vector<PrivateScores>(std::span<const SeedVector>, const Progress&)> scores;
  RankingHead head;
};

Answers exact_answers(const Flags& flags, const Graph& graph) {
  const Diffusion diffusion = flags.release.diffusion.make();
  notice("exact answer, NOT private: it depends on secret edges and is for the custodian only");
  Answers answers;
  answers.head.exact = true;
  answers.head.document = {{"private", false},
                           {"certificate", nullptr},
                           {"diffusion", diffusion_json(flags.release.diffusion, diffusion)}};
  answers.scores = [diffusion, graph](std::span<const SeedVector> seeds, const Progress& progress) {
    std::vector<PrivateScores> result;
    for (auto& scores : diffuse(graph, diffusion, seeds, {}, progress)) result.push_back({std::move(scores)});
    return result;
  };
  return answers;
}

RankingHead private_head(const Flags& flags, const Plan& plan) {
  const CertificateContext context{.public_candidates = flags.candidates.has_value()};
  RankingHead head;
  head.document = {{"private", true}, {"certificate", Json::parse(certificate_json(plan, context))}};
  head.words = certificate_text(plan, context);
  return head;
}

Answers private_answers(const Flags& flags, const Graph& graph, ReleaseRequest request,
                        const Progress& progress) {
  if (flags.shared) {
    const auto artefact = std::make_shared<const SharedArtefact>(SharedArtefact::open(*flags.shared));
    const Plan plan = artefact->plan_for(public_facts(graph), request);
    return {[artefact, plan, graph](std::span<const SeedVector> seeds, const Progress&) {
              return artefact->answer(plan, graph, seeds);
            },
            private_head(flags, plan)};
  }
  const Plan plan = make_plan(public_facts(graph), request);
  notice("no ledger: nobody is keeping count of what this graph has given away");
  const auto ranker = std::make_shared<PrivateRanker>(plan, graph, progress);
  return {[ranker](std::span<const SeedVector> seeds, const Progress& each) {
            return ranker->answer(seeds, each);
          },
          private_head(flags, plan)};
}

Answers make_answers(const Flags& flags, const Graph& graph, const std::vector<SeedVector>& seeds,
                     const Progress& progress) {
  if (flags.exact) return exact_answers(flags, graph);
  ReleaseRequest request;
  if (flags.shared) {
    request.scope = parsed_scope(flags.release.scope);
    request.diffusion = flags.release.diffusion.make();
  } else {
    request = flags.release.request();
  }
  request.rankings = seeds.size();
  for (const SeedVector& seed : seeds)
    request.seeds_per_ranking = std::max<std::uint64_t>(request.seeds_per_ranking, seed.entries().size());
  return private_answers(flags, graph, request, progress);
}

std::vector<RankedRow> rows(const PrivateScores& scores, std::span<const Ranked> top, bool exact) {
  std::vector<RankedRow> result;
  for (const Ranked& entry : top)
    result.push_back(
        {entry.node, entry.score, exact ? std::nullopt : std::optional(scores.error(entry.node))});
  return result;
}

// A CSV file has no place for it.
void put_certificate_beside(const std::optional<std::string>& output, const RankingHead& head) {
  if (!output) return notice("{}", head.words);
  const std::string path = *output + ".certificate.json";
  OutputFile certificate(path);
  certificate.write(head.document.at("certificate").dump(2) + "\n");
  certificate.commit();
  notice("the certificate is in '{}'", path);
}

void run(const Flags& flags, const Common& common) {
  check(flags, common);
  check_inputs({flags.graph, flags.seeds.seeds_file.value_or(""), flags.seeds.seed_set.value_or(""),
                flags.candidates.value_or(""), flags.shared.value_or(""),
                flags.release.diffusion.coefficients.value_or("")},
               flags.output);
  if (!flags.exact && !flags.shared) static_cast<void>(flags.release.request());  // before the graph is read
  const Progress progress = progress_bar();
  const Graph graph = open_graph_saying(flags.graph, progress);
  const std::vector<SeedVector> seeds = flags.seeds.find(graph);
  std::optional<std::vector<Node>> candidates;
  if (flags.candidates) candidates = read_nodes(*flags.candidates, graph.node_list());

  std::optional<OutputFile> file;
  if (flags.output) file.emplace(*flags.output);
  const auto write = [&](const std::string& text) { file ? file->write(text) : print_out(text); };
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  Answers answers = make_answers(flags, graph, seeds, progress);
  answers.head.seed_sets = flags.seeds.seed_set.has_value();
  const auto writer = make_ranking_writer(format, graph.node_list(), answers.head);

  const std::uint64_t top = flags.full ? graph.nodes() : flags.top.value_or(10);
  const std::size_t portion = portion_size(graph, flags.exact);
  for (std::size_t first = 0; first < seeds.size(); first += portion) {
    const auto part = std::span(seeds).subspan(first, std::min(portion, seeds.size() - first));
    const auto scores = answers.scores(part, [&](std::string_view stage, double fraction) {
      const double done = static_cast<double>(first) + fraction * static_cast<double>(part.size());
      if (progress) progress(stage, done / static_cast<double>(seeds.size()));
    });
    if (first == 0) write(writer->begin());  // nothing is printed before there is an answer
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto best = top_k(scores[i].scores, top, excluded_nodes(flags, graph, part[i]), candidates);
      write(writer->ranking(part[i], rows(scores[i], best, flags.exact)));
    }
  }
  write(writer->end());
  if (format == "csv" && !flags.exact) put_certificate_beside(flags.output, answers.head);
  if (file) file->commit();
}

}  // namespace

void add_rank(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(app, common, "rank", "Rank the nodes that matter most to a node",
                                  "hushwalk rank friends.hwg --seed 17 --epsilon 1 --top 10",
                                  [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file, or a text edge list")->required()->type_name("G");
  verb->add_flag("--exact", flags->exact, "The exact answer, which is not private");
  flags->seeds.add_to(*verb);
  flags->release.add_to(*verb);
  verb->add_option("--shared", flags->shared, "Answer from this artefact of `share`, at no further cost")
      ->type_name("S");
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
