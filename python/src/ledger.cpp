#include "hushwalk/ledger.h"

#include "bind.h"
#include "hushwalk/codec.h"

namespace hushwalk::python {
namespace {

using Path = std::filesystem::path;
using Number = std::optional<double>;
using Checked = std::pair<bool, std::string>;

std::optional<Epsilon> epsilon_of(Number value) {
  return value ? std::optional<Epsilon>(*value) : std::nullopt;
}

std::vector<std::string> create(const Path& path, const Path& graph_file, const Graph& graph, Number epsilon,
                                Number delta, Number per_recipient, Number per_period,
                                const std::optional<std::string>& period, bool carry, const Path& key,
                                bool force) {
  LedgerTerms terms{.epsilon = epsilon_of(epsilon),
                    .per_recipient = epsilon_of(per_recipient),
                    .period = period_terms(epsilon_of(per_period), period, carry)};
  if (delta) terms.delta.emplace(*delta);
  return create_ledger(path, {graph_file, graph}, terms, key, force);
}

std::vector<std::string> entries(const Ledger& ledger) {
  std::vector<std::string> lines;
  ledger.each_entry([&](const LedgerEntry& entry) { lines.push_back(entry_json_line(entry)); });
  return lines;
}

Checked checked(const LedgerCheck& check) { return {check.valid, check.reason}; }

Checked verified(Ledger& ledger, const std::optional<std::string>& head, bool accept_clock,
                 bool accept_head) {
  return checked(ledger.verify_and_accept({accept_clock, accept_head}, head));
}

Checked backup(const Ledger& ledger, const Path& output) { return checked(ledger.backup(output)); }

void extend(Ledger& ledger, Number epsilon, Number per_recipient, Number per_period,
            const std::string& reason) {
  ledger.extend({epsilon_of(epsilon), epsilon_of(per_recipient), epsilon_of(per_period), reason});
}

}  // namespace

void bind_ledger(py::module_& module) {
  py::class_<Ledger, std::shared_ptr<Ledger>>(module, "Ledger")
      .def(py::init<const Path&, const Path&>(), py::arg("path"), py::arg("key"), Unlocked())
      .def_static("create", &create, py::arg("path"), py::arg("graph_file"), py::arg("graph"),
                  py::arg("epsilon"), py::arg("delta"), py::arg("per_recipient"), py::arg("per_period"),
                  py::arg("period"), py::arg("carry"), py::arg("key"), py::arg("force"), Unlocked())
      .def(
          "state",
          [](const Ledger& ledger, std::optional<std::uint64_t> recipients) {
            return ledger_json(ledger.state(recipients));
          },
          py::arg("recipients"), Unlocked())
      .def("entries", &entries, Unlocked())
      .def("verify", &verified, py::arg("head"), py::arg("accept_clock"), py::arg("accept_head"), Unlocked())
      .def(
          "add_snapshot",
          [](Ledger& ledger, const Path& graph_file, const Graph& graph, bool force) {
            return add_snapshot(ledger, {graph_file, graph}, force);
          },
          py::arg("graph_file"), py::arg("graph"), py::arg("force"), Unlocked())
      .def("extend", &extend, py::arg("epsilon"), py::arg("per_recipient"), py::arg("per_period"),
           py::arg("reason"), Unlocked())
      .def("backup", &backup, py::arg("output"), Unlocked())
      .def("compact", &Ledger::compact, Unlocked())
      .def(
          "forget",
          [](Ledger& ledger, const std::optional<std::string>& before, std::optional<int> older_than,
             bool new_epoch,
             bool accept_head) { return ledger.forget({before, older_than, new_epoch, accept_head}); },
          py::arg("before"), py::arg("older_than"), py::arg("new_epoch"), py::arg("accept_head"), Unlocked());
}

}  // namespace hushwalk::python
