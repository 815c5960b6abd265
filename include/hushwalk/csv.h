// Text that spreadsheets and data frames read back as it was.
#pragma once

#include <string>
#include <string_view>

namespace hushwalk {

// A field of a CSV row (RFC 4180): in quotes, its own quotes doubled, when it holds a comma, a quote or a
// line break; else as it is.
std::string csv_field(std::string_view text);

}  // namespace hushwalk
