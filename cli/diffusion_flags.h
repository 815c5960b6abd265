#pragma once

#include <optional>
#include <string>

#include "common.h"

namespace hushwalk::cli {

// --diffusion and what belongs to it: the same for every verb that diffuses.
struct DiffusionFlags {
  std::string name = "ppr";
  std::optional<double> beta, time;
  std::optional<int> steps;
  std::optional<std::string> coefficients;

  void add_to(CLI::App& verb);
  Diffusion make() const;  // Error{usage} when flags contradict each other
};

}  // namespace hushwalk::cli
