// The flags of `calibrate` and `account`, and a guarantee in numbers and in words.
#pragma once

#include <optional>
#include <string>

#include "common.h"
#include "diffusion_flags.h"

namespace hushwalk::cli {

struct AccountingFlags {
  std::string mechanism = "paper", scope = "personalized";
  DiffusionFlags diffusion;
  std::optional<double> eta, delta;
  std::optional<int> draws;

  void add_to(CLI::App& verb);
  NoiseDesign design() const;
  std::optional<Delta> parsed_delta() const;
};

// A number, or the string "inf".
Json number_json(double value);
std::string number_text(double value);

Json design_json(const AccountingFlags& flags, const NoiseDesign& design);
Json guarantee_json(const Guarantee& guarantee);

// What is protected, against whom, how well and by which theorem.
std::string sentence(const NoiseDesign& design, const Guarantee& guarantee);

// One row of the tables both verbs print.
std::string row(std::string_view name, std::string_view value);
std::string design_rows(const AccountingFlags& flags, const NoiseDesign& design);
std::string guarantee_rows(const Guarantee& guarantee);

}  // namespace hushwalk::cli
