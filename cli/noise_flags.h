// The flags of `calibrate` and `account`, and what both print.
#pragma once

#include <optional>
#include <string>

#include "release_flags.h"

namespace hushwalk::cli {

struct NoiseFlags {
  std::string mechanism = "paper";
  Scope scope = Scope::personalized;
  DiffusionFlags diffusion;
  std::optional<Eta> eta;
  std::optional<Delta> delta;
  std::optional<int> draws;

  void add_to(CLI::App& verb);
  NoiseDesign design(const Diffusion& over) const;
};

// Rows of the tables.
std::string design_rows(const Diffusion& diffusion, const NoiseDesign& design);
std::string guarantee_rows(const Guarantee& guarantee);

}  // namespace hushwalk::cli
