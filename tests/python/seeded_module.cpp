// A second Python module, for tests only: releases under a key that repeats itself, on the graphs of the
// first one.
#include "bind.h"
#include "python/seeded_release.h"

PYBIND11_MODULE(seeded_module, module) {
  using namespace hushwalk;
  module.def(
      "scores", [](const Graph& graph, Node seed, const pybind11::dict& parameters, std::uint64_t key) {
        return python::as_array(testing::seeded_scores(graph, seed, python::parameters_of(parameters), key));
      });
}
