// What is asked of `rank`, and in parts of `plan`, `share` and `ledger cost`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "release_flags.h"

namespace hushwalk::cli {

// For whom: the seeds.
struct SeedFlags {
  std::vector<std::string> seeds;
  std::optional<std::string> seeds_file, seed_set;
  bool all = false;

  void add_to(CLI::App& verb);
  bool any() const { return ways() > 0; }
  void check() const;  // Error{usage} when more than one of the four was used
  // One for each ranking.
  std::vector<SeedVector> find(const Graph& graph) const;

 private:
  int ways() const;
};

// The ledger, and who gets the answer.
struct AudienceFlags {
  std::optional<std::string> ledger, key;
  Audience audience;

  void add_to(CLI::App& verb);
  Audience open() const;  // opens the ledger, if one was named
};

// What was charged, for the custodian.
void say_charged(const std::optional<LedgerQuote>& quote);
// What recipients pay on their own budgets; empty when nothing.
std::string payments_words(const LedgerQuote::Books& books);

struct AnswerFlags {
  std::string graph;
  SeedFlags seeds;
  std::optional<std::string> candidates, output, output_dir, format, shared, signing_key;
  Permissions permissions;
  bool exact = false, exclude_neighbors = false, full = false, certificate = false, resume = false;
  std::optional<std::uint64_t> top;
  ReleaseFlags release;
  AudienceFlags audience;

  void add_to(CLI::App& verb);
  std::vector<std::string> inputs() const;  // files that are read; empty names among them
  // All of the request but seeds and candidates, which need the graph. Error when the flags contradict each
  // other, or a file could not be read or written.
  AnswerRequest checked(const Common& common) const;
  Graph open(const Progress& progress) const;
  // With seeds and candidates.
  AnswerRequest completed(AnswerRequest request, const Graph& graph) const;
};

// The file that holds a ledger's key, where it is not beside it.
void add_key(CLI::App& verb, std::optional<std::string>& key);
void add_signing_key(CLI::App& verb, std::optional<std::string>& key);

void say_weak_points(const Plan& plan);  // as notices

}  // namespace hushwalk::cli
