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

// Which file it is, and which content: what is not altered in place has another of these when it is another.
struct FileMark {
  std::filesystem::path path;
  std::uint64_t device = 0, number = 0;
  std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileMark&) const = default;
};

// Opened once, shared by all requests, and never altered: a new snapshot is another object.
struct HostedGraph {
  std::string name, title;
  FileMark file;
  Graph graph;
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<const SigningKey> signing;       // none: certificates are not signed
  std::shared_ptr<const SharedArtefact> artefact;  // none: there is none
};
using Hosted = std::map<std::string, std::shared_ptr<const HostedGraph>>;

// Opens what the configuration names; what `before` has open already is used on, a graph while its file is as
// it was. An artefact is charged the first time, and published: when all the rest was found good. Error when
// something is missing, a ledger is not of its graph, or an artefact does not fit.
Hosted open_graphs(const Config& config, const Hosted& before = {}, const Progress& progress = {});

}  // namespace hushwalk::service
