#pragma once

#include <string>
#include <string_view>

#include "hushwalk/report.h"

namespace hushwalk::report {

// What draws the plots: web/main.js with all it imports. Empty in a build without npm. The definition is
// generated.
struct Script {
  std::string_view text;
  std::string_view hash;  // "sha256-…", for the page's Content-Security-Policy
};
extern const Script plot_script;

extern const std::string_view style_sheet;

// page_html with a given script; without one, tables only.
std::string page_with(const Page& page, const Script& script);

}  // namespace hushwalk::report
