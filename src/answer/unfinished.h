// Files of runs that may be taken up again.
#pragma once

#include <filesystem>

#include "base/growing_file.h"

namespace hushwalk {

// Error{failed} when another run is writing it, one left it that is not to be taken up, or it is another
// user's.
GrowingFile open_unfinished(const std::filesystem::path& path, Permissions permissions, bool resume);
[[noreturn]] void fail_another_request(const std::filesystem::path& path);

}  // namespace hushwalk
