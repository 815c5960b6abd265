#include "hushwalk/ledger.h"

#include "bind.h"
#include "hushwalk/codec.h"

namespace hushwalk::python {
namespace {

void create(const std::filesystem::path& path, const Graph& graph, double epsilon,
            std::optional<double> delta, std::optional<double> per_recipient) {
  LedgerTerms terms{.epsilon = Epsilon(epsilon)};
  if (delta) terms.delta.emplace(*delta);
  if (per_recipient) terms.per_recipient.emplace(*per_recipient);
  Ledger::create(path, graph.facts(), terms);
}

std::vector<std::string> entries(const Ledger& ledger) {
  std::vector<std::string> lines;
  ledger.each_entry([&](const LedgerEntry& entry) { lines.push_back(entry_json_line(entry)); });
  return lines;
}

}  // namespace

void bind_ledger(py::module_& module) {
  py::class_<Ledger, std::shared_ptr<Ledger>>(module, "Ledger")
      .def(py::init<const std::filesystem::path&>(), py::arg("path"), Unlocked())
      .def_static("create", &create, py::arg("path"), py::arg("graph"), py::arg("epsilon"), py::arg("delta"),
                  py::arg("per_recipient"), Unlocked())
      .def(
          "state", [](const Ledger& ledger) { return ledger_json(ledger.state()); }, Unlocked())
      .def("entries", &entries, Unlocked())
      .def(
          "verify",
          [](const Ledger& ledger, const std::optional<std::string>& head) {
            const LedgerCheck check = ledger.verify(head);
            return std::pair(check.valid, check.reason);
          },
          py::arg("head"), Unlocked())
      .def(
          "add_snapshot", [](Ledger& ledger, const Graph& graph) { ledger.add_snapshot(graph.facts()); },
          py::arg("graph"), Unlocked());
}

}  // namespace hushwalk::python
