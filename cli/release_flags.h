// The flags that say what is released and how private it is: the same for `rank`, `plan` and `share`.
#pragma once

#include <optional>
#include <string>

#include "common.h"
#include "diffusion_flags.h"

namespace hushwalk::cli {

// A number, or inf.
std::optional<double> parsed_taper(const std::optional<std::string>& text);
Scope parsed_scope(const std::string& name);
void add_scope(CLI::App& verb, std::string& scope);

inline constexpr const char* excludes_neighbors_in_edge_scope =
    "--exclude-neighbors would show the seed's neighbours by leaving them out, and --scope edge protects "
    "them; "
    "leave the flag out, or use --scope personalized";

struct ReleaseFlags {
  std::string mechanism = "auto", scope = "personalized";
  std::optional<double> epsilon, delta, eta, background;
  std::optional<std::string> taper;
  DiffusionFlags diffusion;

  void add_to(CLI::App& verb);
  // Error{usage} without --epsilon.
  ReleaseRequest request() const;
  bool any_private() const;  // a flag that only a private answer has
};

}  // namespace hushwalk::cli
