// The words that diffusions and accounting share: coefficients and scopes.
#pragma once

#include <string>
#include <string_view>

namespace hushwalk {

// Which edges a guarantee protects: all but the seed's own, or all.
enum class Scope { personalized, edge };
std::string name(Scope scope);
Scope scope_named(std::string_view name);  // Error{usage} when there is none of this name

// One step of a diffusion: x -> (walk P + stay I) x + restart s.
struct Step {
  double walk = 0;     // gamma_1
  double stay = 0;     // gamma_2
  double restart = 0;  // gamma_3
  friend bool operator==(const Step&, const Step&) = default;
};

}  // namespace hushwalk
