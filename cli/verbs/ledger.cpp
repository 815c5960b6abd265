#include <algorithm>
#include <cmath>
#include <memory>

#include "answer_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct InitFlags {
  std::string graph, output;
  LedgerTerms terms;
};

std::string init_words(const InitFlags& flags, const LedgerState& state) {
  return fmt::format(
      "'{}' counts for '{}': epsilon = {:.9g}{} in all{}.\nUse it with: hushwalk rank {} --ledger {} --seed V --epsilon E\n",
      flags.output, flags.graph, state.total.limit,
      state.delta ? fmt::format(", delta = {}", *state.delta) : "",
      flags.terms.per_recipient
          ? fmt::format(", {:.9g} for each recipient", flags.terms.per_recipient->value())
          : "",
      flags.graph, flags.output);
}

// Notes are only a convenience: where they cannot be written, the ledger counts all the same.
void note_ledger(const std::string& path, const Graph& graph, const std::string& ledger) {
  try {
    GraphNotes notes = read_notes(path, graph).value_or(GraphNotes{});
    if (notes.ledger.empty()) {
      notes.ledger = ledger;
      return write_notes(path, graph, notes);
    }
    notice("the notes beside '{}' name another ledger already: {}", path, notes.ledger);
  } catch (const Error& error) {
    notice("{}", error.what());
  }
}

void init(const InitFlags& flags, const Common& common) {
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  Ledger::create(flags.output, graph.facts(), flags.terms);
  try {
    const LedgerState state = Ledger(flags.output).state();
    note_ledger(flags.graph, graph, state.ledger_id);
    common.json ? print_json(new_ledger_json(state)) : print_out(init_words(flags, state));
  } catch (const Error& error) {  // it stays: another command may have charged it already
    throw Error(error.code(),
                fmt::format("{}; the ledger '{}' was made, and is whole", error.what(), flags.output),
                error.for_custodian());
  }
}

std::string bar(double spent, double limit) {
  constexpr int width = 30;
  if (std::isinf(limit)) return "";
  const int filled = std::clamp(static_cast<int>(std::ceil(spent / limit * width)), 0, width);
  return fmt::format("[{:=<{}}{:<{}}] {:3.0f} %", "", filled, "", width - filled, 100 * spent / limit);
}

std::string state_text(const LedgerState& state) {
  std::size_t width = 11;
  const auto shown = [](const LedgerAccount& account) {
    return account.recipient.empty() ? std::string("(anyone)") : account.recipient;
  };
  for (const LedgerAccount& account : state.recipients) width = std::max(width, shown(account).size());
  const auto row = [&](const std::string& name, const LedgerAccount& account) {
    return fmt::format("{:<{}}  {:>11.9g}  {:>11}  {:>8}  {}\n", name, width, account.spent,
                       std::isinf(account.limit) ? "-" : fmt::format("{:.9g}", account.left),
                       account.releases, bar(account.spent, account.limit));
  };
  std::string text =
      fmt::format("{:<{}}  {:>11}  {:>11}  {:>8}\n", "recipient", width, "spent", "left", "releases");
  for (const LedgerAccount& account : state.recipients) text += row(shown(account), account);
  if (state.published.releases > 0) text += row("(everybody)", state.published);
  text += row("total", state.total);
  text += fmt::format(
      "\nbudget      epsilon = {:.9g}{}\n", state.total.limit,
      state.delta ? fmt::format(", delta = {}, Rényi sums of order {:.4g}", *state.delta, *state.order)
                  : "; epsilons are added");
  text +=
      fmt::format("answers     {} stored{}\n", state.stored,
                  state.unfinished > 0
                      ? fmt::format(", {} charged and not finished: ask again, at no cost", state.unfinished)
                      : "");
  return text + fmt::format("entries     {}, the last of {}\nhead        {}\n", state.entries, state.updated,
                            state.head);
}

void show(const std::string& path, const Common& common) {
  const LedgerState state = Ledger(path).state();
  common.json ? print_json(ledger_json(state)) : print_out(state_text(state));
}

void cost(const AnswerFlags& flags, const Common& common) {
  AnswerRequest request = flags.checked(common);
  if (!flags.audience.ledger) usage_error("say which ledger: --ledger L");
  const Graph graph = flags.open(progress_bar());
  const LedgerQuote quote = quote_answer(graph, flags.completed(std::move(request), graph));
  if (common.json) return print_json(quote_json(quote));
  const LedgerQuote::Books& books = quote.for_custodian;
  print_out(fmt::format(
      "{} ranking{}, {} new release{}: {:.9g} would be charged to the total{}; {:.9g} of {:.9g} is spent{}\n",
      quote.rankings, quote.rankings == 1 ? "" : "s", books.new_releases, books.new_releases == 1 ? "" : "s",
      books.epsilon, payments_words(books), books.spent_before, books.total.limit,
      quote.refusal.empty() ? fmt::format(", {:.9g} would be", books.total.spent)
                            : "\nIt does not fit: " + with_flags(refusal_in_full(quote))));
}

struct VerifyFlags {
  std::string ledger;
  std::optional<std::string> head;
  bool accept_clock = false;
};

void verify(const VerifyFlags& flags, const Common& common) {
  const LedgerCheck check = verify_ledger(flags.ledger, flags.head);
  if (check.valid && flags.accept_clock) Ledger(flags.ledger).accept_clock();
  if (common.json) print_json(verdict_json(check.valid, check.reason));
  if (!check.valid)
    throw Error(ErrorCode::failed,
                fmt::format("the ledger '{}' is not intact: {}", flags.ledger, check.reason));
  if (!common.json) print_out(fmt::format("intact: {}\n", check.reason));
}

struct ExportFlags {
  std::string ledger;
  std::optional<std::string> output, format;
  Permissions permissions;
};

void write_entries(const ExportFlags& flags) {
  check_inputs({flags.ledger}, flags.output);
  const Ledger ledger(flags.ledger);
  Output output(flags.output, flags.permissions);
  const bool csv = flags.format == "csv";
  if (csv) output.write(entries_csv_head());
  ledger.each_entry(
      [&](const LedgerEntry& entry) { output.write(csv ? entry_csv_line(entry) : entry_json_line(entry)); });
  output.commit();
}

struct LineageFlags {
  std::string ledger, graph;
};

void lineage(const LineageFlags& flags, const Common& common) {
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  Ledger ledger(flags.ledger);
  ledger.add_snapshot(graph.facts());
  const LedgerState state = ledger.state();
  if (common.json) return print_json(ledger_json(state));
  print_out(fmt::format("'{}' is snapshot {} of the graph; {:.9g} of epsilon = {:.9g} is spent\n",
                        flags.graph, state.graph_ids.size(), state.total.spent, state.total.limit));
}

void add_ledger_file(CLI::App& verb, std::string& path) {
  verb.add_option("ledger", path, "The ledger")->required()->type_name("L");
}

void add_init(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<InitFlags>();
  CLI::App* const verb = add_verb(app, common, "init", "Give a graph a budget",
                                  "hushwalk ledger init --graph friends.hwg --epsilon 1 -o friends.ledger",
                                  [flags, &common] { init(*flags, common); });
  verb->add_option("--graph", flags->graph, "A graph file")->required()->type_name("G");
  add_epsilon(*verb, flags->terms.epsilon, "What all releases together may leak about an edge")
      ->required()
      ->type_name("TOTAL");
  add_delta(
      *verb, flags->terms.delta,
      "A chance of failure to allow for the total, so that many small releases cost less than their sum");
  add_number(
      *verb, "--per-recipient", [flags](double value) { flags->terms.per_recipient.emplace(value); },
      "The same limit for what one recipient sees")
      ->type_name("E");
  verb->add_option("-o,--output", flags->output, "The ledger to make; it must not exist")
      ->required()
      ->type_name("L");
}

void add_show(CLI::App& app, Common& common) {
  const auto path = std::make_shared<std::string>();
  add_ledger_file(*add_verb(app, common, "show", "What is spent, and by whom",
                            "hushwalk ledger show friends.ledger", [path, &common] { show(*path, common); }),
                  *path);
}

void add_cost(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<AnswerFlags>();
  flags->add_to(*add_verb(app, common, "cost",
                          "What a `rank` command would charge: the same flags, spending nothing",
                          "hushwalk ledger cost friends.hwg --ledger friends.ledger --seed 17 --epsilon 0.1",
                          [flags, &common] { cost(*flags, common); }));
}

void add_verify(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<VerifyFlags>();
  CLI::App* const verb =
      add_verb(app, common, "verify", "Check that no entry was altered, removed or moved; exit 1 if one was",
               "hushwalk ledger verify friends.ledger", [flags, &common] { verify(*flags, common); });
  add_ledger_file(*verb, flags->ledger);
  verb->add_option(
          "--head", flags->head,
          "A head noted earlier (see `show`): it must be one of the entries, or this is an older copy")
      ->type_name("HASH");
  verb->add_flag("--accept-clock", flags->accept_clock,
                 "After the clock was wrong: go on with the present time, if all is intact");
}

void add_export(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* const verb = add_verb(app, common, "export", "All entries, with the Rényi curve of every release",
                                  "hushwalk ledger export friends.ledger --format csv -o entries.csv",
                                  [flags] { write_entries(*flags); });
  add_ledger_file(*verb, flags->ledger);
  add_format(*verb, flags->format, {"jsonl", "csv"});
  add_output(*verb, flags->output);
  add_mode(*verb, flags->permissions);
}

void add_lineage(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<LineageFlags>();
  CLI::App* const verb =
      add_verb(app, common, "lineage", "Declare a new snapshot of the same graph; budgets carry over",
               "hushwalk ledger lineage friends.ledger --graph friends-2027.hwg",
               [flags, &common] { lineage(*flags, common); });
  add_ledger_file(*verb, flags->ledger);
  verb->add_option("--graph", flags->graph, "The graph file of the new snapshot")->required()->type_name("G");
}

}  // namespace

void add_ledger(CLI::App& app, Common& common) {
  CLI::App* const ledger = app.add_subcommand("ledger", "The privacy budget: make, read and check it");
  ledger->require_subcommand(1);
  ledger->footer("hushwalk ledger VERB --help shows the flags of a verb and an example.");
  for (const auto add : {add_init, add_show, add_cost, add_verify, add_export, add_lineage})
    add(*ledger, common);
}

}  // namespace hushwalk::cli
