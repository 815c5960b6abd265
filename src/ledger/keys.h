// By what a release is found again: hashes of public numbers, the same in every version of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/sha256.h"
#include "hushwalk/ledger.h"

namespace hushwalk::ledger {

// Names and weights of the seeds of one ranking.
using NamedSeeds = std::vector<std::pair<std::string, double>>;
NamedSeeds named(const SeedVector& seed, const NodeList& nodes);

// The request as it was given. How many rankings it is for matters to `auto` only. Under an epoch after the
// first, nothing is found that was charged before it.
std::string request_key(const std::string& graph_id, const ReleaseParameters& request,
                        const NamedSeeds& seeds, std::int64_t epoch = 0);
// What it came to: the parameters of the plan.
std::string answer_key(const Plan& plan, const NamedSeeds& seeds, std::int64_t epoch = 0);
// The artefact that serves all seeds, where there is one.
std::string artefact_key(const Plan& plan, std::int64_t epoch = 0);

// So many hex digits of a key are written down, and enough to find it by. Entries of older versions have all.
inline constexpr std::size_t key_digits = 32;

// By which a plan is found that was written down, with the version of release arithmetic that computes by it.
// It is that of the document alone for version 1, which was not written into it.
std::string digest_of_plan(const Json& document, int arithmetic);

// All that decides released numbers, hashed: graph and its content, release arithmetic, the whole plan, the
// seeds. What differs in any of it draws other noise. Not to be shown, for it holds a digest of the content.
std::string release_digest(const Plan& plan, const NamedSeeds& seeds, const Sha256& content, int arithmetic);

}  // namespace hushwalk::ledger
