#pragma once

#include <string_view>

namespace hushwalk::report {

// What draws the plots: web/main.js with all it imports. Empty in a build without npm. The definition is
// generated.
struct Script {
  std::string_view text;
  std::string_view hash;  // "sha256-…", for the page's Content-Security-Policy
};
extern const Script plot_script;

}  // namespace hushwalk::report
