#include "hushwalk/graph.h"

#include <algorithm>

#include "bind.h"
#include "hushwalk/codec.h"
#include "hushwalk/generate.h"
#include "hushwalk/graph_notes.h"
#include "hushwalk/import.h"

namespace hushwalk::python {
namespace {

using Nodes = py::array_t<Node, py::array::c_style>;
using Integers = py::array_t<std::int64_t, py::array::c_style>;

std::span<const Node> span_of(const Nodes& nodes) {
  return {nodes.data(), static_cast<std::size_t>(nodes.size())};
}

// Ends of edges are positions in the sorted list, so that it must be sorted already.
template <class Id>
std::vector<Id> sorted(std::vector<Id> ids) {
  if (!std::ranges::is_sorted(ids)) throw py::value_error("ids must be sorted");
  return ids;
}

NodeList list_of(const py::object& ids) {
  if (!py::isinstance<Integers>(ids)) return NodeList::names(sorted(ids.cast<std::vector<std::string>>()));
  const auto integers = ids.cast<Integers>();
  return NodeList::integers(sorted(std::vector(integers.data(), integers.data() + integers.size())));
}

// Of an import: what was made, whether its id lasts, what to tell, how many edges were dropped.
py::tuple read_by(py::object callback, const auto& read) {
  const Progress progress = progress_of(std::move(callback));
  std::optional<Import> import;
  {
    const py::gil_scoped_release free;
    import = read(progress);
  }
  const ImportReport& report = import->report;
  return py::make_tuple(std::move(import->graph), report.lasting, report.notices, report.self_loops,
                        report.duplicates);
}

py::tuple opened(const std::filesystem::path& path, py::object callback) {
  return read_by(std::move(callback), [&](const Progress& progress) { return open_graph(path, progress); });
}

using NodesFile = std::optional<std::filesystem::path>;
using Columns = std::optional<std::pair<std::string, std::string>>;

py::tuple imported(const std::filesystem::path& path, const py::object& nodes, const NodesFile& nodes_file,
                   std::optional<std::uint64_t> max_edges, const std::string& format, bool header,
                   const std::optional<std::string>& delimiter, const Columns& columns, bool string_ids,
                   std::uint64_t skip_bad_lines, py::object callback) {
  ImportOptions options{.format = text_format_of(format), .max_edges = max_edges, .header = header};
  if (!nodes.is_none()) options.nodes = list_of(nodes);
  if (delimiter) options.delimiter = delimiter_of(*delimiter);
  options.columns = columns;
  options.string_ids = string_ids;
  options.skip_bad_lines = skip_bad_lines;
  return read_by(std::move(callback), [&](const Progress& progress) {
    if (nodes_file) options.nodes = read_node_list(*nodes_file, string_ids);
    return import_graph(path, options, progress);
  });
}

py::tuple built(const py::object& ids, const Nodes& from, const Nodes& to, const EdgeOptions& options,
                py::object callback) {
  const Progress progress = progress_of(std::move(callback));
  NodeList nodes = list_of(ids);
  const auto first = span_of(from), second = span_of(to);
  std::optional<Import> import;
  {
    const py::gil_scoped_release free;
    import = import_edges(std::move(nodes), first, second, options, progress);
  }
  return py::make_tuple(std::move(import->graph), import->report.self_loops, import->report.duplicates);
}

Graph generated(std::string_view kind, std::uint64_t nodes, std::uint64_t edges, std::uint64_t random_seed,
                py::object callback) {
  const Progress progress = progress_of(std::move(callback));
  const py::gil_scoped_release free;
  return hushwalk::generate(kind, {nodes, edges, random_seed}, progress);
}

py::object label(const NodeList& nodes, Node node) {
  if (nodes.are_integers()) return py::int_(nodes.integer(node));
  return py::str(nodes.name(node));
}

py::list labels(const Graph& graph, const Nodes& nodes) {
  py::list list(nodes.size());
  for (py::ssize_t i = 0; i < nodes.size(); ++i)
    list[static_cast<std::size_t>(i)] = label(graph.node_list(), nodes.at(i));
  return list;
}

py::object ids(const Graph& graph) {
  const NodeList& nodes = graph.node_list();
  if (nodes.are_integers()) {
    std::vector<std::int64_t> integers(nodes.size());
    for (std::size_t i = 0; i < integers.size(); ++i) integers[i] = nodes.integer(static_cast<Node>(i));
    return as_array(std::move(integers));
  }
  py::list names(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) names[i] = nodes.name(static_cast<Node>(i));
  return names;
}

std::optional<Node> find(const Graph& graph, const py::object& id) {
  const NodeList& nodes = graph.node_list();
  if (py::isinstance<py::str>(id)) return nodes.find(id.cast<std::string>());
  return nodes.are_integers() ? nodes.find(id.cast<std::int64_t>()) : std::nullopt;
}

Node checked(const Graph& graph, Node node) {
  if (node >= graph.nodes()) throw py::index_error("there is no such node");
  return node;
}

}  // namespace

void bind_graph(py::module_& module) {
  py::class_<Graph>(module, "Graph")
      .def_property_readonly("nodes", &Graph::nodes)
      .def_property_readonly("secret_edges", &Graph::secret_edges)
      .def_property_readonly("max_edges", [](const Graph& graph) { return graph.facts().max_edges; })
      .def_property_readonly("nodes_declared",
                             [](const Graph& graph) { return graph.facts().nodes_declared; })
      .def_property_readonly("graph_id", [](const Graph& graph) { return graph.facts().graph_id; })
      .def("ids", &ids)
      .def("labels", &labels, py::arg("nodes"))
      .def("find", &find, py::arg("id"))
      .def(
          "degree", [](const Graph& graph, Node node) { return graph.degree(checked(graph, node)); },
          py::arg("node"))
      .def(
          "neighbors",
          [](const Graph& graph, Node node) { return as_array(graph.neighbors(checked(graph, node))); },
          py::arg("node"))
      .def(
          "save",
          [](const Graph& graph, const std::filesystem::path& path, const std::string& source,
             const std::filesystem::path& copied_from) {
            return save_with_notes(graph, path, source, {}, copied_from);
          },
          py::arg("path"), py::arg("source"), py::arg("copied_from"), Unlocked())
      .def(
          "statistics",
          [](const Graph& graph) { return statistics_json(graph, statistics(graph), std::nullopt); },
          Unlocked());
  module.def("open_graph", &opened, py::arg("path"), py::arg("progress"));
  module.def("import_graph", &imported, py::arg("path"), py::arg("nodes"), py::arg("nodes_file"),
             py::arg("max_edges"), py::arg("format"), py::arg("header"), py::arg("delimiter"),
             py::arg("columns"), py::arg("string_ids"), py::arg("skip_bad_lines"), py::arg("progress"));
  module.def(
      "import_edges",
      [](const py::object& ids, const Nodes& from, const Nodes& to, bool nodes_declared,
         std::optional<std::uint64_t> max_edges, py::object progress) {
        return built(ids, from, to, {nodes_declared, max_edges}, std::move(progress));
      },
      py::arg("ids"), py::arg("first"), py::arg("second"), py::arg("nodes_declared"), py::arg("max_edges"),
      py::arg("progress"));
  module.def("generate", &generated, py::arg("kind"), py::arg("nodes"), py::arg("edges"),
             py::arg("random_seed"), py::arg("progress"));
  module.def("graph_kinds", [] {
    std::vector<std::string> names;
    for (const GraphKind& kind : graph_kinds()) names.push_back(kind.name);
    return names;
  });
}

}  // namespace hushwalk::python
