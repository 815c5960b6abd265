#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "hushwalk/graph.h"
#include "hushwalk/import.h"

namespace hushwalk {

// A graph that several processes have imported. Until it is saved and opened again there is nothing to be had
// from it but its facts.
class UnsavedGraph {
 public:
  virtual ~UnsavedGraph() = default;
  virtual void save(const PublicFacts& facts, const std::filesystem::path& path, Permissions permissions,
                    std::size_t parts) const = 0;
};

// Error{refused} for more edges than `max_edges`.
Graph unsaved_graph(std::uint64_t nodes, std::uint64_t edges, const EdgeOptions& options,
                    std::shared_ptr<const UnsavedGraph> unsaved);

}  // namespace hushwalk
