// What is asked of `rank`; `ledger cost` takes the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ledger_flags.h"
#include "release_flags.h"
#include "seed_flags.h"

namespace hushwalk::cli {

// A CSV file has no place for its certificate.
std::string certificate_beside(const std::string& output);

struct RankFlags {
  std::string graph;
  SeedFlags seeds;
  std::optional<std::string> candidates, output, format, shared;
  Permissions permissions;
  bool exact = false, exclude_neighbors = false, full = false;
  std::optional<std::uint64_t> top;
  ReleaseFlags release;
  LedgerFlags ledger;

  void add_to(CLI::App& verb);
  // Error when the flags contradict each other, or a file could not be read or written.
  void check(const Common& common) const;
  // With --shared the privacy is that of the artefact.
  ReleaseRequest request(const std::vector<SeedVector>& seeds, const SharedArtefact* artefact) const;
  std::optional<SharedArtefact> open_artefact() const;
};

}  // namespace hushwalk::cli
