#include "hosted.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "hushwalk/error.h"
#include "hushwalk/import.h"

namespace hushwalk::service {
namespace {

// Two objects for one file would each look at the disk for themselves; one is enough.
std::shared_ptr<Ledger> open_ledger(const GraphConfig& config, const Hosted& before) {
  auto opened = std::make_shared<Ledger>(config.ledger, config.ledger_key);
  const std::string id = opened->state(0).ledger_id;
  for (const auto& [name, graph] : before)
    if (graph->ledger->state(0).ledger_id == id) return graph->ledger;
  return opened;
}

void check_ledger(const GraphConfig& config, const Graph& graph, const Ledger& ledger) {
  const LedgerState state = ledger.state(0);
  if (!ledger.has_graph(graph.facts().graph_id))
    throw Error(
        ErrorCode::refused,
        fmt::format(
            "the ledger '{}' is not that of the graph '{}'; if it is a new snapshot, declare it: hushwalk ledger lineage",
            config.ledger.string(), config.graph.string()));
  if (!state.warning.empty()) throw Error(ErrorCode::refused, state.warning);
}

ShareRequest artefact_of(const GraphConfig& config, const HostedGraph& hosted) {
  return {*config.shared, {hosted.ledger, "", /*publish=*/true}, hosted.signing};
}

void check_artefact(const GraphConfig& config, const HostedGraph& hosted) {
  if (!config.shared) return;
  const LedgerQuote quote = quote_share(hosted.graph, artefact_of(config, hosted));
  if (!quote.refusal.empty())
    throw Error(ErrorCode::refused, fmt::format("the artefact of '{}': {}", config.name, quote.refusal),
                quote.for_custodian.refusal);
}

FileMark mark_of(const std::filesystem::path& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) return {};  // to open it says what is wrong
  return {path, found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

Graph open_file(const FileMark& file, const std::filesystem::path& path, const Hosted& before) {
  for (const auto& [name, graph] : before)
    if (graph->file == file && !file.path.empty()) return graph->graph;
  return open_lasting_graph(path);
}

}  // namespace

Hosted open_graphs(const Config& config, const Hosted& before, const Progress& progress) {
  std::shared_ptr<const SigningKey> signing;
  if (!config.signing_key.empty())
    signing = std::make_shared<const SigningKey>(SigningKey::open(config.signing_key));
  std::vector<HostedGraph> all;
  for (const GraphConfig& wanted : config.graphs) {
    const FileMark file =
        mark_of(wanted.graph);  // before it is opened: another one in its place is opened anew
    HostedGraph opened{wanted.name, wanted.title, file, open_file(file, wanted.graph, before),
                       {},          signing,      {}};
    opened.ledger = open_ledger(wanted, before);
    check_ledger(wanted, opened.graph, *opened.ledger);
    check_artefact(wanted, opened);
    all.push_back(std::move(opened));
  }
  Hosted hosted;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (config.graphs[i].shared)
      all[i].artefact = std::make_shared<const SharedArtefact>(
          share(all[i].graph, artefact_of(config.graphs[i], all[i]), progress).artefact);
    hosted[config.graphs[i].name] = std::make_shared<const HostedGraph>(std::move(all[i]));
  }
  return hosted;
}

}  // namespace hushwalk::service
