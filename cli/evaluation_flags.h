// The flags of `evaluate` and `tune` that say how to measure, and numbers as these verbs print them.
#pragma once

#include <optional>
#include <string>

#include "common.h"
#include "diffusion_flags.h"

namespace hushwalk::cli {

struct EvaluationFlags {
  DiffusionFlags diffusion;
  std::string scope = "personalized";
  std::uint64_t seeds, random_seed = 1, top = 100;

  explicit EvaluationFlags(std::uint64_t default_seeds) : seeds(default_seeds) {}
  void add_to(CLI::App& verb);
  Scope parsed_scope() const { return scope == "edge" ? Scope::edge : Scope::personalized; }
};

// null without a value, "inf" for infinity.
Json optional_json(const std::optional<double>& value);

}  // namespace hushwalk::cli
