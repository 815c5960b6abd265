#include "hushwalk/lab.h"

#include <variant>

#include "bind.h"

namespace hushwalk::python {
namespace {

std::string evaluated(const Graph& graph, const std::vector<std::string>& mechanisms,
                      const std::vector<double>& epsilons, const std::vector<double>& etas,
                      const py::dict& parameters, std::uint64_t seeds, std::uint64_t random_seed,
                      std::uint64_t top, py::object callback) {
  EvaluationRequest request;
  request.mechanisms = mechanisms;
  request.epsilons = {epsilons.begin(), epsilons.end()};
  request.etas = {etas.begin(), etas.end()};
  request.release = parameters_of(parameters);
  request.seeds = seeds;
  request.random_seed = random_seed;
  request.top = top;
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  const auto writer = evaluation_writer("json", graph, request);
  std::string text = writer->begin();
  evaluate(graph, request, [&](const EvaluationRow& row) { text += writer->row(row); }, progress);
  return text + writer->end();
}

std::string tuned(const std::variant<std::pair<std::uint64_t, std::uint64_t>, Graph>& proxy,
                  std::optional<double> epsilon, std::optional<double> target_ndcg,
                  const py::dict& parameters, std::uint64_t seeds, std::uint64_t random_seed,
                  std::uint64_t top, py::object callback) {
  TuneRequest request;
  if (epsilon) request.epsilon.emplace(*epsilon);
  request.target_ndcg = target_ndcg;
  request.release = parameters_of(parameters);
  request.seeds = seeds;
  request.random_seed = random_seed;
  request.top = top;
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  const Graph* const given = std::get_if<Graph>(&proxy);
  const auto of_size = [&] {
    const auto [nodes, edges] = std::get<0>(proxy);
    return tune(ProxySize{nodes, edges}, request, progress);
  };
  return tuned_json(given ? tune(*given, request, progress) : of_size(), request);
}

std::string audited(const py::dict& parameters, std::uint64_t trials, double confidence, bool sensitivity,
                    py::object callback) {
  AuditRequest request;
  request.release = parameters_of(parameters);
  request.trials = trials;
  request.confidence = confidence;
  request.sensitivity = sensitivity;
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  return audit_json(audit(request, progress));
}

std::string attacked(const Graph& graph, std::pair<Node, Node> edge, Node seed, const py::dict& parameters,
                     const std::vector<double>& epsilons, std::uint64_t trials, py::object callback) {
  const ReleaseParameters release = parameters_of(parameters);
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  return attack_json(release, trials, link_attack(graph, edge, seed, release, epsilons, trials, progress));
}

// The tables and the page that were written.
std::pair<std::vector<std::string>, std::string> reproduced(
    const std::vector<std::string>& figures, const std::vector<std::string>& graphs,
    const std::vector<std::string>& mechanisms, bool quick, const std::filesystem::path& data,
    const std::string& command, const std::filesystem::path& output, py::object callback) {
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  const ReproductionRequest request{.figures = figures,
                                    .graphs = graphs,
                                    .mechanisms = mechanisms,
                                    .quick = quick,
                                    .data = data,
                                    .command = command};
  ReproducedFiles files = reproduce_into(output, request, {}, progress);
  return {std::move(files.tables), std::move(files.page)};
}

}  // namespace

void bind_lab(py::module_& module) {
  module.def("evaluate", &evaluated, py::arg("graph"), py::arg("mechanisms"), py::arg("epsilons"),
             py::arg("etas"), py::arg("parameters"), py::arg("seeds"), py::arg("random_seed"), py::arg("top"),
             py::arg("progress"));
  module.def("tune", &tuned, py::arg("proxy"), py::arg("epsilon"), py::arg("target_ndcg"),
             py::arg("parameters"), py::arg("seeds"), py::arg("random_seed"), py::arg("top"),
             py::arg("progress"));
  module.def("audit", &audited, py::arg("parameters"), py::arg("trials"), py::arg("confidence"),
             py::arg("sensitivity"), py::arg("progress"));
  module.def("link_attack", &attacked, py::arg("graph"), py::arg("edge"), py::arg("seed"),
             py::arg("parameters"), py::arg("epsilons"), py::arg("trials"), py::arg("progress"));
  module.def("reproduce", &reproduced, py::arg("figures"), py::arg("graphs"), py::arg("mechanisms"),
             py::arg("quick"), py::arg("data"), py::arg("command"), py::arg("output"), py::arg("progress"));
}

}  // namespace hushwalk::python
