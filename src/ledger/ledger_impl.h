#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "hushwalk/ledger.h"
#include "ledger/documents.h"
#include "ledger/keys.h"
#include "ledger/state.h"

namespace hushwalk::ledger {

// A plan with what is made of it.
struct KnownPlan {
  Plan plan;
  Json document, cost;
  std::string text, digest;  // of the document
};

}  // namespace hushwalk::ledger

namespace hushwalk {

struct Ledger::Impl {
  explicit Impl(const std::filesystem::path& file);

  // The time for new entries. Error{failed} when the clock is far behind the latest one.
  std::string now();
  // Error{refused} when the ledger is not of this graph.
  void check_graph(const PublicFacts& graph);
  LedgerAccount account(const std::string& name);  // with its limit; of a recipient all that they see

  std::mutex mutex;  // of all that follows
  std::filesystem::path path;
  ledger::Database database;
  ledger::State state;
  ledger::Documents documents;
  ledger::Terms terms;
  // The last plan that was charged: most releases of a ledger are of one.
  std::shared_ptr<const ledger::KnownPlan> known;
  std::string last_graph;  // the id of a graph that is known to be the ledger's
};

}  // namespace hushwalk
