// A graph that the service holds, with the ledger that counts for it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "config.h"
#include "hushwalk/answer.h"
#include "hushwalk/signing.h"

namespace hushwalk::service {

// Opened once, shared by all requests, and never altered: a new snapshot is another object.
struct HostedGraph {
  std::string name, title;
  Graph graph;
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<const SigningKey> signing;       // none: certificates are not signed
  std::shared_ptr<const SharedArtefact> artefact;  // none: there is none
};
using Hosted = std::map<std::string, std::shared_ptr<const HostedGraph>>;

// Opens what the configuration names; ledgers that `before` has open already are used on. An artefact is
// charged the first time, and published. Error when something is missing, or a ledger is not of its graph.
Hosted open_graphs(const Config& config, const Hosted& before = {});

}  // namespace hushwalk::service
