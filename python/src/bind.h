// What the files of the module share. No ideas of its own: arguments become structs, structs become tuples
// and JSON.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hushwalk/error.h"
#include "hushwalk/parameters.h"
#include "hushwalk/progress.h"
#include "hushwalk/seed.h"

namespace hushwalk::python {

namespace py = pybind11;
using Unlocked = py::call_guard<py::gil_scoped_release>;

void bind_graph(py::module_& module);
void bind_answers(py::module_& module);
void bind_ledger(py::module_& module);
void bind_extend(py::module_& module);
void bind_lab(py::module_& module);

// Hushwalk's progress for a callback f(stage, fraction), or None. Every 50 ms at most it takes the
// interpreter's lock, calls back and looks for signals; what either raises stops the work. May be copied
// without the lock.
Progress progress_of(py::object callback);

// Parameters by their names; those that are missing or None get their defaults. TypeError for a name there is
// not.
ReleaseParameters parameters_of(const py::dict& given);
py::dict dict_of(const ReleaseParameters& parameters);

// [(node, weight), …]
SeedVector seed_of(const std::vector<std::pair<Node, double>>& entries);

// The vector becomes the array: nothing is copied.
template <class T>
py::array_t<T> as_array(std::vector<T> values) {
  auto* const kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

}  // namespace hushwalk::python
