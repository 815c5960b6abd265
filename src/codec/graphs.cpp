#include "codec/json.h"

namespace hushwalk {

std::string graph_json(const Graph& graph) {
  return Json{{"nodes", graph.nodes()}, {"edges", graph.secret_edges()}, {"graph_id", graph.facts().graph_id}}
      .dump(2);
}

std::string import_json(const Graph& graph, const ImportReport& report) {
  return Json{{"nodes", graph.nodes()},
              {"edges", graph.secret_edges()},
              {"self_loops", report.self_loops},
              {"duplicates", report.duplicates},
              {"lines", report.lines},
              {"bad_lines", report.bad_lines},
              {"nodes_declared", graph.facts().nodes_declared},
              {"max_edges", graph.facts().max_edges},
              {"graph_id", graph.facts().graph_id},
              {"notices", report.notices}}
      .dump(2);
}

std::string statistics_json(const Graph& graph, const GraphStatistics& s,
                            std::optional<std::uintmax_t> file_size, const std::optional<GraphNotes>& notes) {
  Json bins = Json::array();
  for (const DegreeBin& bin : s.degrees)
    bins.push_back({{"from", bin.from}, {"to", bin.to}, {"nodes", bin.nodes}});
  return Json{{"private", false},
              {"nodes", s.nodes},
              {"edges", s.edges},
              {"max_edges", graph.facts().max_edges},
              {"max_edges_declared", graph.facts().max_edges_declared},
              {"nodes_declared", graph.facts().nodes_declared},
              {"graph_id", graph.facts().graph_id},
              {"integer_ids", graph.node_list().are_integers()},
              {"isolated", s.isolated},
              {"min_degree", s.min_degree},
              {"median_degree", s.median_degree},
              {"mean_degree", s.mean_degree},
              {"p90_degree", s.p90_degree},
              {"p99_degree", s.p99_degree},
              {"max_degree", s.max_degree},
              {"degree_histogram", bins},
              {"components", s.components},
              {"largest_component", s.largest_component},
              {"clustering", s.clustering},
              {"transitivity", s.transitivity},
              {"clustering_sampled", s.sampled},
              {"file_size", file_size ? Json(*file_size) : Json(nullptr)},
              {"notes", notes ? Json{{"source", text_or_null(notes->source)},
                                     {"written", text_or_null(notes->written)},
                                     {"checked", text_or_null(notes->checked)},
                                     {"ledger", text_or_null(notes->ledger)}}
                              : Json(nullptr)}}
      .dump(2);
}

}  // namespace hushwalk
