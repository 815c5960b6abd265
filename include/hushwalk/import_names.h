// How users name formats and delimiters of texts: the same at every door.
#pragma once

#include <string_view>

#include "hushwalk/import.h"

namespace hushwalk {

// auto, edges, mtx or metis. Error{usage} for another.
TextFormat text_format_of(std::string_view name);

// tab, comma, semicolon, bar, blank, or a mark such as ":". Error{usage} for what would cut ids into pieces.
char delimiter_of(std::string_view name);

}  // namespace hushwalk
