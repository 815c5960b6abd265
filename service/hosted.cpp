#include "hosted.h"

#include <fmt/format.h>

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

std::shared_ptr<const SharedArtefact> make_artefact(const GraphConfig& config, const HostedGraph& hosted) {
  if (!config.shared) return nullptr;
  const ShareRequest request{*config.shared, {hosted.ledger, "", /*publish=*/true}, hosted.signing};
  return std::make_shared<const SharedArtefact>(share(hosted.graph, request).artefact);
}

}  // namespace

Hosted open_graphs(const Config& config, const Hosted& before) {
  std::shared_ptr<const SigningKey> signing;
  if (!config.signing_key.empty())
    signing = std::make_shared<const SigningKey>(SigningKey::open(config.signing_key));
  Hosted hosted;
  for (const GraphConfig& wanted : config.graphs) {
    HostedGraph opened{wanted.name, wanted.title, open_lasting_graph(wanted.graph), {}, signing, {}};
    opened.ledger = open_ledger(wanted, before);
    check_ledger(wanted, opened.graph, *opened.ledger);
    opened.artefact = make_artefact(wanted, opened);
    hosted[wanted.name] = std::make_shared<const HostedGraph>(std::move(opened));
  }
  return hosted;
}

}  // namespace hushwalk::service
