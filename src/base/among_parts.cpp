#include "base/among_parts.h"

#include <system_error>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"

namespace hushwalk {

void check_not_among_parts(const std::filesystem::path& path) {
  std::error_code none;
  if (const auto folder = folder_of(path);
      std::filesystem::is_directory(folder, none) && kind_of_file(folder) == in_words(FileKind::graph))
    fail_usage("the output '{}' would stand among the parts of the graph file '{}'; give another name",
               path.string(), folder.string());
}

}  // namespace hushwalk
