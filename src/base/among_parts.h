// The inside of a graph file that is a folder of parts.
#pragma once

#include <filesystem>

namespace hushwalk {

// Error{usage} when a file of this name would stand among the parts of a graph file: what is written into
// such a folder would make it something else.
void check_not_among_parts(const std::filesystem::path& path);

}  // namespace hushwalk
