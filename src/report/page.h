#pragma once

#include <string>
#include <string_view>

#include "hushwalk/report.h"
#include "report/script.h"

namespace hushwalk::report {

extern const std::string_view style_sheet;

// page_html with a given script; without one, tables only.
std::string page_with(const Page& page, const Script& script);

}  // namespace hushwalk::report
