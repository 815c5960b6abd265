// Mechanisms written in Python.
#include "hushwalk/extend.h"

#include "bind.h"

namespace hushwalk::python {
namespace {

using Entries = std::vector<std::pair<Node, double>>;
using Effects = std::vector<std::pair<std::string, std::vector<double>>>;

// Kept for ever, as what is registered is: the library outlives the interpreter.
struct Callables {
  py::object released, count, score;
};

Entries entries_of(const SeedVector& seed) { return {seed.entries().begin(), seed.entries().end()}; }

ReleasedNumbers released_by(const Callables& mechanism, const PublicFacts& facts,
                            const ReleaseParameters& parameters) {
  const py::gil_scoped_acquire held;
  py::dict public_facts;
  public_facts["nodes"] = facts.nodes;
  public_facts["max_edges"] = facts.max_edges;
  const auto [columns, effects] =
      mechanism.released(public_facts, dict_of(parameters))
          .cast<std::pair<std::vector<std::pair<std::string, double>>, Effects>>();
  ReleasedNumbers numbers;
  for (const auto& [words, noise] : columns) numbers.columns.push_back({words, noise});
  for (const auto& [kind, moved] : effects) numbers.effects.push_back({kind, moved});
  return numbers;
}

std::vector<Column> counted_by(const Callables& mechanism, const Graph& graph, const SeedVector& seed,
                               const ReleaseParameters& parameters) {
  const py::gil_scoped_acquire held;
  return mechanism.count(graph, entries_of(seed), dict_of(parameters)).cast<std::vector<Column>>();
}

std::vector<double> scored_by(const Callables& mechanism, const std::vector<std::vector<double>>& columns,
                              const SeedVector& seed) {
  const py::gil_scoped_acquire held;
  py::list arrays;
  for (const auto& column : columns) arrays.append(as_array(column));
  return mechanism.score(arrays, entries_of(seed)).cast<std::vector<double>>();
}

void add(const std::string& name, const std::string& proof, py::object released, py::object count,
         py::object score) {
  const auto* const kept = new Callables{std::move(released), std::move(count), std::move(score)};
  register_mechanism(
      {.name = name,
       .proof = proof,
       .released = [kept](const PublicFacts& facts,
                          const ReleaseParameters& asked) { return released_by(*kept, facts, asked); },
       .count = [kept](const Graph& graph, const SeedVector& seed,
                       const ReleaseParameters& asked) { return counted_by(*kept, graph, seed, asked); },
       .score = [kept](const std::vector<std::vector<double>>& columns,
                       const SeedVector& seed) { return scored_by(*kept, columns, seed); }});
}

}  // namespace

void bind_extend(py::module_& module) {
  module.def("register_mechanism", &add, py::arg("name"), py::arg("proof"), py::arg("released"),
             py::arg("count"), py::arg("score"));
}

}  // namespace hushwalk::python
