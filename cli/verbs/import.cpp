#include <fmt/ranges.h>

#include <memory>

#include "spread.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::vector<std::string> files;
  std::string output, format = "auto";
  std::optional<std::string> nodes, delimiter;
  std::vector<std::string> columns;
  ImportOptions options;
  Permissions permissions;
  std::size_t parts = 0;
};

std::vector<std::string> inputs_of(const Flags& flags, const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> inputs(files.begin(), files.end());
  inputs.push_back(flags.nodes.value_or(""));
  return inputs;
}

void run(const Flags& flags, const Common& common) {
  const std::vector<std::filesystem::path> files = matching_files(flags.files);
  check_inputs(inputs_of(flags, files), flags.output, FileKind::graph);
  ImportOptions options = flags.options;
  options.format = text_format_of(flags.format);
  if (flags.delimiter) options.delimiter = delimiter_of(*flags.delimiter);
  if (flags.columns.size() == 2)
    options.columns = {flags.columns[0], flags.columns[1]};
  else if (!flags.columns.empty())
    usage_error("--columns takes two, for example --columns source,target or --columns 2,3");
  if (flags.nodes) options.nodes = read_node_list(*flags.nodes, options.string_ids);
  const Progress progress = progress_bar();
  const auto [graph, report] =
      import_spread ? import_spread(files, options, progress) : import_graph(files, options, progress);
  if (progress) progress("writing", -1);
  const std::string of_ledger = save_with_notes(
      graph, flags.output, fmt::format("imported: {}", fmt::join(flags.files, " ")), flags.permissions,
      report.lasting ? files.front() : std::filesystem::path(), flags.parts);
  if (!of_ledger.empty()) notice("{}", of_ledger);
  for (const std::string& text : report.notices) notice("{}", with_flags(text));
  if (common.json) return print_json(import_json(graph, report));
  print_text(fmt::format("{}: {} nodes, {} edges (from {} lines: {} self-loops and {} duplicates dropped)\n",
                         flags.output, graph.nodes(), graph.secret_edges(), report.lines, report.self_loops,
                         report.duplicates));
  if (!graph.facts().nodes_declared)
    notice("the node list was taken from the file and must be public; for edge lists, --nodes declares one");
}

}  // namespace

void add_import(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(
      app, common, "import",
      "Make a graph file from an edge list, a Matrix Market or a METIS file, or from an older graph file",
      "hushwalk import friends.txt.gz -o friends.hwg", [flags, &common] { run(*flags, common); });
  verb->add_option(
          "file", flags->files,
          "Text, plain or compressed (gzip, zstd, xz); - is standard input. Several files, or a quoted pattern such as 'part-*.txt', are read as one edge list")
      ->required()
      ->type_name("FILE");
  verb->add_option("-o,--output", flags->output, "The graph file to write")->required()->type_name("G");
  add_mode(*verb, flags->permissions);
  add_count(
      *verb, "--files", flags->parts,
      "Cut the graph file into at most N files (2 to 256): G is then a folder with part-0, part-1, …, which every verb takes as it takes a file")
      ->check(CLI::Range(2, 256).description(""))
      ->type_name("N");
  verb->add_option("--nodes", flags->nodes,
                   "The public node list, one id on each line; an edge outside it is an error")
      ->type_name("FILE");
  add_count(*verb, "--max-edges", flags->options.max_edges,
            "A public upper bound on the number of edges, checked here and stored (default: n(n-1)/2)")
      ->type_name("M");
  verb->add_option("--format", flags->format, "auto, edges, mtx or metis (default: auto)")
      ->check(CLI::IsMember({"auto", "edges", "mtx", "metis"}).description(""))
      ->type_name("KIND");
  verb->add_flag("--header", flags->options.header,
                 "Skip the first line of an edge list that is not a comment");
  verb->add_option(
          "--delimiter", flags->delimiter,
          "What separates the columns of an edge list: tab, comma, semicolon, bar, blank, or a mark such as ':' (default: a tab, else a comma, else blanks)")
      ->type_name("MARK");
  verb->add_option(
          "--columns", flags->columns,
          "The two columns of an edge list that hold the ids: names in its header, or numbers from 1 on (default: 1,2)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  verb->add_flag("--string-ids", flags->options.string_ids, "Take ids as text even when all are integers");
  add_count(*verb, "--skip-bad-lines", flags->options.skip_bad_lines,
            "Pass over up to this many malformed lines of an edge list (default: 0)")
      ->type_name("N");
}

}  // namespace hushwalk::cli
