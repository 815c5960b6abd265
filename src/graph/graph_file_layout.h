// The graph file byte by byte, as in docs/formats.md.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/file_kind.h"

namespace hushwalk::graph_file {

static_assert(std::endian::native == std::endian::little,
              "graph files are little-endian and mapped as they are");

inline constexpr auto magic = graph_file_magic;
inline constexpr std::uint32_t format_version = 1;
inline constexpr std::uint64_t alignment = 64;

enum Flag : std::uint32_t { ids_are_text = 1, nodes_declared = 2, max_edges_declared = 4, all_flags = 7 };

enum SectionIndex {
  offsets_section,
  neighbors_section,
  node_of_row_section,
  row_of_node_section,
  ids_section,
  text_section
};
inline constexpr std::array section_names = {"row offsets", "neighbours", "row order",
                                             "node order",  "node ids",   "id text"};
inline constexpr std::size_t sections = section_names.size();

struct Section {
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum;
};

struct Header {
  std::array<unsigned char, 8> magic;
  std::uint32_t version;
  std::uint32_t flags;
  std::uint64_t nodes;
  std::uint64_t edges;
  std::uint64_t max_edges;
  std::array<unsigned char, 16> graph_id;
  std::uint64_t file_size;
  std::array<Section, sections> table;
  std::array<std::uint64_t, 5> reserved;
  std::uint64_t checksum;  // of all bytes before it
};
static_assert(sizeof(Header) == 256 && sizeof(Header) % alignment == 0);

inline std::uint64_t header_checksum(const Header& header) {
  return XXH3_64bits(&header, offsetof(Header, checksum));
}

inline std::uint64_t aligned(std::uint64_t position) {
  return (position + alignment - 1) / alignment * alignment;
}

}  // namespace hushwalk::graph_file
