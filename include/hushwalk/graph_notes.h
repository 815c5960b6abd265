// What is worth knowing of a graph file and is not the graph: in FILE.meta beside it, for its owner only.
// Losing it loses nothing but convenience.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "hushwalk/graph.h"

namespace hushwalk {

struct GraphNotes {
  std::string source = {};       // where the graph came from, in words
  std::string written = {};      // when, as in 2026-01-31T12:00:00Z
  std::string checked = {};      // when everything in it was last found right
  std::string ledger = {};       // the id of the first ledger that was made for it
  std::string ledger_path = {};  // where it was then
};

// Saves the graph with notes of its own in the place of older ones. The ledger that they named is named on:
// what it charged was mostly about the same edges. So is the one that is named beside `copied_from`, the
// graph file that this graph was opened from, and before the other: it charged for these very edges. Returns
// what the custodian should hear of it, or nothing.
std::string save_with_notes(const Graph& graph, const std::filesystem::path& path, const std::string& source,
                            Permissions permissions = {}, const std::filesystem::path& copied_from = {},
                            std::size_t parts = 0);

// None where there are none. Error{failed} when they cannot be read, or are those of another graph.
std::optional<GraphNotes> read_notes(const std::filesystem::path& path, const Graph& graph);
void write_notes(const std::filesystem::path& path, const Graph& graph, const GraphNotes& notes);

std::string time_now();  // UTC, as in notes

}  // namespace hushwalk
