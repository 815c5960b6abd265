// By what a release is found again: hashes of public numbers, the same in every version of the program.
#pragma once

#include <string>
#include <vector>

#include "hushwalk/ledger.h"

namespace hushwalk::ledger {

// Names and weights of the seeds of one ranking.
using NamedSeeds = std::vector<std::pair<std::string, double>>;
NamedSeeds named(const SeedVector& seed, const NodeList& nodes);

// The request as it was given. How many rankings it is for matters to `auto` only.
std::string request_key(const std::string& graph_id, const ReleaseParameters& request,
                        const NamedSeeds& seeds);
// What it came to: the parameters of the plan.
std::string answer_key(const Plan& plan, const NamedSeeds& seeds);
// What was drawn for it: the answer's own noise, or an artefact that serves all seeds.
std::string source_key(const Plan& plan, const NamedSeeds& seeds);

}  // namespace hushwalk::ledger
