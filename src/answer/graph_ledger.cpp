#include "hushwalk/graph_ledger.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "hushwalk/graph_notes.h"

namespace hushwalk {
namespace {

std::string ledger_before(const Graph& graph, const NewLedger& wanted) {
  const auto notes = read_notes(wanted.graph, graph);
  std::error_code none;  // one of this name is an error of its own
  if (!notes || notes->ledger.empty() || std::filesystem::exists(wanted.ledger, none)) return "";
  if (!wanted.force)
    refuse(
        "the notes beside '{}' name a ledger already: {}. A second one would know nothing of what that one charged: what is spent, who owns which seed, and which answers were given, so that the same questions get fresh noise. Use that ledger; `force` makes a second one",
        wanted.graph.string(), notes->ledger);
  return notes->ledger;
}

LedgerState state_of_new(const NewLedger& made) {
  try {
    return Ledger(made.ledger, made.key).state();
  } catch (const Error& error) {  // it stays: another command may have charged it already
    fail("{}; the ledger '{}' was made, and is whole", error.what(), made.ledger.string());
  }
}

}  // namespace

std::string note_ledger(const std::filesystem::path& path, const Graph& graph, const std::string& ledger_id) {
  try {
    GraphNotes notes = read_notes(path, graph).value_or(GraphNotes{});
    if (!notes.ledger.empty()) return "";
    notes.ledger = ledger_id;
    write_notes(path, graph, notes);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

MadeLedger make_ledger(const Graph& graph, const NewLedger& wanted) {
  std::string before = ledger_before(graph, wanted);
  Ledger::create(wanted.ledger, graph.facts(), wanted.terms, wanted.key);
  LedgerState state = state_of_new(wanted);
  std::string notice = note_ledger(wanted.graph, graph, state.ledger_id);
  return {std::move(state), std::move(before), std::move(notice)};
}

}  // namespace hushwalk
