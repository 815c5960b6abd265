// Text made safe for its place in a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hushwalk::report {

// For content and for attributes in double quotes.
std::string escaped(std::string_view text);

// escaped(), with what stands between two backticks as <code>.
std::string prose(std::string_view text);

// For the inside of a <script> element: no "<" that could end it or begin a comment.
std::string script_json(const nlohmann::ordered_json& json);

// A data: address that holds `text`.
std::string data_address(std::string_view type, std::string_view text);

}  // namespace hushwalk::report
