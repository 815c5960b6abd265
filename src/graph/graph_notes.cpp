#include "hushwalk/graph_notes.h"

#include <fmt/chrono.h>

#include <chrono>
#include <system_error>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/json.h"
#include "hushwalk/output_file.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

// Beside the file itself, whatever links lead to it.
fs::path notes_of(const fs::path& path) {
  std::error_code none;
  const fs::path file = fs::weakly_canonical(path, none);
  return (none ? path : file).string() + std::string(notes_end);
}

void write_text(const fs::path& path, const std::string& text) {
  OutputFile file(path, FileKind::notes);
  file.write(text);
  file.commit();
}

std::string text_in(const Json& json, const char* name) {
  const Json value = json.value(name, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

struct OldNotes {
  std::string graph_id, ledger, ledger_path;
};

// Of whatever graph; of notes that cannot be read, nothing.
OldNotes parse_old(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  return {text_in(json, "graph_id"), text_in(json, "ledger"), text_in(json, "ledger_path")};
}

// The file may hold a later graph by now: its notes have named the ledger on, and it is the same one.
OldNotes notes_beside(const fs::path& path) {
  std::error_code none;
  if (path.empty() || !fs::exists(notes_of(path), none)) return {};
  return parse_old(read_whole_file(notes_of(path)));
}

std::string other_graph_words(const fs::path& path, const std::string& ledger) {
  return fmt::format(
      "the graph that was in '{}' had the ledger {}: declare this one in its lineage. A ledger of its own would know nothing of what that one charged",
      path.string(), ledger);
}

}  // namespace

std::string time_now() {
  return fmt::format("{:%FT%TZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

// Old notes stay until new ones take their place, so that the name of the ledger outlives whatever interrupts
// this. Between the graph and its notes those beside it do not fit, and are refused.
std::string save_with_notes(const Graph& graph, const fs::path& path, const std::string& source,
                            Permissions permissions, const fs::path& copied_from, std::size_t parts) {
  OutputFile::check(path, FileKind::graph);
  const OldNotes own = notes_beside(copied_from);
  const OldNotes there = notes_beside(path);
  graph.save(path, permissions, parts);
  const std::string now = time_now();
  const OldNotes& named = own.ledger.empty() ? there : own;
  write_notes(path, graph,
              {.source = source,
               .written = now,
               .checked = now,
               .ledger = named.ledger,
               .ledger_path = named.ledger_path});
  const bool known = there.ledger == named.ledger &&
                     (there.graph_id == graph.facts().graph_id || there.ledger == own.ledger);
  return there.ledger.empty() || known ? "" : other_graph_words(path, there.ledger);
}

std::optional<GraphNotes> read_notes(const fs::path& path, const Graph& graph) {
  std::error_code none;
  if (!fs::exists(notes_of(path), none)) return std::nullopt;
  const Json json = Json::parse(read_whole_file(notes_of(path)), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("kind", Json()) != notes_kind)
    fail("'{}' is not what its name says. It holds nothing that is needed: move it away",
         notes_of(path).string());
  if (json.value("graph_id", Json()) != graph.facts().graph_id)
    fail(
        "'{}' belongs to another graph than the file beside it, as after an import that was interrupted. Import again, which keeps the name of the graph's ledger; or move it away, which forgets that name",
        notes_of(path).string());
  return GraphNotes{text_in(json, "source"), text_in(json, "written"), text_in(json, "checked"),
                    text_in(json, "ledger"), text_in(json, "ledger_path")};
}

void write_notes(const fs::path& path, const Graph& graph, const GraphNotes& notes) {
  write_text(notes_of(path), Json{{"kind", notes_kind},
                                  {"graph_id", graph.facts().graph_id},
                                  {"source", text_or_null(notes.source)},
                                  {"written", text_or_null(notes.written)},
                                  {"checked", text_or_null(notes.checked)},
                                  {"ledger", text_or_null(notes.ledger)},
                                  {"ledger_path", text_or_null(notes.ledger_path)}}
                                     .dump(2, ' ', false, Json::error_handler_t::replace) +
                                 "\n");
}

}  // namespace hushwalk
