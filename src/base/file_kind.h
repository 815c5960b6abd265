// What kind of file it is, told by its first bytes, and what may be written under its name.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

#include "hushwalk/output_file.h"

namespace hushwalk {

inline constexpr std::array<unsigned char, 8> graph_file_magic = {0x89, 'H',  'W',  'G',
                                                                  '\r', '\n', 0x1A, '\n'};
inline constexpr std::string_view artefact_kind = "hushwalk shared artefact",
                                  artefact_start = R"({"kind":"hushwalk shared artefact")",
                                  ledger_key_start = "hushwalk ledger key",
                                  ledger_head_start = "hushwalk-head ",
                                  notes_kind = "notes on a hushwalk graph file",
                                  ranking_csv_start = "seed,rank,node,score";
inline constexpr std::string_view notes_end =
    ".meta";  // of the name of notes, after that of their graph file

inline constexpr std::string_view a_ledger = "a ledger", a_shared_artefact = "a shared artefact",
                                  a_ledger_head = "the head of a ledger";

// In words: "a graph file", "a ledger", "a text", …; empty when the file is empty or is not there.
// Error{failed} when it cannot be read.
std::string_view kind_of_file(const std::filesystem::path& path);

// The same for a file that Hushwalk made and that is no graph: a ledger, an artefact, an answer or
// certificate in JSON, an answer in CSV, notes on a graph file. Empty for anything else.
std::string_view kind_of_own_file(const std::filesystem::path& path);

std::string_view in_words(FileKind kind) noexcept;

// Error{usage} when a file of this kind must not be written under the name.
void check_may_write(const std::filesystem::path& path, FileKind kind);
// The same when the name is one that SQLite keeps for a database beside it, and would delete.
void check_not_of_database(const std::filesystem::path& path);

}  // namespace hushwalk
