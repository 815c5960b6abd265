// Who keeps count: the same flags for `rank`, `share` and `ledger cost`.
#pragma once

#include <optional>
#include <string>

#include "common.h"

namespace hushwalk::cli {

struct LedgerFlags {
  std::optional<std::string> ledger, recipient;
  bool publish = false;

  void add_to(CLI::App& verb);
  // Error{usage} when there is an audience and no ledger, or two audiences.
  void check() const;
  LedgerRequest request(ReleaseRequest release, std::vector<SeedVector> seeds) const;
};

inline constexpr const char* no_ledger =
    "no ledger: nobody is keeping count of what this graph has given away";

// A graph file; Error{refused} for a text, whose id is a new one every time.
Graph open_lasting_graph(const std::string& path, const Progress& progress);

// What recipients pay on their own budgets; empty when nothing.
std::string payments_words(const LedgerQuote& quote);

// What was charged, for the custodian.
void say_charged(const LedgerQuote& quote);

}  // namespace hushwalk::cli
