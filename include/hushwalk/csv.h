// Text that spreadsheets and data frames read back as it was.
#pragma once

#include <string>
#include <string_view>

namespace hushwalk {

// A field of a CSV row (RFC 4180): in quotes, its own quotes doubled, when it holds a comma, a quote or a
// line break; else as it is. What a spreadsheet would take for a formula (= + - @, a tab or a line break in
// front, and not a number) gets an apostrophe in front, and so does what starts with an apostrophe: dropping
// one from the front gives the text back.
std::string csv_field(std::string_view text);

}  // namespace hushwalk
