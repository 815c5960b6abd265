// The words that diffusions and accounting share: coefficients and scopes.
#pragma once

namespace hushwalk {

// Which edges a guarantee protects: all but the seed's own, or all.
enum class Scope { personalized, edge };

// One step of a diffusion: x -> (walk P + stay I) x + restart s.
struct Step {
  double walk = 0;     // gamma_1
  double stay = 0;     // gamma_2
  double restart = 0;  // gamma_3
  friend bool operator==(const Step&, const Step&) = default;
};

}  // namespace hushwalk
