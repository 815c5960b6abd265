// The files of the page that a browser shows, as they were when the program was built.
#pragma once

#include <span>
#include <string_view>

namespace hushwalk::service {

struct PageFile {
  std::string_view path;     // as in a request: "/", "/page.js"
  std::string_view type;     // its media type
  std::string_view content;  // compressed by gzip if it begins as gzip does, else plain
};

// "/" is always there: a page in plain HTML where no other was built.
std::span<const PageFile> page_files();

}  // namespace hushwalk::service
