// Where graphs lie that answers come from.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hushwalk/graph.h"
#include "hushwalk/import.h"

namespace hushwalk::cli {

// Reads a graph file that is spread over several processes. None in the program for one machine, which reads
// it as a whole.
inline std::function<Graph(const std::string& path)> open_spread;
// Makes a graph of texts that several processes read. Likewise.
inline std::function<Import(const std::vector<std::filesystem::path>& paths, const ImportOptions& options,
                            const Progress& progress)>
    import_spread;

}  // namespace hushwalk::cli
