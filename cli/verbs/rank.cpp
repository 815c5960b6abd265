#include <algorithm>
#include <functional>
#include <memory>

#include "rank_flags.h"
#include "ranking_writer.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

using Flags = RankFlags;

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
  std::function<std::vector<PrivateScores>(std::size_t first, std::span<const SeedVector>, const Progress&)>
      scores;
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
  answers.scores = [diffusion, graph](std::size_t, std::span<const SeedVector> seeds,
                                      const Progress& progress) {
    std::vector<PrivateScores> result;
    for (auto& scores : diffuse(graph, diffusion, seeds, {}, progress)) result.push_back({std::move(scores)});
    return result;
  };
  return answers;
}

RankingHead private_head(const Flags& flags, const Plan& plan, CertificateContext context) {
  context.public_candidates = flags.candidates.has_value();
  RankingHead head;
  head.document = {{"private", true}, {"certificate", Json::parse(certificate_json(plan, context))}};
  head.words = certificate_text(plan, context);
  return head;
}

Answers shared_answers(const Flags& flags, const Graph& graph, const std::vector<SeedVector>& seeds) {
  const auto artefact = std::make_shared<const SharedArtefact>(*flags.open_artefact());
  const Plan plan = artefact->plan_for(public_facts(graph), flags.request(seeds, artefact.get()));
  CertificateContext context = artefact->context();
  if (plan.scope == Scope::personalized) context.audience.clear();  // the seed's owner
  return {[artefact, plan, graph](std::size_t, std::span<const SeedVector> part, const Progress&) {
            return artefact->answer(plan, graph, part);
          },
          private_head(flags, plan, context)};
}

Answers private_answers(const Flags& flags, const Graph& graph, const std::vector<SeedVector>& seeds,
                        const Progress& progress) {
  const Plan plan = make_plan(public_facts(graph), flags.request(seeds, nullptr));
  notice(no_ledger);
  const auto ranker = std::make_shared<PrivateRanker>(plan, graph, progress);
  return {[ranker](std::size_t, std::span<const SeedVector> part, const Progress& each) {
            return ranker->answer(part, each);
          },
          private_head(flags, plan, {.artefact = ranker->artefact()})};
}

// Charged, computed and stored when this returns; what is shown comes from the store.
Answers ledger_answers(const Flags& flags, const Graph& graph, const std::vector<SeedVector>& seeds,
                       const Progress& progress) {
  Ledger ledger(*flags.ledger.ledger);
  const auto artefact = flags.open_artefact();
  if (artefact) check_charged(ledger, public_facts(graph), *artefact);
  const LedgerRequest request =
      flags.ledger.request(flags.request(seeds, artefact ? &*artefact : nullptr), seeds);
  const auto held = std::make_shared<Ledger>(std::move(ledger));
  const auto ranker = std::make_shared<const LedgerRanker>(*held, graph, request, progress);
  say_charged(ranker->charged());
  const auto [certificate, words] = ranker->certificate({.public_candidates = flags.candidates.has_value()});
  Answers answers;
  answers.head.document = {{"private", true}, {"certificate", Json::parse(certificate)}};
  answers.head.words = words;
  answers.scores = [held, ranker](std::size_t first, std::span<const SeedVector> part, const Progress&) {
    std::vector<PrivateScores> scores;
    for (std::size_t i = 0; i < part.size(); ++i) scores.push_back(ranker->answer(first + i));
    return scores;
  };
  return answers;
}

Answers make_answers(const Flags& flags, const Graph& graph, const std::vector<SeedVector>& seeds,
                     const Progress& progress) {
  if (flags.exact) return exact_answers(flags, graph);
  if (flags.ledger.ledger) return ledger_answers(flags, graph, seeds, progress);
  return flags.shared ? shared_answers(flags, graph, seeds) : private_answers(flags, graph, seeds, progress);
}

std::vector<RankedRow> rows(const PrivateScores& scores, std::span<const Ranked> top, bool exact) {
  std::vector<RankedRow> result;
  for (const Ranked& entry : top)
    result.push_back({entry.node, entry.score, exact ? std::nullopt : scores.error(entry.node)});
  return result;
}

void put_certificate_beside(const Flags& flags, const RankingHead& head) {
  if (!flags.output) return notice("{}", head.words);
  const std::string path = certificate_beside(*flags.output);
  OutputFile certificate(path, FileKind::text, flags.permissions);
  certificate.write(head.document.at("certificate").dump(2) + "\n");
  certificate.commit();
  notice("the certificate is in '{}'", path);
}

void run(const Flags& flags, const Common& common) {
  flags.check(common);
  if (!flags.exact) refuse_several_processes();
  const Progress progress = progress_bar();
  const Graph graph = flags.ledger.ledger ? open_lasting_graph(flags.graph, progress)
                                          : open_graph_saying(flags.graph, progress);
  const std::vector<SeedVector> seeds = flags.seeds.find(graph);
  std::optional<std::vector<Node>> candidates;
  if (flags.candidates) candidates = read_nodes(*flags.candidates, graph.node_list());

  std::optional<OutputFile> file;
  if (flags.output) file.emplace(*flags.output, FileKind::text, flags.permissions);
  const auto write = [&](const std::string& text) { file ? file->write(text) : print_out(text); };
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  Answers answers = make_answers(flags, graph, seeds, progress);
  answers.head.seed_sets = flags.seeds.seed_set.has_value();
  const auto writer = make_ranking_writer(format, graph.node_list(), answers.head);

  const std::uint64_t top = flags.full ? graph.nodes() : flags.top.value_or(10);
  const std::size_t portion = portion_size(graph, flags.exact);
  for (std::size_t first = 0; first < seeds.size(); first += portion) {
    const auto part = std::span(seeds).subspan(first, std::min(portion, seeds.size() - first));
    const auto scores = answers.scores(first, part, [&](std::string_view stage, double fraction) {
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
  if (format == "csv" && !flags.exact) put_certificate_beside(flags, answers.head);
  if (file) file->commit();
}

}  // namespace

void add_rank(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(app, common, "rank", "Rank the nodes that matter most to a node",
                                  "hushwalk rank friends.hwg --seed 17 --epsilon 1 --top 10",
                                  [flags, &common] { run(*flags, common); });
  flags->add_to(*verb);
}

}  // namespace hushwalk::cli
