// Every figure and table of Wei, Chien and Li (NeurIPS 2024), measured again with sound accounting, and what
// goes beyond it. Not private: it reads every edge of its graphs and is for public ones.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/mechanism.h"
#include "hushwalk/progress.h"
#include "hushwalk/report.h"

namespace hushwalk {

struct FigureKind {
  std::string name;   // small letters and hyphens: of the CSV, too
  std::string where;  // in the paper; or that it is not from there
};
std::span<const FigureKind> reproduced_figures();

// The benchmark graphs of the paper: blogcatalog, flickr, themarker.
std::vector<std::string> benchmark_names();

struct ReproductionRequest {
  std::vector<std::string> figures = {};  // by name; empty: all
  // Of benchmark_names(), or files with graphs of one's own; empty: all of the former, or the first when
  // quick.
  std::vector<std::string> graphs = {};
  std::vector<std::string> mechanisms = {};  // to be measured beside ours, such as registered ones
  bool quick = false;                        // few seeds and coarse grids: shows the shape, not the digits
  std::filesystem::path data = {};  // a folder with NAME.hwg or NAME.txt (plain or compressed) of real graphs
  std::string command = {};         // shown in the report, without names of figures
};

// Error{usage} for an unknown name that is no file either, Error{failed} when there is no folder `data`.
void check_request(const ReproductionRequest& request);

// `on_figure` is called on the calling thread as soon as a figure is done. Graphs that `data` does not have
// are generated look-alikes, and every figure says which. Error{usage} as by check_request().
report::Page reproduce(const ReproductionRequest& request,
                       const std::function<void(const report::Figure&)>& on_figure,
                       const Progress& progress = {});

// The same into a folder, which is made: NAME.csv for each figure and report.html. `on_table` is told of each
// table as soon as it is there.
struct ReproducedFiles {
  std::vector<std::string> tables;
  std::string page;
};
ReproducedFiles reproduce_into(const std::filesystem::path& folder, const ReproductionRequest& request,
                               const std::function<void(const std::string&)>& on_table = {},
                               const Progress& progress = {});
std::string reproduced_json(const ReproducedFiles& files);

// What the demonstration asked on its built-in graph and was told, for one call of demo_page(), which keeps
// nothing.
struct DemoAnswer {
  const Graph& graph;
  const Plan& plan;
  const PrivateScores& noisy;
  const std::vector<double>& exact;
  std::span<const RankedNode> noisy_top, exact_top;
  // Shown on the page: what made it, what gives the same for machines, what checks a certificate.
  std::string command, machine_command, check_command;
};
// As an HTML page. Not private: the exact answer stands beside the other.
std::string demo_page(const DemoAnswer& answer);

}  // namespace hushwalk
