#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/fail.h"
#include "base/json.h"
#include "hushwalk/mechanism.h"
#include "hushwalk/output_file.h"
#include "hushwalk/reproduction.h"
#include "reproduction/figures.h"

namespace hushwalk {
namespace {

using namespace reproduction;

enum Part { theory, experiments, beyond, parts };

struct Maker {
  FigureKind kind;
  Part part;
  report::Figure (*make)(Workbench&);
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> list = {
      {{"distortion", "Figures 1 and 7: low degrees distort more; the double star"},
       theory,
       &reproduction::distortion},
      {{"rdp-steps", "Figure 2: RDP against K"}, theory, &rdp_steps},
      {{"wasserstein", "Figure 3: Wasserstein bound against diameter"}, theory, &wasserstein},
      {{"noise-scale", "Figure 10, right: noise scale of Theorem 1 against composition"},
       theory,
       &noise_scale},
      {{"datasets", "Table 1: benchmark graphs"}, experiments, &datasets},
      {{"ndcg", "Figure 4: NDCG against ε"}, experiments, &ndcg},
      {{"recall", "Figure 5: Recall against ε"}, experiments, &recall},
      {{"ablation", "Figure 6: clip and accounting"}, experiments, &ablation},
      {{"noise-type", "Figure 10, left: Laplace against Gaussian"}, experiments, &noise_type},
      {{"eta-paper", "Figure 9, left: NDCG of the paper's method by η"}, experiments, &eta_paper},
      {{"eta-pushflow", "Figure 9, middle: NDCG of DP-PUSHFLOWCAP by η"}, experiments, &eta_pushflow},
      {{"eta-difference", "Figure 9, right: their difference"}, experiments, &eta_difference},
      {{"running-time", "Figure 8: running time"}, experiments, &running_time},
      {{"new-ndcg", "beyond the paper: NDCG over non-neighbours"}, beyond, &new_ndcg},
      {{"new-recall", "beyond the paper: Recall over non-neighbours"}, beyond, &new_recall},
      {{"epsilon-needed", "beyond the paper: the ε a given NDCG needs, also over non-neighbours"},
       beyond,
       &epsilon_needed},
      {{"users", "beyond the paper: many users, one budget"}, beyond, &users},
      {{"attack", "beyond the paper: link disclosure"}, beyond, &attack},
      {{"wrong-claims", "beyond the paper: what unsound bounds would have claimed"}, beyond, &wrong_claims}};
  return list;
}

void check_names(const std::vector<std::string>& names, const std::vector<std::string>& known,
                 const char* what) {
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      fail_usage("there is no {} '{}'; choose from: {}", what, name, fmt::join(known, " "));
}

// Not only generated graphs, but files of the user's, whose edges may be secret.
bool reads_files(const ReproductionRequest& request) {
  const std::vector<std::string> known = benchmark_names();
  return !request.data.empty() || !std::ranges::all_of(request.graphs, [&](const std::string& name) {
    return std::ranges::find(known, name) != known.end();
  });
}

std::array<report::Section, parts> empty_sections() {
  return {
      report::Section{
          .title = "Theory", .paragraphs = {"What the paper proves, computed again."}, .figures = {}},
      report::Section{
          .title = "Experiments",
          .paragraphs =
              {"What the paper measures, measured again. Releases are accounted for with proofs only; simulations of unsound bounds, for comparison, are marked."},
          .figures = {}},
      report::Section{.title = "Beyond the paper", .paragraphs = {"What it does not show."}, .figures = {}}};
}

}  // namespace

std::span<const FigureKind> reproduced_figures() {
  static const std::vector<FigureKind> kinds = [] {
    std::vector<FigureKind> list;
    for (const Maker& maker : makers()) list.push_back(maker.kind);
    return list;
  }();
  return kinds;
}

void check_request(const ReproductionRequest& request) {
  refuse_several_processes();
  std::vector<std::string> figures;
  for (const Maker& maker : makers()) figures.push_back(maker.kind.name);
  check_names(request.figures, figures, "figure");
  std::vector<std::string> unknown = request.graphs;
  std::error_code none;  // what cannot be read shows when it is opened
  std::erase_if(unknown, [&](const std::string& name) { return std::filesystem::exists(name, none); });
  check_names(unknown, benchmark_names(), "file or benchmark graph");
  if (!request.data.empty() && !std::filesystem::is_directory(request.data, none))
    fail("there is no folder '{}' with graphs", request.data.string());
}

namespace {

// Of a request that was checked.
report::Page page_of(const ReproductionRequest& request,
                     const std::function<void(const report::Figure&)>& on_figure, const Progress& progress) {
  Workbench bench(request, progress);
  auto sections = empty_sections();
  for (const Maker& maker : makers()) {
    const auto& wanted = request.figures;
    if (!wanted.empty() && std::ranges::find(wanted, maker.kind.name) == wanted.end()) continue;
    report::Figure figure = maker.make(bench);
    figure.caption = maker.kind.where + ". " + figure.caption;
    figure.caption.front() = figure.caption.front() == 'b' ? 'B' : figure.caption.front();
    on_figure(figure);
    sections[maker.part].figures.push_back(std::move(figure));
  }
  report::Page page{
      .title = "Differentially private graph diffusion, reproduced",
      .paragraphs =
          {"Every figure of Wei, Chien and Li, “Differentially Private Graph Diffusion with Applications in Personalized PageRanks” (NeurIPS 2024), with the accounting repaired, and what goes beyond it.",
           "An evaluation reads every edge: nothing on this page is private."},
      .command = bench.command(fmt::format("{}", fmt::join(request.figures, " "))),
      .sections = {}};
  if (request.quick)
    page.paragraphs.push_back(fmt::format(
        "A quick run: {} seeds, coarse grids. It shows the shape, not the digits.", bench.effort.seeds));
  std::vector<report::Figure> made;
  for (const report::Section& section : sections)
    made.insert(made.end(), section.figures.begin(), section.figures.end());
  if (std::vector<report::Figure> found = findings(made); !found.empty())
    page.sections.push_back({.title = "What this run found",
                             .paragraphs = {"Computed from the figures below."},
                             .figures = std::move(found)});
  for (report::Section& section : sections)
    if (!section.figures.empty()) page.sections.push_back(std::move(section));
  return page;
}

}  // namespace

report::Page reproduce(const ReproductionRequest& request,
                       const std::function<void(const report::Figure&)>& on_figure,
                       const Progress& progress) {
  check_request(request);
  return page_of(request, on_figure, progress);
}

ReproducedFiles reproduce_into(const std::filesystem::path& folder, const ReproductionRequest& request,
                               const std::function<void(const std::string&)>& on_table,
                               const Progress& progress) {
  check_request(request);
  make_folder(folder);
  ReproducedFiles files{{}, folder / "report.html"};
  OutputFile::check(files.page, FileKind::text);
  const auto write = [permissions = reads_files(request) ? Permissions{} : publishable](
                         const std::string& path, const std::string& content) {
    OutputFile file(path, FileKind::text, permissions);
    file.write(content);
    file.commit();
  };
  const auto write_table = [&](const report::Figure& figure) {
    const std::string& path = files.tables.emplace_back(folder / (figure.id + ".csv"));
    write(path, report::table_csv(figure.table));
    if (on_table) on_table(path);
  };
  write(files.page, report::page_html(page_of(request, write_table, progress)));
  return files;
}

std::string reproduced_json(const ReproducedFiles& files) {
  return Json{{"report", files.page}, {"figures", files.tables}}.dump(2);
}

}  // namespace hushwalk
