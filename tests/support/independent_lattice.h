// The clipped diffusion on whole numbers that `paper`, `output` and `pushflow` run, from the definitions in
// docs/math/15-pushflow.md and 18-lattice-slack.md: shares no code with src/mechanism or src/diffusion.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hushwalk/diffuse.h"
#include "support/small_graph.h"

namespace hushwalk::testing {

struct IndependentLattice {
  std::vector<Step> steps;
  double eta = 0;
  int bits = 0;  // a unit is 2^-bits
  Scope scope = Scope::personalized;
  bool push_flow = false;

  using State = std::vector<std::int64_t>;
  // What is added to all nodes after a step (0-based); nothing where it returns nothing.
  using Noise = std::function<std::vector<State>(std::size_t step)>;

  State run(const SmallGraph& graph, const SeedVector& seed, const Noise& noise) const {
    const State start = seed_units(seed, graph.nodes());
    State x = push_flow ? State(graph.nodes()) : start;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (!push_flow && !(k == 0 && scope == Scope::personalized)) clip(graph, seed, x);
      x = stepped(graph, k, x, start);
      if (push_flow) clip(graph, seed, x);
      for (const State& draws : noise(k))
        for (std::size_t v = 0; v < x.size(); ++v) x[v] += draws[v];
    }
    return x;
  }

 private:
  __extension__ using Wide = __int128;

  bool negative() const {
    return std::ranges::any_of(
        steps, [](const Step& step) { return step.walk < 0 || step.stay < 0 || step.restart < 0; });
  }

  // Coefficients are multiples of 2^-f, as fine as they may be with all of them below 2^62.
  int coefficient_bits() const {
    double most = 0;
    for (const Step& step : steps)
      most = std::max({most, std::abs(step.walk), std::abs(step.stay), std::abs(step.restart)});
    int f = 61;
    while (most * std::pow(2.0, f) >= 0x1p62) --f;
    return f;
  }
  Wide quantised(double coefficient) const {
    return static_cast<Wide>(coefficient * std::pow(2.0, coefficient_bits()));  // toward zero
  }
  std::int64_t product(Wide coefficient, std::int64_t value, std::int64_t divisor = 1) const {
    return static_cast<std::int64_t>(coefficient * value / (Wide{1} << coefficient_bits()) / divisor);
  }

  // Where nothing is negative a step may not make mass: its coefficients sum to at most 1.
  Wide restart(std::size_t k) const {
    const Wide left = (Wide{1} << coefficient_bits()) - quantised(steps[k].walk) - quantised(steps[k].stay);
    const Wide wanted = quantised(steps[k].restart);
    return !negative() && left >= 0 ? std::min(wanted, left) : wanted;
  }

  // Rounded down; what they then sum to above 1 the largest gives back.
  State seed_units(const SeedVector& seed, std::size_t nodes) const {
    State units(nodes);
    std::int64_t sum = 0;
    for (const auto& [node, weight] : seed.entries())
      sum += units[node] = static_cast<std::int64_t>(std::floor(weight * std::pow(2.0, bits)));
    const std::int64_t one = std::int64_t{1} << bits;
    if (sum > one) *std::ranges::max_element(units) -= sum - one;
    return units;
  }

  // Push-flow caps h, and the state is a h.
  std::int64_t cap() const {
    const double a = 1 - 2 * steps.front().walk;
    return static_cast<std::int64_t>(std::floor((push_flow ? eta * a : eta) * std::pow(2.0, bits)));
  }
  void clip(const SmallGraph& graph, const SeedVector& seed, State& x) const {
    for (std::size_t v = 0; v < x.size(); ++v) {
      const bool own = scope == Scope::personalized && seed.contains(static_cast<Node>(v));
      const std::int64_t most =
          own ? std::int64_t{1} << bits : cap() * static_cast<std::int64_t>(graph.degree(v));
      x[v] = std::min(std::max(x[v], negative() ? -most : 0), most);
    }
  }

  State stepped(const SmallGraph& graph, std::size_t k, const State& x, const State& start) const {
    State next(x.size());
    for (std::size_t v = 0; v < x.size(); ++v) {
      next[v] = product(quantised(steps[k].stay), x[v]) + product(restart(k), start[v]);
      for (std::size_t u = 0; u < x.size(); ++u)
        if (graph.linked(u, v))
          next[v] += product(quantised(steps[k].walk), x[u], static_cast<std::int64_t>(graph.degree(u)));
    }
    return next;
  }
};

}  // namespace hushwalk::testing
