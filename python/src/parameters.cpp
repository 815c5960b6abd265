// Parameters from and to Python, each by its name. Nobody lists them here: each_parameter() knows them all.
#include <optional>
#include <type_traits>

#include "bind.h"

namespace hushwalk::python {
namespace {

template <class T>
T read(py::handle value) {
  if constexpr (std::is_same_v<T, Scope>)
    return scope_named(value.cast<std::string>());
  else if constexpr (std::is_same_v<T, Epsilon> || std::is_same_v<T, Delta> || std::is_same_v<T, Eta>)
    return T(value.cast<double>());
  else
    return value.cast<T>();
}

template <class T>
void read_into(T& field, py::handle value) {
  field = read<T>(value);
}
template <class T>
void read_into(std::optional<T>& field, py::handle value) {
  field = read<T>(value);
}

template <class T>
py::object written(const T& field) {
  if constexpr (std::is_same_v<T, Scope>)
    return py::str(name(field));
  else if constexpr (std::is_same_v<T, Epsilon> || std::is_same_v<T, Delta> || std::is_same_v<T, Eta>)
    return py::float_(field.value());
  else
    return py::cast(field);
}
template <class T>
py::object written(const std::optional<T>& field) {
  return field ? written(*field) : py::none();
}

}  // namespace

ReleaseParameters parameters_of(const py::dict& given) {
  ReleaseParameters parameters;
  std::size_t known = 0;
  each_parameter(parameters, [&](const char* name, auto& field) {
    if (!given.contains(name)) return;
    ++known;
    if (const py::object value = given[name]; !value.is_none()) read_into(field, value);
  });
  if (known != given.size()) throw py::type_error("an unknown parameter of a release");
  return parameters;
}

py::dict dict_of(const ReleaseParameters& parameters) {
  py::dict dict;
  each_parameter(parameters, [&](const char* name, const auto& field) { dict[name] = written(field); });
  return dict;
}

SeedVector seed_of(const std::vector<std::pair<Node, double>>& entries) {
  return SeedVector::weighted(entries);
}

}  // namespace hushwalk::python
