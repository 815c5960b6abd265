// Parameters as JSON values and back, each by its type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "hushwalk/parameters.h"

namespace hushwalk {

// In documents these stand by themselves, as what a reader looks for first; the others under "parameters".
constexpr bool stands_by_itself(std::string_view parameter) {
  return parameter == "mechanism" || parameter == "scope" || parameter == "epsilon" ||
         parameter == "rankings";
}

Json diffusion_json(const Diffusion& diffusion);
// Error{failed} when it describes none.
Diffusion diffusion_in(const Json& json);

inline Json parameter_json(const std::string& text) { return text; }
inline Json parameter_json(std::uint64_t count) { return count; }
inline Json parameter_json(Scope scope) { return name(scope); }
inline Json parameter_json(const Diffusion& diffusion) { return diffusion_json(diffusion); }
inline Json parameter_json(double value) { return number_json(value); }
template <class Number>
  requires requires(Number number) { number.value(); } && (!requires(Number number) { number.has_value(); })
Json parameter_json(Number number) {
  return number_json(number.value());
}
template <class Value>
Json parameter_json(const std::optional<Value>& value) {
  return value ? parameter_json(*value) : Json(nullptr);
}

inline void read_parameter(const Json& json, std::string& text) { text = json; }
inline void read_parameter(const Json& json, std::uint64_t& count) { count = json; }
inline void read_parameter(const Json& json, Scope& scope) { scope = scope_named(json.get<std::string>()); }
inline void read_parameter(const Json& json, Diffusion& diffusion) { diffusion = diffusion_in(json); }
inline void read_parameter(const Json& json, Epsilon& epsilon) { epsilon = Epsilon(number_in(json)); }
template <class Value>
void read_parameter(const Json& json, std::optional<Value>& value) {
  value = json.is_null() ? std::nullopt : std::optional(Value(number_in(json)));
}

}  // namespace hushwalk
