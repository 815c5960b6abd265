// Files that the build puts into the program: openapi.json, and the schemas of docs/schema that it names.
#pragma once

#include <span>
#include <string_view>

namespace hushwalk::service {

struct Document {
  std::string_view name, text;
};
extern const std::span<const Document> documents;

}  // namespace hushwalk::service
