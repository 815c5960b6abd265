#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hushwalk {

// Well-formed UTF-8 without control characters and without those that change the direction of what follows,
// behind which a name can look like another: what may be shown on a terminal.
bool is_printable_utf8(std::string_view text) noexcept;

// `text` with everything else written as \xNN, shortened to `limit` bytes with an ellipsis: for error
// messages.
std::string quotable(std::string_view text, std::size_t limit = 80);

// The same for a whole message: of any length, its line ends kept.
std::string printable(std::string_view text);

}  // namespace hushwalk
