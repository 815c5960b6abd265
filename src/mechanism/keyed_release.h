// A release that can be computed again: a plan as it was charged, keys that are known, and a graph give the
// same numbers on every machine. For ledgers, which keep a key and a tag instead of the numbers.
#pragma once

#include <functional>

#include "base/sha256.h"
#include "hushwalk/mechanism.h"
#include "noise/release_key.h"

namespace hushwalk {

// Threads may share one, if they may call `key` at a time.
class KeyedRelease {
 public:
  // `key` gives the release key of each answer, by its number, the same however often it is asked. Nobody
  // checks the plan here: it must have been charged for as it is.
  KeyedRelease(Graph graph, Plan plan, std::function<ReleaseKey(std::uint64_t)> key,
               const Progress& progress = {});
  ~KeyedRelease();
  KeyedRelease(KeyedRelease&&) noexcept;

  // What was released for one seed: its scores, and an HMAC under the answer's own key of all released
  // integers, chosen sets and labels.
  struct Answer {
    PrivateScores scores;
    Sha256 tag;
  };
  // `first` is the number of the first of these answers.
  std::vector<Answer> answer(std::span<const SeedVector> seeds, std::uint64_t first,
                             const Progress& progress);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The artefact of a plan in edge scope under a key; its id comes from the key, too.
SharedArtefact keyed_artefact(const Graph& graph, Plan plan, CertificateContext context, ReleaseKey key,
                              const Progress& progress);

}  // namespace hushwalk
