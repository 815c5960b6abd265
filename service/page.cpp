#include "page.h"

namespace hushwalk::service {

std::span<const PageFile> page_files() {
  static constexpr PageFile files[] = {
      {"/", "text/html; charset=utf-8",
       "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Hushwalk</title>"
       "<h1>Hushwalk</h1><p>This program was built without its page. The interface for programs is described at "
       "<a href=\"/v1/openapi.json\">/v1/openapi.json</a>.</p></html>\n"}};
  return files;
}

}  // namespace hushwalk::service
