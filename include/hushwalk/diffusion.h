// Graph diffusions: x_k = (walk_k P + stay_k I) x_{k-1} + restart_k s for k = 1..K, x_0 = s, P = A D^-1.
// An isolated node's column of P is zero. Computed in double; the same bytes for any number of threads and
// for any grouping of seeds.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/graph.h"
#include "hushwalk/progress.h"
#include "hushwalk/step.h"

namespace hushwalk {

// Error{usage} from each factory when a parameter is out of range: 0 < beta < 1, 1 <= steps <= 1,000,000,
// 0 < time <= steps.
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

// The seed vector s: distinct nodes with positive weights that sum to 1.
class SeedVector {
 public:
  SeedVector(Node node) : entries_{{node, 1.0}} {}  // NOLINT(google-explicit-constructor): a node is a seed
  // Scales the weights to sum to 1. Error{usage} when empty, repeated, or a weight is not positive and
  // finite.
  static SeedVector weighted(std::vector<std::pair<Node, double>> entries);

  std::span<const std::pair<Node, double>> entries() const noexcept { return entries_; }  // ascending by node
  bool contains(Node) const noexcept;

 private:
  SeedVector() = default;
  std::vector<std::pair<Node, double>> entries_;
};

// Clipping of every x_v to [lo, eta d_v] before each step, never after the last; lo is 0, or -eta d_v when a
// coefficient is negative. In personalized scope step 1 is not clipped and a seed is clipped to [0, 1] (or
// [-1, 1]) instead.
struct Clip {
  double eta;
  Scope scope = Scope::personalized;
};

// Exact, so never for a release: even the Error{usage} of scores that grow beyond all numbers depends on
// edges.
//
// Scores of all nodes (indexed by Node) for each seed. Many seeds share the cost of reading the graph; the
// result takes 8 bytes per node and seed, so pass thousands of seeds in portions. Error{usage} when a seed is
// not a node of the graph, eta is not positive and finite, or wild coefficients make the result overflow.
std::vector<std::vector<double>> diffuse(const Graph& graph, const Diffusion& diffusion,
                                         std::span<const SeedVector> seeds, std::optional<Clip> clip = {},
                                         const Progress& progress = {});

// The same for one seed.
std::vector<double> diffuse(const Graph& graph, const Diffusion& diffusion, const SeedVector& seed,
                            std::optional<Clip> clip = {}, const Progress& progress = {});

}  // namespace hushwalk
