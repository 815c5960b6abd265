// JSON as this library writes it: keys in the order they are given, every infinity the string "inf", numbers
// so that they read back exactly.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hushwalk {

using Json = nlohmann::ordered_json;

inline Json number_json(double value) { return std::isinf(value) ? Json("inf") : Json(value); }
inline Json optional_json(const std::optional<double>& value) {
  return value ? number_json(*value) : Json(nullptr);
}
inline Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// And back; a JSON exception when it is something else.
inline double number_in(const Json& json) {
  if (json.is_string() && json.get<std::string>() == "inf") return std::numeric_limits<double>::infinity();
  return json.get<double>();
}
inline std::optional<double> optional_in(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(number_in(json));
}

}  // namespace hushwalk
