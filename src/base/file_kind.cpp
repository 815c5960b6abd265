#include "base/file_kind.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "base/among_parts.h"
#include "base/fail.h"
#include "base/files.h"
#include "base/split_file.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::string_view a_text = "a text", a_graph = "a graph file", a_database = "a database",
                           a_key = "a key", a_foreign = "a file of another program";

// https://www.sqlite.org/fileformat.html: the application id is at offset 68.
constexpr std::string_view sqlite_magic = "SQLite format 3\0"sv, ledger_id = "Hush";
constexpr std::size_t application_id_offset = 68;

constexpr std::string_view private_key_start = "-----BEGIN PRIVATE KEY-----";

bool is_text(std::string_view start) {
  return std::ranges::all_of(start, [](unsigned char c) {
    return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == 0x1B;
  });
}

std::string_view kind_of(std::string_view start) {
  const auto magic = std::string_view(reinterpret_cast<const char*>(graph_file_magic.data()), 8);
  if (start.empty()) return {};
  if (start.starts_with(magic)) return a_graph;
  if (start.starts_with(artefact_start)) return a_shared_artefact;
  if (start.starts_with(sqlite_magic))
    return start.substr(std::min(application_id_offset, start.size())).starts_with(ledger_id) ? a_ledger
                                                                                              : a_database;
  if (start.starts_with(ledger_key_start) || start.find(private_key_start) != start.npos) return a_key;
  if (start.starts_with(ledger_head_start)) return a_ledger_head;
  return is_text(start) ? a_text : a_foreign;
}

// The database that SQLite would keep this file for; empty when the name is not of that form.
fs::path database_of(const fs::path& path) {
  const std::string name = path.string();
  for (const std::string_view end : {"-wal", "-shm", "-journal"})
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return {};
}

// The first bytes; empty when the file is empty, not there, or not a regular one.
std::string start_of(const fs::path& path) {
  std::error_code none;
  if (fs::is_directory(path, none)) return {};
  if (fs::is_fifo(path, none)) return {};  // opened and closed again, it would lose its writer
  const FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // never waits for a device
  if (file.get() < 0 && (errno == ENOENT || errno == ENOTDIR)) return {};
  struct stat status{};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) fail_system("cannot read", path);
  if (!S_ISREG(status.st_mode)) return {};
  std::string start(4096, '\0');
  const ssize_t got = pread(file.get(), start.data(), start.size(), 0);
  if (got < 0) fail_system("cannot read", path);
  start.resize(static_cast<std::size_t>(got));
  return start;
}

// Of what begins with it nothing is a later part of a graph file, which may begin as a text or as anything.
bool is_something(std::string_view kind) { return !kind.empty() && kind != a_text && kind != a_foreign; }

// That of the first part; or that of a later one which is something by itself, so that the folder is no
// graph.
std::string_view kind_of_parts(const fs::path& folder) {
  const std::string_view kind = kind_of(start_of(folder / part_name(0)));
  if (kind != a_graph) return kind;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (at->path().filename() != part_name(0))
      if (const std::string_view other = kind_of(start_of(at->path())); is_something(other))
        return other == a_graph ? a_foreign : other;
  return kind;
}

// Notes name the graph's ledger, and are written by those who know what they say.
void check_not_of_graph(const fs::path& path) {
  const std::string name = path.string();
  if (!name.ends_with(notes_end)) return;
  const fs::path graph = name.substr(0, name.size() - notes_end.size());
  if (kind_of_file(graph) == a_graph)
    fail_usage(
        "the output '{}' would stand in the place of the notes on the graph file '{}'; give another name",
        name, graph.string());
}

}  // namespace

std::string_view kind_of_file(const fs::path& path) {
  std::error_code none;
  if (fs::is_directory(path, none)) return holds_only_parts(path) ? kind_of_parts(path) : std::string_view();
  return kind_of(start_of(path));
}

std::string_view kind_of_own_file(const fs::path& path) {
  const std::string start = start_of(path);
  const std::string_view kind = kind_of(start);
  if (!kind.empty() && kind != a_text && kind != a_graph && kind != a_foreign) return kind;
  if (start.starts_with(ranking_csv_start)) return "an answer in CSV";
  const std::size_t brace = start.find_first_not_of(" \n\r\t");
  if (brace == std::string::npos || start[brace] != '{') return {};
  const auto has = [&](std::string_view key) { return start.find(key) != start.npos; };
  if (has(notes_kind)) return notes_kind;
  if (has("\"certificate\"")) return "an answer with its certificate";
  return has("\"privacy_unit\"") ? "a certificate" : "";
}

std::string_view in_words(FileKind kind) noexcept {
  return kind == FileKind::graph ? a_graph : kind == FileKind::artefact ? a_shared_artefact : a_text;
}

void check_may_write(const fs::path& path, FileKind kind) {
  const std::string_view found = kind_of_file(path);
  if (!found.empty() && found != in_words(kind))
    fail_usage("the output '{}' would replace {} by {}; give another name", path.string(), found,
               in_words(kind));
  check_not_of_database(path);
  check_not_among_parts(path);
  if (kind != FileKind::notes) check_not_of_graph(path);
}

void check_not_of_database(const fs::path& path) {
  const fs::path database = database_of(path);
  if (database.empty()) return;
  if (const std::string_view kind = kind_of_file(database); kind == a_ledger || kind == a_database)
    fail_usage("the output '{}' would replace a file that belongs to {}, '{}'; give another name",
               path.string(), kind, database.string());
}

}  // namespace hushwalk
