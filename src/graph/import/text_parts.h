// Texts that are read one after the other, as if they were one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"
#include "hushwalk/import.h"

namespace hushwalk {

class TextParts {
 public:
  explicit TextParts(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) {}

  std::size_t size() const noexcept { return paths_.size(); }
  const std::filesystem::path& operator[](std::size_t part) const { return paths_[part]; }
  std::string name(std::size_t part) const { return display_name(paths_[part]); }
  std::string name_of_all() const;
  std::string place(const LineNote& note) const;  // "line 7", or of several "'b.txt':7"

  // Error, before anything is read, when one of them cannot be opened or is a file of ours. Standard input
  // goes alone.
  void check() const;
  // Error{usage} when it is, by its name or first line, something else than an edge list.
  std::unique_ptr<LineBlocks> open_edge_list(std::size_t part, TextFormat format) const;

 private:
  std::vector<std::filesystem::path> paths_;
};

// Whether the bytes are those of a graph file; not of a pipe, which can be read only once.
bool holds_graph_file(const std::filesystem::path& path);
TextFormat detect_format(LineBlocks& lines, const std::filesystem::path& path);

}  // namespace hushwalk
