#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "suggest.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::vector<std::string> figures, graphs;
  std::string output;
  std::optional<std::string> data;
  bool quick = false;
};

// What the user typed, without the names of figures.
std::string command(const Flags& flags) {
  std::string text = "hushwalk reproduce";
  if (flags.quick) text += " --quick";
  if (!flags.graphs.empty())
    text += " --graphs " + shell_word(fmt::format("{}", fmt::join(flags.graphs, ",")));
  if (flags.data) text += " --data " + shell_word(*flags.data);
  return text + " -o " + shell_word(flags.output);
}

void check_names(const Flags& flags) {
  std::vector<std::string> figures;
  for (const FigureKind& kind : reproduced_figures()) figures.push_back(kind.name);
  for (const std::string& name : flags.figures) check_name("figure", name, figures);
  std::error_code none;  // what cannot be read shows when it is opened
  for (const std::string& name : flags.graphs)
    if (!std::filesystem::exists(name, none)) check_name("file or benchmark graph", name, benchmark_names());
}

void run(const Flags& flags, const Common& common) {
  const ReproductionRequest request{.figures = flags.figures,
                                    .graphs = flags.graphs,
                                    .quick = flags.quick,
                                    .data = flags.data.value_or(""),
                                    .command = command(flags)};
  check_names(flags);
  check_request(request);
  notice("not private: every edge of these graphs is read, and the report shows what was counted");
  const ReproducedFiles files = reproduce_into(
      flags.output, request, [](const std::string& table) { notice("{}", table); }, progress_bar());
  if (common.json) return print_json(reproduced_json(files));
  print_out(files.page + "\n");
}

std::string list_of_figures() {
  std::string text = "Figures:\n";
  for (const FigureKind& kind : reproduced_figures())
    text += fmt::format("  {:<16}{}\n", kind.name, kind.where);
  return text;
}

}  // namespace

void add_reproduce(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "reproduce", "Every figure of the paper, and ours: CSV files and one HTML report",
               "hushwalk reproduce --quick -o out", [flags, &common] { run(*flags, common); });
  verb->footer(list_of_figures() + "\n" + verb->get_footer());
  verb->add_option("figures", flags->figures, "Which figures (default: all, see below)")->type_name("FIGURE");
  verb->add_flag("--quick", flags->quick, "Few seeds and coarse grids, about two minutes");
  verb->add_option(
          "--data", flags->data,
          "A folder with the real graphs, NAME.hwg or NAME.txt (plain or compressed); what it lacks is generated")
      ->type_name("DIR");
  verb->add_option(
          "--graphs", flags->graphs,
          fmt::format(
              "Any of {}, or files with graphs of your own (default: all of these; with --quick the first)",
              fmt::join(benchmark_names(), ", ")))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME|FILE,…");
  verb->add_option("-o,--output", flags->output,
                   "The folder to write to; it may exist, and its report.html is replaced")
      ->required()
      ->type_name("DIR");
}

}  // namespace hushwalk::cli
