// Notes beside a graph file name its first ledger, so that nobody makes a second one unawares.
#include <sys/file.h>

#include <cerrno>
#include <utility>

#include "base/fail.h"
#include "base/files.h"
#include "base/split_file.h"
#include "hushwalk/graph_notes.h"
#include "hushwalk/ledger.h"
#include "ledger/ledger_impl.h"
#include "ledger/schema.h"

namespace hushwalk {

using namespace ledger;

namespace {

namespace fs = std::filesystem;

// A second ledger would count from zero and answer the same questions with fresh noise. One of the same name
// is an error of its own.
GraphNotes earlier_notes(const fs::path& path, const GraphInFile& of) {
  const auto notes = read_notes(of.path, of.graph);
  std::error_code none;
  return !notes || fs::exists(path, none) ? GraphNotes{} : *notes;
}

// What a second ledger would not know of, where the first can still be read. One of an older version would be
// brought up to date by being opened, and is left alone.
std::string charged_words(const GraphNotes& notes) {
  if (notes.ledger_path.empty()) return "";
  try {
    const fs::path path = notes.ledger_path;
    if (version_of(Database::open(path), path.string()) != schema_version) return "";
    const LedgerState state = Ledger(path).state(0);
    if (state.ledger_id != notes.ledger) return "";
    return fmt::format("'{}' has {} entries, and epsilon = {} is spent", path.string(), state.entries,
                       spent_text(state.total.spent));
  } catch (const Error&) {  // moved, or lost: its name is all that is known
    return "";
  }
}

[[noreturn]] void refuse_second(const GraphInFile& of, const GraphNotes& earlier, const char* remedy) {
  refuse(
      for_custodian("{}", charged_words(earlier)),
      "the notes beside '{}' name a ledger already: {}. Another one knows nothing of what that one charged: what is spent, who owns which seed, and which answers were given, so that the same questions get fresh noise. Use that ledger; {}",
      of.path.string(), earlier.ledger, remedy);
}

std::string second_words(const GraphInFile& of, const GraphNotes& earlier) {
  const std::string charged = charged_words(earlier);
  return fmt::format("a second ledger: '{}' had the ledger {}, and nothing that it charged is counted here{}",
                     of.path.string(), earlier.ledger, charged.empty() ? "" : ": " + charged);
}

// One at a time looks into the notes, makes a ledger and names it, until the handle is closed.
FileHandle locked(const GraphInFile& of, std::vector<std::string>& notices) {
  FileHandle file = std::move(open_parts(of.path).front().file);
  while (::flock(file.get(), LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    notices.push_back(fmt::format(
        "'{}' cannot be locked here: see to it that nobody makes a ledger for it at the same time",
        of.path.string()));
    break;
  }
  return file;
}

// Notes are only a convenience: where they cannot be written, the ledger counts all the same.
void note_ledger(const GraphInFile& of, const std::string& ledger_id, const fs::path& path,
                 std::vector<std::string>& notices) {
  try {
    GraphNotes notes = read_notes(of.path, of.graph).value_or(GraphNotes{});
    if (!notes.ledger.empty()) return;
    notes.ledger = ledger_id;
    notes.ledger_path = fs::absolute(path).string();
    write_notes(of.path, of.graph, notes);
  } catch (const Error& error) {
    notices.push_back(error.what());
  }
}

}  // namespace

std::vector<std::string> create_ledger(const fs::path& path, const GraphInFile& of, const LedgerTerms& terms,
                                       const fs::path& key, bool force) {
  std::vector<std::string> notices;
  const FileHandle lock = locked(of, notices);
  const GraphNotes earlier = earlier_notes(path, of);
  if (!earlier.ledger.empty() && !force) refuse_second(of, earlier, "`force` makes a second one");
  if (!earlier.ledger.empty()) notices.push_back(second_words(of, earlier));
  note_ledger(of, Ledger::create(path, of.graph.facts(), terms, key), path, notices);
  return notices;
}

std::vector<std::string> add_snapshot(Ledger& ledger, const GraphInFile& of, bool force) {
  std::vector<std::string> notices;
  const FileHandle lock = locked(of, notices);
  const std::string id = ledger.state(0).ledger_id;
  const GraphNotes noted = read_notes(of.path, of.graph).value_or(GraphNotes{});
  const bool of_another = !noted.ledger.empty() && noted.ledger != id;
  if (of_another && !force) refuse_second(of, noted, "`force` declares the graph to this one too");
  ledger.add_snapshot(of.graph.facts());
  if (of_another) notices.push_back(second_words(of, noted));
  note_ledger(of, id, ledger.impl().path, notices);
  return notices;
}

}  // namespace hushwalk
