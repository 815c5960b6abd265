// A graph file and its ledger, which the notes beside the file name.
#pragma once

#include <filesystem>
#include <string>

#include "hushwalk/ledger.h"

namespace hushwalk {

struct NewLedger {
  std::filesystem::path graph, ledger, key;  // no key: L.key
  LedgerTerms terms;
  bool force = false;  // though the graph has a ledger already
};
struct MadeLedger {
  LedgerState state;
  std::string before;  // the id of the ledger that the graph had: what it charged is not counted by this one
  std::string notice;  // why the notes do not name it; empty: they do
};
// Error{refused} when the notes name another ledger: a second one would count from zero and answer the same
// questions with fresh noise.
MadeLedger make_ledger(const Graph& graph, const NewLedger& wanted);

// Names the ledger in the notes of a graph that has none. Notes are only a convenience: what is returned says
// why they could not be written, and is empty when all is well.
std::string note_ledger(const std::filesystem::path& path, const Graph& graph, const std::string& ledger_id);

}  // namespace hushwalk
