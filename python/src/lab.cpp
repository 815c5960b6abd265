#include "hushwalk/lab.h"

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

std::string tuned(const Graph& proxy, std::optional<double> epsilon, std::optional<double> target_ndcg,
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
  return tuned_json(tune(proxy, request, progress), request.release.scope);
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

// The files that were written, the page last.
std::vector<std::string> reproduced(const std::vector<std::string>& figures,
                                    const std::vector<std::string>& graphs,
                                    const std::vector<std::string>& mechanisms, bool quick,
                                    const std::filesystem::path& data, const std::string& command,
                                    const std::filesystem::path& output, py::object callback) {
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  const ReproductionRequest request{.figures = figures,
                                    .graphs = graphs,
                                    .mechanisms = mechanisms,
                                    .quick = quick,
                                    .data = data,
                                    .command = command};
  std::vector<std::string> files;
  const auto write = [&](const std::string& name, const std::string& content) {
    OutputFile file(output / name, FileKind::text, reads_files(request) ? Permissions{} : publishable);
    file.write(content);
    file.commit();
    files.push_back((output / name).string());
  };
  const report::Page page = reproduce(
      request,
      [&](const report::Figure& figure) { write(figure.id + ".csv", report::table_csv(figure.table)); },
      progress);
  write("report.html", report::page_html(page));
  return files;
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
