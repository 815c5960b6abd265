#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

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
  if (!flags.graphs.empty()) text += fmt::format(" --graphs {}", fmt::join(flags.graphs, ","));
  const auto quoted = [](const std::string& path) {
    return path.find(' ') == path.npos ? path : "'" + path + "'";
  };
  if (flags.data) text += " --data " + quoted(*flags.data);
  return text + " -o " + quoted(flags.output);
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  Output file(path, publishable);
  file.write(content);
  file.commit();
}

void run(const Flags& flags, const Common& common) {
  refuse_several_processes();
  const ReproductionRequest request{flags.figures, flags.graphs, flags.quick, flags.data.value_or(""),
                                    command(flags)};
  check_request(request);
  std::error_code error;
  if (flags.data && !std::filesystem::is_directory(*flags.data, error))
    throw Error(ErrorCode::failed, fmt::format("there is no folder '{}' with graphs", *flags.data));
  const std::filesystem::path folder = flags.output;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder, error))
    throw Error(ErrorCode::failed, fmt::format("cannot make the folder '{}': {}", flags.output,
                                               error ? error.message() : "there is a file of that name"));
  OutputFile::check(folder / "report.html", FileKind::text);
  notice("not private: every edge of the benchmark graphs is read");
  Json files = Json::array();
  const report::Page page = reproduce(
      request,
      [&](const report::Figure& figure) {
        const std::filesystem::path csv = folder / (figure.id + ".csv");
        write_file(csv, report::table_csv(figure.table));
        files.push_back(csv.string());
        notice("{}", csv.string());
      },
      progress_bar());
  const std::filesystem::path html = folder / "report.html";
  write_file(html, report::page_html(page));
  if (common.json) return print_out(Json{{"report", html.string()}, {"figures", files}}.dump(2) + "\n");
  print_out(html.string() + "\n");
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
          fmt::format("Any of {} (default: all; with --quick the first)", fmt::join(benchmark_names(), ", ")))
      ->delimiter(',')
      ->type_name("NAME,…");
  verb->add_option("-o,--output", flags->output,
                   "The folder to write to; it may exist, and its report.html is replaced")
      ->required()
      ->type_name("DIR");
}

}  // namespace hushwalk::cli
