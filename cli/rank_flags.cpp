#include "rank_flags.h"

#include <algorithm>

namespace hushwalk::cli {

std::string certificate_beside(const std::string& output) { return output + ".certificate.json"; }

void RankFlags::add_to(CLI::App& verb) {
  verb.add_option("graph", graph, "A graph file, or a text edge list")->required()->type_name("G");
  verb.add_flag("--exact", exact, "The exact answer, which is not private");
  seeds.add_to(verb);
  release.add_to(verb);
  verb.add_option("--shared", shared, "Answer from this artefact of `share`, at no further cost")
      ->type_name("S");
  ledger.add_to(verb);
  add_count(verb, "--top", top, "How many nodes to list (default: 10)")->type_name("K");
  verb.add_flag("--full", full, "List all nodes");
  verb.add_flag("--exclude-neighbors", exclude_neighbors, "Leave out the seed's own neighbours");
  verb.add_option("--candidates", candidates, "List only nodes whose ids are in the file")->type_name("FILE");
  verb.add_option("--format", format, "table, csv or json (default: table)")
      ->check(CLI::IsMember({"table", "csv", "json"}).description(""))
      ->type_name("NAME");
  verb.add_option("-o,--output", output, "Write to this file instead of standard output")->type_name("FILE");
  add_mode(verb, permissions);
}

void RankFlags::check(const Common& common) const {
  const int ways = seeds.ways();
  if (ways == 0) usage_error("say whose ranking you want: --seed V, --seeds-file F, --all or --seed-set F");
  if (ways > 1) usage_error("give only one of --seed, --seeds-file, --all and --seed-set");
  if (exact && release.any_private())
    usage_error("--exact is the answer without privacy; it takes no --epsilon, --mechanism or other noise");
  if (shared && (exact || release.any_private()))
    usage_error(
        "--shared uses an artefact whose privacy is fixed; it takes no --exact, --epsilon or --mechanism");
  if (!exact && !shared && !release.epsilon)
    usage_error(
        "say how private the answer must be: --epsilon E, for example --epsilon 1; or --shared S to use an "
        "artefact, or --exact for the answer that is NOT private");
  if (exclude_neighbors && !exact && release.scope == "edge")
    throw Error(ErrorCode::refused, excludes_neighbors_in_edge_scope);
  if (full && top) usage_error("give --top or --full, not both");
  if (top == 0U) usage_error("--top must be at least 1");
  if (common.json && format.value_or("json") != "json")
    usage_error(fmt::format("--json contradicts --format {}", *format));
  ledger.check();
  if (exact && ledger.ledger)
    throw Error(
        ErrorCode::refused,
        "--exact is not private and is refused under a ledger; without --ledger and HUSHWALK_LEDGER the "
        "custodian may ask for it");
  check_inputs({graph, seeds.seeds_file.value_or(""), seeds.seed_set.value_or(""), candidates.value_or(""),
                shared.value_or(""), ledger.ledger.value_or(""), release.diffusion.coefficients.value_or("")},
               output);
  if (output && format == "csv" && !exact)  // its certificate stands beside it
    check_inputs({graph, candidates.value_or(""), shared.value_or("")}, certificate_beside(*output));
  if (!exact && !shared) static_cast<void>(release.request());  // before the graph is read
}

std::optional<SharedArtefact> RankFlags::open_artefact() const {
  return shared ? std::optional(SharedArtefact::open(*shared)) : std::nullopt;
}

ReleaseRequest RankFlags::request(const std::vector<SeedVector>& found,
                                  const SharedArtefact* artefact) const {
  ReleaseRequest request;
  if (artefact) {
    request.mechanism = "shared";
    request.scope = parsed_scope(release.scope);
    request.diffusion = release.diffusion.make();
    request.epsilon = Epsilon(artefact->plan().epsilon);
    request.taper = artefact->plan().taper;
  } else {
    request = release.request();
  }
  request.rankings = found.size();
  for (const SeedVector& seed : found)
    request.seeds_per_ranking = std::max<std::uint64_t>(request.seeds_per_ranking, seed.entries().size());
  return request;
}

}  // namespace hushwalk::cli
