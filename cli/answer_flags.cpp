#include "answer_flags.h"

#include <numeric>

#include "spread.h"
#include "tables.h"

namespace hushwalk::cli {

void SeedFlags::add_to(CLI::App& verb) {
  verb.add_option("--seed", seeds, "Whose ranking; repeat it for one ranking each")
      ->type_name("V")
      ->allow_extra_args(false);
  verb.add_option("--seeds-file", seeds_file, "One ranking for each id in the file")->type_name("FILE");
  verb.add_flag("--all", all, "One ranking for each node; the file is for the custodian to hand out");
  verb.add_option("--seed-set", seed_set, "One ranking for all ids in the file together, weights optional")
      ->type_name("FILE");
}

int SeedFlags::ways() const {
  return static_cast<int>(!seeds.empty()) + static_cast<int>(seeds_file.has_value()) + static_cast<int>(all) +
         static_cast<int>(seed_set.has_value());
}

void SeedFlags::check() const {
  if (ways() > 1) usage_error("give only one of --seed, --seeds-file, --all and --seed-set");
}

std::vector<SeedVector> SeedFlags::find(const Graph& graph) const {
  if (seed_set) return {SeedVector::weighted(read_weighted_nodes(*seed_set, graph.node_list()))};
  std::vector<Node> nodes;
  if (seeds_file) nodes = read_nodes(*seeds_file, graph.node_list());
  for (const std::string& id : seeds) nodes.push_back(find_node(graph, id));
  if (all) {
    nodes.resize(graph.nodes());
    std::iota(nodes.begin(), nodes.end(), Node{0});
  }
  return {nodes.begin(), nodes.end()};
}

void add_key(CLI::App& verb, std::optional<std::string>& key) {
  verb.add_option("--key", key, "The key of the ledger (default: $HUSHWALK_KEY, or L.key beside it)")
      ->envname("HUSHWALK_KEY")
      ->type_name("FILE");
}

void add_signing_key(CLI::App& verb, std::optional<std::string>& key) {
  verb.add_option("--signing-key", key,
                  "Sign the certificate with this key of `keys new` (default: $HUSHWALK_SIGNING_KEY)")
      ->envname("HUSHWALK_SIGNING_KEY")
      ->type_name("FILE");
}

void AudienceFlags::add_to(CLI::App& verb) {
  verb.add_option("--ledger", ledger,
                  "Charge this ledger, and answer a repeated question from it (default: $HUSHWALK_LEDGER)")
      ->envname("HUSHWALK_LEDGER")
      ->type_name("L");
  add_key(verb, key);
  verb.add_option(
          "--recipient", audience.recipient,
          "Under a ledger: who gets the answer (default: the owner of the seed; in edge scope nobody, and a ledger with a budget for each recipient then wants this or --publish)")
      ->type_name("NAME");
  verb.add_flag("--publish", audience.publish,
                "Under a ledger, in edge scope: for anyone, charged to everybody's own budget");
}

Audience AudienceFlags::open() const {
  Audience opened = audience;
  if (ledger) opened.ledger = std::make_shared<Ledger>(*ledger, key.value_or(""));
  return opened;
}

std::string payments_words(const LedgerQuote::Books& books) {
  if (books.payments.empty()) return "";
  if (books.payments.size() > 1) return fmt::format(" and to {} recipients' own", books.payments.size());
  const auto& [recipient, epsilon, published] = books.payments.front();
  if (published) return fmt::format(" and {} to everybody's own", spent_text(epsilon));
  return recipient.empty() ? "" : fmt::format(" and {} to '{}'", spent_text(epsilon), recipient);
}

void say_charged(const std::optional<LedgerQuote>& quote) {
  if (!quote) return;
  const LedgerQuote::Books& books = quote->for_custodian;
  const std::string spent =
      fmt::format("epsilon = {} {} is spent", spent_text(books.total.spent), of_limit(books.total));
  if (books.epsilon == 0)
    return notice("ledger: nothing charged to the total{}, {}", payments_words(books), spent);
  notice("ledger: charged {} to the total for {} new release{}{}, {}", spent_text(books.epsilon),
         books.new_releases, books.new_releases == 1 ? "" : "s", payments_words(books), spent);
}

void AnswerFlags::add_to(CLI::App& verb) {
  verb.add_option("graph", graph, "A graph file, or a text edge list")->required()->type_name("G");
  verb.add_flag("--exact", exact, "The exact answer, which is not private");
  seeds.add_to(verb);
  release.add_to(verb);
  verb.add_option("--shared", shared, "Answer from this artefact of `share`, at no further cost")
      ->type_name("S");
  audience.add_to(verb);
  add_signing_key(verb, signing_key);
  add_count(verb, "--top", top, "How many nodes to list (default: 10)")->type_name("K");
  verb.add_flag("--full", full, "List all nodes");
  verb.add_flag("--exclude-neighbors", exclude_neighbors, "Leave out the seed's own neighbours");
  verb.add_option("--candidates", candidates, "List only nodes whose ids are in the file")->type_name("FILE");
  add_format(verb, format, {"table", "csv", "json", "jsonl"});
  add_output(verb, output);
  verb.add_option("--output-dir", output_dir,
                  "One JSON file for each ranking, with its certificate, for its recipient alone")
      ->type_name("DIR");
  verb.add_flag(
      "--resume", resume,
      "Go on where the same command was stopped; needs --ledger or --shared, and -o with --format jsonl or csv, or --output-dir");
  verb.add_flag("--certificate", certificate, "Print the whole certificate after a table, not three lines");
  add_mode(verb, permissions);
}

std::vector<std::string> AnswerFlags::inputs() const {
  return {graph,
          seeds.seeds_file.value_or(""),
          seeds.seed_set.value_or(""),
          candidates.value_or(""),
          shared.value_or(""),
          audience.ledger.value_or(""),
          release.diffusion.coefficients.value_or("")};
}

AnswerRequest AnswerFlags::checked(const Common& common) const {
  if (!seeds.any())
    usage_error("say whose ranking you want: --seed V, --seeds-file F, --all or --seed-set F");
  seeds.check();
  check_privacy({release.has_epsilon(), exact, shared.has_value(),
                 "; or `shared S` to use an artefact, or `exact` for the answer that is NOT private"},
                release.given());
  if (full && top) usage_error("give --top or --full, not both");
  check_format(common, format);
  if (output_dir && (output || format.value_or("json") != "json"))
    usage_error("--output-dir writes a JSON file for each ranking; leave out {}", output ? "-o" : "--format");
  const bool lines = output && *output != "-" && (format == "jsonl" || format == "csv");
  if (resume && !output_dir && !lines)
    usage_error("--resume goes with -o FILE and --format jsonl or csv, or with --output-dir");
  check_inputs(inputs(), output);
  if (output && *output != "-" && format == "csv" && !exact)  // its certificate stands beside it
    for (const auto& beside : {certificate_beside(*output), salt_beside(*output)})
      check_inputs(inputs(), beside.string());
  AnswerRequest request;
  request.release = release.parameters();
  request.exact = exact;
  if (shared) request.artefact = std::make_shared<const SharedArtefact>(SharedArtefact::open(*shared));
  request.audience = audience.open();
  request.top = full ? std::nullopt : std::optional(top.value_or(10));
  request.exclude_neighbors = exclude_neighbors;
  check_request(request);
  return request;
}

Graph AnswerFlags::open(const Progress& progress) const {
  if (open_spread) return open_spread(graph);
  return audience.ledger ? open_lasting_graph(graph, progress) : open_with_notices(graph, progress);
}

AnswerRequest AnswerFlags::completed(AnswerRequest request, const Graph& over) const {
  request.seeds = seeds.find(over);
  request.seed_set = seeds.seed_set.has_value();
  if (candidates) request.candidates = read_nodes(*candidates, over.node_list());
  return request;
}

void say_weak_points(const Plan& plan) {
  for (const std::string& point : weak_points(plan)) notice("{}", point);
}

}  // namespace hushwalk::cli
