#include <chrono>

#include "bind.h"
#include "budget_exceeded.h"
#include "hushwalk/output_file.h"
#include "hushwalk/threads.h"
#include "hushwalk/version.h"

namespace hushwalk::python {
namespace {

// --- errors ------------------------------------------------------------------------------------------------

void raise(const char* name, const Error& error) {
  const py::object type = py::module_::import("hushwalk._errors").attr(name);
  const py::object made = type(error.what(), error.for_custodian());
  PyErr_SetObject(type.ptr(), made.ptr());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 calls it so
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const BudgetExceeded& error) {
    raise("BudgetExceeded", error);
  } catch (const Error& error) {
    raise(error.code() == ErrorCode::refused ? "Refused"
          : error.code() == ErrorCode::usage ? "UsageError"
                                             : "Failed",
          error);
  }
}

// --- progress ----------------------------------------------------------------------------------------------

class Watch {
 public:
  explicit Watch(py::object callback) : callback_(std::move(callback)) {}

  void see(std::string_view stage, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    const bool wanted = !callback_.is_none() && fraction >= 1;
    if (!wanted && now - seen_ < std::chrono::milliseconds(50)) return;
    seen_ = now;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!callback_.is_none()) callback_(py::str(stage.data(), stage.size()), fraction);
  }

 private:
  py::object callback_;
  std::chrono::steady_clock::time_point seen_ = std::chrono::steady_clock::now();
};

// --- diffusions ----------------------------------------------------------------------------------------

Diffusion custom_diffusion(const std::vector<std::array<double, 3>>& coefficients) {
  std::vector<Step> steps;
  steps.reserve(coefficients.size());
  for (const auto& [walk, stay, restart] : coefficients) steps.push_back({walk, stay, restart});
  return Diffusion::custom(std::move(steps));
}

void bind_diffusion(py::module_& module) {
  py::class_<Diffusion>(module, "Diffusion")
      .def_static(
          "make",
          [](std::string name, std::optional<double> beta, std::optional<double> time,
             std::optional<int> steps, std::optional<Diffusion> coefficients) {
            return make_diffusion({std::move(name), beta, time, steps, std::move(coefficients)});
          },
          py::arg("name"), py::arg("beta"), py::arg("time"), py::arg("steps"), py::arg("coefficients"))
      .def_static("custom", &custom_diffusion, py::arg("coefficients"))
      .def_static("custom_from_file", &Diffusion::custom_from_file, py::arg("path"))
      .def_property_readonly("name", &Diffusion::name)
      .def_property_readonly("parameter", &Diffusion::parameter)
      .def_property_readonly("coefficients", [](const Diffusion& diffusion) {
        std::vector<std::array<double, 3>> rows;
        for (const Step& step : diffusion.steps()) rows.push_back({step.walk, step.stay, step.restart});
        return rows;
      });
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path, FileKind::text);
  file.write(text);
  file.commit();
}

}  // namespace

Progress progress_of(py::object callback) {
  const std::shared_ptr<Watch> watch(new Watch(std::move(callback)), [](Watch* old) {
    const py::gil_scoped_acquire held;
    delete old;
  });
  return [watch](std::string_view stage, double fraction) { watch->see(stage, fraction); };
}

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator(translate);
  module.def("version", &version);
  module.def("write_text", &write_text, py::arg("path"), py::arg("text"));
  py::class_<ThreadLimit>(module, "ThreadLimit").def(py::init<int>(), py::arg("threads"));
  bind_diffusion(module);
  bind_graph(module);
  bind_ledger(module);
  bind_answers(module);
  bind_extend(module);
  bind_lab(module);
}

}  // namespace hushwalk::python
