// A graph file that several processes write.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/sha256.h"
#include "distributed/job.h"
#include "graph/graph_file_layout.h"

namespace hushwalk {

// What this process has of each section: consecutive bytes, in the order of the processes.
using SectionParts = std::array<std::span<const std::byte>, graph_file::sections>;

// How a process finds the file, or its parts, while it is written, and how messages call it.
struct OpenedAs {
  std::vector<std::string> names;
  std::filesystem::path path;
  bool in_folder;
  std::uint64_t part_size;

  Json json() const { return {names, path.string(), in_folder, part_size}; }
  static OpenedAs from(const Json& json) { return {json[0], json[1].get<std::string>(), json[2], json[3]}; }
};

// How many bytes all have of each.
std::array<std::uint64_t, graph_file::sections> section_sizes(const Job& job, const SectionParts& parts);

// Writes the pieces of all sections and their checksums into a file that has its size already, each process
// its own, and what it wrote has reached the disk. A piece is written by the process that has its first byte.
// In the first process: the digests of all pieces.
std::vector<Sha256> write_parts(const Job& job, const SectionParts& parts, const graph_file::Header& header,
                                const OpenedAs& as);

}  // namespace hushwalk
