#include "report/html.h"

#include <fmt/format.h>

#include <cctype>

namespace hushwalk::report {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string prose(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t begin = text.find('`'), end = text.find('`', begin + 1);
    if (begin == std::string_view::npos || end == std::string_view::npos) return result + escaped(text);
    result += escaped(text.substr(0, begin)) + "<code>" + escaped(text.substr(begin + 1, end - begin - 1)) +
              "</code>";
    text.remove_prefix(end + 1);
  }
}

std::string script_json(const nlohmann::ordered_json& json) {
  std::string result;
  // A name need not be well-formed UTF-8; a page must.
  for (const char c : json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    c == '<' ? result += "\\u003c" : result += c;
  return result;
}

std::string data_address(std::string_view type, std::string_view text) {
  std::string address = fmt::format("data:{};charset=utf-8,", type);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && std::isalnum(byte))
      address += c;
    else
      address += fmt::format("%{:02X}", byte);
  }
  return address;
}

}  // namespace hushwalk::report
