// Graph diffusions: x_k = (walk_k P + stay_k I) x_{k-1} + restart_k s for k = 1..K, x_0 = s, P = A D^-1.
// An isolated node's column of P is zero.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/step.h"

namespace hushwalk {

// Immutable: any number of threads may share one. Error{usage} from each factory when a parameter is out of
// range: 0 < beta < 1, 1 <= steps <= 1,000,000, 0 < time <= steps.
class Diffusion {
 public:
  // Lazy walk with restart, the paper's default: beta/2, beta/2, 1 - beta.
  static Diffusion ppr(double beta = 0.8, int steps = 100);
  // Simple walk with restart: beta, 0, 1 - beta.
  static Diffusion pagerank(double beta = 0.8, int steps = 100);
  // exp(-time (I - P)) as `steps` equal sub-steps, within 2 time^2 / steps of it in l1.
  static Diffusion heat(double time = 5, int steps = 100);
  // Any coefficients, finite and summing to 1 (to 1e-9) in every step.
  static Diffusion custom(std::vector<Step> steps);
  // {"gamma1": […], "gamma2": […], "gamma3": […]}, one number a step.
  static Diffusion custom_from_json(std::string_view text);
  static Diffusion custom_from_file(const std::filesystem::path& path);

  const std::string& name() const noexcept { return name_; }
  std::span<const Step> steps() const noexcept { return steps_; }
  std::optional<double> parameter() const noexcept { return parameter_; }  // beta, or time; none for custom
  bool has_negative() const noexcept;                                      // some coefficient is below zero
  friend bool operator==(const Diffusion&, const Diffusion&) = default;

 private:
  Diffusion(std::string name, std::vector<Step> steps, std::optional<double> parameter = {});
  std::string name_;
  std::vector<Step> steps_;
  std::optional<double> parameter_;
};

// A diffusion as it is asked for: by name, with what belongs to it. What is left open is as the factories
// above have it.
struct DiffusionChoice {
  std::string name = "ppr";
  std::optional<double> beta = {}, time = {};
  std::optional<int> steps = {};
  std::optional<Diffusion> coefficients = {};  // the custom one
};
// Error{usage} when there is no such diffusion, or something is given that does not belong to it.
Diffusion make_diffusion(const DiffusionChoice& choice);

}  // namespace hushwalk
