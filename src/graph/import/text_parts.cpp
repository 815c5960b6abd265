#include "graph/import/text_parts.h"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/split_file.h"
#include "graph/graph_file.h"
#include "graph/import/matrix_market.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

// A file of ours in the wrong place would only be a text with bad lines.
void refuse_own_file(const fs::path& path) {
  const std::string_view kind = kind_of_own_file(path);
  if (kind.empty()) return;
  fail_usage("'{}' is {}, not a graph{}", path.string(), kind,
             kind == a_ledger            ? "; give it as `ledger`, and the graph in its place"
             : kind == a_shared_artefact ? "; give it as `shared`, and the graph in its place"
                                         : "; give the graph in its place");
}

// In the order of the names, byte by byte.
std::vector<fs::path> matches_of(const std::string& pattern) {
  glob_t found{};
  const int status = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<fs::path> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (status == GLOB_NOMATCH || paths.empty()) fail("no file matches '{}'", pattern);
  std::ranges::sort(paths, {}, [](const fs::path& path) { return path.string(); });
  return paths;
}

}  // namespace

std::vector<fs::path> matching_files(std::span<const std::string> names) {
  std::vector<fs::path> all;
  std::error_code none;
  for (const std::string& name : names) {
    const bool pattern = name.find_first_of("*?[") != std::string::npos && !fs::exists(name, none);
    const std::vector<fs::path> some = pattern ? matches_of(name) : std::vector<fs::path>{name};
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

bool holds_graph_file(const fs::path& path) {
  std::error_code none;  // a missing file shows when it is opened
  if (fs::is_directory(path, none)) return fs::exists(fs::symlink_status(path / part_name(0), none));
  if (path == "-" || !fs::is_regular_file(path, none)) return false;  // a pipe can be read only once
  std::array<char, 8> start{};
  const FileHandle file = open_for_reading(path);
  const ssize_t got = pread(file.get(), start.data(), start.size(), 0);
  return got == std::ssize(start) && looks_like_graph_file(std::as_bytes(std::span(start)));
}

TextFormat detect_format(LineBlocks& lines, const fs::path& path) {
  if (starts_matrix_market(lines)) return TextFormat::matrix_market;
  fs::path name = path;
  for (const char* ending : {".gz", ".zst", ".xz"})
    if (name.extension() == ending) name.replace_extension();
  if (name.extension() == ".mtx")
    fail("{} ends in .mtx but does not start with %%MatrixMarket; for an edge list, say `format edges`",
         lines.name());
  const bool metis = name.extension() == ".graph" || name.extension() == ".metis";
  return metis ? TextFormat::metis : TextFormat::edge_list;
}

std::string TextParts::name_of_all() const {
  return size() == 1 ? name(0) : fmt::format("the list in {} files from {} on", size(), name(0));
}

std::string TextParts::place(const LineNote& note) const {
  return size() == 1 ? fmt::format("line {}", note.line) : fmt::format("{}:{}", name(note.part), note.line);
}

void TextParts::check() const {
  if (paths_.empty()) fail_usage("no file was given");
  for (const fs::path& path : paths_) {
    if (path == "-" && size() > 1) fail_usage("standard input (-) is read alone, not beside other files");
    if (path == "-") continue;
    std::error_code none;
    if (size() > 1 && !fs::is_fifo(path, none)) static_cast<void>(open_for_reading(path));
    refuse_own_file(path);
  }
}

std::unique_ptr<LineBlocks> TextParts::open_edge_list(std::size_t part, TextFormat format) const {
  const auto refuse_kind = [&](std::string_view kind) {
    fail_usage("{} is {}; only edge lists are read from several files, or by several processes", name(part),
               kind);
  };
  if (holds_graph_file(paths_[part])) refuse_kind("a graph file");
  auto lines = std::make_unique<LineBlocks>(paths_[part], part);
  if (format == TextFormat::automatic) format = detect_format(*lines, paths_[part]);
  if (format == TextFormat::matrix_market) refuse_kind("a Matrix Market file");
  if (format == TextFormat::metis) refuse_kind("a METIS file");
  return lines;
}

}  // namespace hushwalk
