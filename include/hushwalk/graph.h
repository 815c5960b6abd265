// A graph whose node list is public and whose edges are secret.
//
// Undirected, unweighted, no self-loops, no repeated edges. A `Node` is a position in the *public* node list,
// sorted by the user's own ids, so it carries no information about edges; how rows are laid out inside is not
// visible here. Graphs are immutable values: copies share their data, and any thread may read.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/facts.h"
#include "hushwalk/output_file.h"

namespace hushwalk {

// The public node list: distinct ids in ascending order, all integers or all UTF-8 strings.
class NodeList {
 public:
  NodeList();                                                      // empty
  static NodeList range(std::int64_t first, std::uint64_t count);  // first, first+1, …
  static NodeList integers(std::vector<std::int64_t> ids);         // sorted here; Error{usage} on a repeat
  static NodeList names(std::vector<std::string> ids);             // likewise; bytewise order, valid UTF-8

  std::uint64_t size() const noexcept;
  bool are_integers() const noexcept;
  // A Node given to these must be below size().
  std::int64_t integer(Node) const;  // only if are_integers()
  std::string name(Node) const;      // as the user wrote it
  std::optional<Node> find(std::string_view id) const;
  std::optional<Node> find(std::int64_t id) const;  // only if are_integers()

  struct Impl;
  explicit NodeList(std::shared_ptr<const Impl>);  // for the library's own readers

 private:
  friend struct GraphAccess;
  std::shared_ptr<const Impl> impl_;
};

class Graph {
 public:
  Graph();  // no nodes

  // Reads the graph file at `path`, or the folder with its parts, memory-mapped: the header is checked here,
  // a single row when it is asked for, and everything, as by check(), before all rows are used. Error{failed}
  // with the reason when the file is missing, truncated, corrupt, foreign or of another version.
  static Graph open(const std::filesystem::path& path);

  // Self-loops and repeats are dropped. Error{usage} when an endpoint is not in the list, Error{refused} when
  // there are more edges than the public bound `max_edges`.
  static Graph from_edges(NodeList nodes, const std::vector<std::pair<Node, Node>>& edges,
                          std::optional<std::uint64_t> max_edges = std::nullopt);

  // Writes a graph file under a temporary name, syncs it and renames it; `path` is never half-written. With
  // `parts`, a folder with at most so many files (hushwalk/output_file.h).
  void save(const std::filesystem::path& path, Permissions permissions = {}, std::size_t parts = 0) const;

  const PublicFacts& facts() const noexcept;
  std::uint64_t nodes() const noexcept { return facts().nodes; }
  std::uint64_t secret_edges() const noexcept;  // how many there are: for the custodian, never for a plan
  const NodeList& node_list() const;

  // Everything that the proofs rest on: ids, order, rows, and that every edge stands in both directions.
  // Error{failed} when something does not hold.
  void check() const;

  // SHA-256 of the whole content, whoever wrote the file and whatever its id. SECRET: whoever has a guess of
  // all edges can test it.
  std::array<unsigned char, 32> secret_digest() const;

  // Nodes must be below nodes().
  std::uint64_t degree(Node) const;
  std::vector<Node> neighbors(Node) const;  // ascending
  bool adjacent(Node, Node) const;

 private:
  friend struct GraphAccess;
  struct Impl;
  explicit Graph(std::shared_ptr<const Impl>);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace hushwalk
