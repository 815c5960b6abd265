#pragma once

#include <optional>
#include <string>

#include "common.h"

namespace hushwalk::cli {

// --diffusion and what belongs to it: the same for every verb that diffuses.
struct DiffusionFlags {
  DiffusionChoice choice;
  std::optional<std::string> coefficients;  // a file

  void add_to(CLI::App& verb);
  Diffusion make() const;  // Error{usage} when flags contradict each other
};

}  // namespace hushwalk::cli
