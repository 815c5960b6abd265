#include <filesystem>
#include <limits>
#include <memory>

#include "answer_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

// What every verb needs but `init` and `cost`.
struct LedgerFile {
  std::string ledger;
  std::optional<std::string> key;

  void add_to(CLI::App& verb) { verb.add_option("ledger", ledger, "The ledger")->required()->type_name("L"); }
  Ledger open() const { return Ledger(ledger, key.value_or("")); }
};

struct InitFlags {
  std::string graph, output;
  std::optional<std::string> key;
  LedgerTerms terms{.epsilon = std::nullopt};
  std::optional<Epsilon> per_period;
  std::optional<std::string> period;
  bool carry = false, force = false;
};

std::string init_words(const InitFlags& flags, const LedgerState& state) {
  std::string text =
      fmt::format("'{}' counts for '{}': {}{}.\n", flags.output, flags.graph, state.promise,
                  flags.terms.per_recipient
                      ? fmt::format("; {} for each recipient", left_text(flags.terms.per_recipient->value()))
                      : "");
  const std::string key = flags.key.value_or(flags.output + ".key");
  text += fmt::format(
      "Its key is '{}'. Keep a copy of it, and never together with one of the ledger: whoever has both and the graph has every answer without noise.\n",
      key);
  return text + fmt::format("Use it with: hushwalk rank {} --ledger {}{} --seed V --epsilon E\n", flags.graph,
                            flags.output, flags.key ? " --key " + *flags.key : "");
}

void say_all(const std::vector<std::string>& notices) {
  for (const std::string& text : notices) notice("{}", text);
}

void init(const InitFlags& flags, const Common& common) {
  LedgerTerms terms = flags.terms;
  terms.period = period_terms(flags.per_period, flags.period, flags.carry);
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  say_all(create_ledger(flags.output, {flags.graph, graph}, terms, flags.key.value_or(""), flags.force));
  try {
    const LedgerState state = Ledger(flags.output, flags.key.value_or("")).state();
    common.json ? print_json(new_ledger_json(state)) : print_text(init_words(flags, state));
  } catch (const Error& error) {  // it stays: another command may have charged it already
    throw Error(error.code(),
                fmt::format("{}; the ledger '{}' was made, and is whole", error.what(), flags.output),
                error.for_custodian());
  }
}

struct ShowFlags : LedgerFile {
  bool recipients = false;
  std::optional<std::uint64_t> top;
};

void show(const ShowFlags& flags, const Common& common) {
  if (flags.top && !flags.recipients) usage_error("--top goes with --recipients");
  std::optional<std::uint64_t> listed;
  if (flags.recipients) listed = flags.top.value_or(std::numeric_limits<std::uint64_t>::max());
  const LedgerState state = flags.open().state(listed);
  if (!state.warning.empty()) notice("{}", state.warning);
  common.json ? print_json(ledger_json(state)) : print_text(ledger_table(state, style_of().width));
}

void cost(const AnswerFlags& flags, const Common& common) {
  AnswerRequest request = flags.checked(common);
  if (!flags.audience.ledger) usage_error("say which ledger: --ledger L");
  const Graph graph = flags.open(progress_bar());
  CheckedRequest question(graph, flags.completed(std::move(request), graph));
  if (question.plan()) say_weak_points(*question.plan());
  const LedgerQuote quote = quote_answer(question);
  if (common.json) return print_json(quote_json(quote));
  const LedgerQuote::Books& books = quote.for_custodian;
  print_text(fmt::format(
      "{} ranking{}, {} new release{}: {} would be charged to the total{}; {} {} is spent{}\n",
      quote.rankings, quote.rankings == 1 ? "" : "s", books.new_releases, books.new_releases == 1 ? "" : "s",
      spent_text(books.epsilon), payments_words(books), spent_text(books.spent_before), of_limit(books.total),
      quote.refusal.empty() ? fmt::format(", {} would be", spent_text(books.total.spent))
                            : "\nIt does not fit: " + with_flags(refusal_in_full(quote))));
}

struct VerifyFlags : LedgerFile {
  std::optional<std::string> head;
  Ledger::Accepted accepted;
};

void verify(const VerifyFlags& flags, const Common& common) {
  const LedgerCheck check = verify_ledger(flags.ledger, flags.head, flags.key.value_or(""), flags.accepted);
  if (common.json) print_json(verdict_json(check.valid, check.reason));
  if (!check.valid)
    throw Error(ErrorCode::failed,
                fmt::format("the ledger '{}' is not intact: {}", flags.ledger, check.reason));
  if (!common.json) print_text(fmt::format("intact: {}\n", check.reason));
}

struct ExportFlags : LedgerFile {
  std::optional<std::string> output, format;
  Permissions permissions;
};

// With --json the lines stand in one document.
void write_entries(const ExportFlags& flags, const Common& common) {
  check_format(common, flags.format);
  check_inputs({flags.ledger}, flags.output);
  const Ledger ledger = flags.open();
  Output output(flags.output, flags.permissions);
  const bool csv = flags.format == "csv";
  bool first = true;
  if (csv) output.write(entries_csv_head());
  if (common.json) output.write(entries_json_head());
  ledger.each_entry([&](const LedgerEntry& entry) {
    output.write(csv           ? entry_csv_line(entry)
                 : common.json ? entries_json_entry(entry, std::exchange(first, false))
                               : entry_json_line(entry));
  });
  if (common.json) output.write(entries_json_end());
  output.commit();
}

struct ExtendFlags : LedgerFile {
  Ledger::Extension by;
};

// `--epsilon 2` might mean a limit of 2.
std::string by_how_much_fault(const char* name, const std::string& text) {
  return text.starts_with('+') ? ""
                               : fmt::format("it raises the limit by so much: write {0} +{1}", name, text);
}

void extend(const ExtendFlags& flags, const Common& common) {
  Ledger ledger = flags.open();
  ledger.extend(flags.by);
  const LedgerState state = ledger.state();
  common.json ? print_json(ledger_json(state)) : print_text(fmt::format("from now on {}\n", state.promise));
}

struct CopyFlags : LedgerFile {
  std::string output;
};

void backup(const CopyFlags& flags, const Common& common) {
  const LedgerCheck check = flags.open().backup(flags.output);
  if (!check.valid)
    throw Error(ErrorCode::failed,
                fmt::format("the copy '{}' is not intact: {}", flags.output, check.reason));
  if (common.json) return print_json(verdict_json(check.valid, check.reason));
  print_text(fmt::format("'{}' is a copy: {}\nKeep it apart from the key.\n", flags.output, check.reason));
}

struct ForgetFlags : LedgerFile {
  Ledger::Forgetting what;
};

void forget(const ForgetFlags& flags, const Common& common) {
  Ledger::check_forgetting(flags.what);
  Ledger ledger = flags.open();
  say_all(ledger.forget(flags.what));
  const LedgerState state = ledger.state();
  if (common.json) return print_json(ledger_json(state));
  print_text(
      fmt::format("forgotten; {} answers can be shown again. What was charged stays charged: epsilon = {}\n",
                  state.stored, spent_text(state.total.spent)));
}

std::uintmax_t size_of(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error)
    throw Error(ErrorCode::failed, fmt::format("cannot tell the size of '{}': {}", file, error.message()));
  return size;
}

void compact(const LedgerFile& flags, const Common& common) {
  Ledger ledger = flags.open();  // says what is wrong with the name
  const std::uintmax_t before = size_of(flags.ledger);
  ledger.compact();
  const std::uintmax_t after = size_of(flags.ledger);
  if (common.json) return print_json(compacted_json(before, after));
  print_text(fmt::format("{} bytes, {} before\n", after, before));
}

struct LineageFlags : LedgerFile {
  std::string graph;
  bool force = false;
};

void lineage(const LineageFlags& flags, const Common& common) {
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  Ledger ledger = flags.open();
  say_all(add_snapshot(ledger, {flags.graph, graph}, flags.force));
  const LedgerState state = ledger.state();
  if (common.json) return print_json(ledger_json(state));
  print_text(fmt::format("'{}' is snapshot {} of the graph; epsilon = {} {} is spent\n", flags.graph,
                         state.graph_count, spent_text(state.total.spent), of_limit(state.total)));
}

void add_init(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<InitFlags>();
  CLI::App* const verb = add_verb(app, common, "init", "Give a graph a budget",
                                  "hushwalk ledger init --graph friends.hwg --epsilon 1 -o friends.ledger",
                                  [flags, &common] { init(*flags, common); });
  verb->add_option("--graph", flags->graph, "A graph file")->required()->type_name("G");
  add_number(
      *verb, "--epsilon", [flags](double value) { flags->terms.epsilon.emplace(value); },
      "What all releases together may leak about an edge")
      ->type_name("TOTAL");
  add_delta(
      *verb, flags->terms.delta,
      "A chance of failure to allow for the total, so that many small releases cost less than their sum");
  add_number(
      *verb, "--per-recipient", [flags](double value) { flags->terms.per_recipient.emplace(value); },
      "The same limit for what one recipient sees")
      ->type_name("E");
  add_number(
      *verb, "--per-period", [flags](double value) { flags->per_period.emplace(value); },
      "What the releases of one period may leak about an edge")
      ->type_name("E");
  verb->add_option("--period", flags->period,
                   "How long a period is: days from now on, or month (default: 30d)")
      ->type_name("30d|month");
  verb->add_flag("--carry", flags->carry, "Add what a period leaves to the next");
  verb->add_option("--key", flags->key, "Where to make its key (default: $HUSHWALK_KEY, or L.key)")
      ->envname("HUSHWALK_KEY")
      ->type_name("FILE");
  verb->add_flag("--force", flags->force, "Make it though the graph has a ledger already");
  verb->add_option("-o,--output", flags->output, "The ledger to make; it must not exist")
      ->required()
      ->type_name("L");
}

void add_show(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<ShowFlags>();
  CLI::App* const verb =
      add_verb(app, common, "show", "What is spent, and by whom", "hushwalk ledger show friends.ledger",
               [flags, &common] { show(*flags, common); });
  flags->add_to(*verb);
  verb->add_flag("--recipients", flags->recipients,
                 "List all recipients (default: if there are at most 100)");
  add_count(*verb, "--top", flags->top, "List only so many, who have spent most")->type_name("N");
  add_key(*verb, flags->key);
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
  flags->add_to(*verb);
  verb->add_option(
          "--head", flags->head,
          "A head noted earlier (see `show`): it must be one of the entries, or this is an older copy")
      ->type_name("HASH");
  verb->add_flag("--accept-clock", flags->accepted.clock,
                 "After the clock was wrong: go on with the present time, if all is intact");
  verb->add_flag(
      "--accept-head", flags->accepted.head,
      "After the head beside the key was lost, or an older copy was put back: note that of the ledger, and charge what is known to be missing in it");
  add_key(*verb, flags->key);
}

void add_extend(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<ExtendFlags>();
  CLI::App* const verb =
      add_verb(app, common, "extend", "Raise a limit, for a reason that is kept",
               "hushwalk ledger extend friends.ledger --epsilon +1 --reason 'approved by the board'",
               [flags, &common] { extend(*flags, common); });
  flags->add_to(*verb);
  const auto add = [&](const char* name, std::optional<Epsilon>& value, const char* words) {
    add_number(
        *verb, name, [&value](double by) { value.emplace(by); }, words)
        ->type_name("+E")
        ->check(CLI::Validator([name](std::string& text) { return by_how_much_fault(name, text); }, ""));
  };
  add("--epsilon", flags->by.epsilon, "Raise the limit in all by so much");
  add("--per-recipient", flags->by.per_recipient, "Raise that of each recipient");
  add("--per-period", flags->by.per_period, "Raise that of each period");
  verb->add_option("--reason", flags->by.reason, "Why; kept in the ledger")->required()->type_name("TEXT");
  add_key(*verb, flags->key);
}

void add_export(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* const verb = add_verb(app, common, "export", "All entries, with the Rényi curve of every release",
                                  "hushwalk ledger export friends.ledger --format csv -o entries.csv",
                                  [flags, &common] { write_entries(*flags, common); });
  flags->add_to(*verb);
  add_format(*verb, flags->format, {"jsonl", "csv"});
  add_output(*verb, flags->output);
  add_mode(*verb, flags->permissions);
  add_key(*verb, flags->key);
}

void add_backup(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<CopyFlags>();
  CLI::App* const verb = add_verb(app, common, "backup", "Copy the ledger, while it is used",
                                  "hushwalk ledger backup friends.ledger -o /elsewhere/friends.copy",
                                  [flags, &common] { backup(*flags, common); });
  flags->add_to(*verb);
  verb->add_option("-o,--output", flags->output, "The copy to make; it must not exist")
      ->required()
      ->type_name("COPY");
  add_key(*verb, flags->key);
}

void add_forget(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<ForgetFlags>();
  CLI::App* const verb = add_verb(
      app, common, "forget", "Delete what was released, and refuse it from then on; charges stay",
      "hushwalk ledger forget friends.ledger --older-than 365", [flags, &common] { forget(*flags, common); });
  flags->add_to(*verb);
  add_count(*verb, "--older-than", flags->what.older_than,
            "All that was released so many days ago or earlier")
      ->type_name("DAYS");
  verb->add_option("--before", flags->what.before, "All before this time, as in 2026-01-31T12:00:00Z")
      ->type_name("TIME");
  verb->add_flag(
      "--new-epoch", flags->what.new_epoch,
      "All of it, and charge old questions anew from now on, with other noise; makes a key if it is lost");
  verb->add_flag(
      "--accept-head", flags->what.accept_head,
      "With --new-epoch, if key and head are both lost: take the ledger as it is, if it is intact");
  add_key(*verb, flags->key);
}

void add_compact(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<LedgerFile>();
  CLI::App* const verb =
      add_verb(app, common, "compact", "Give back the room of what was forgotten",
               "hushwalk ledger compact friends.ledger", [flags, &common] { compact(*flags, common); });
  flags->add_to(*verb);
  add_key(*verb, flags->key);
}

void add_lineage(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<LineageFlags>();
  CLI::App* const verb =
      add_verb(app, common, "lineage", "Declare a new snapshot of the same graph; budgets carry over",
               "hushwalk ledger lineage friends.ledger --graph friends-2027.hwg",
               [flags, &common] { lineage(*flags, common); });
  flags->add_to(*verb);
  verb->add_option("--graph", flags->graph, "The graph file of the new snapshot")->required()->type_name("G");
  verb->add_flag("--force", flags->force, "Declare it though the graph has another ledger already");
  add_key(*verb, flags->key);
}

}  // namespace

void add_ledger(CLI::App& app, Common& common) {
  CLI::App* const ledger = app.add_subcommand("ledger", "The privacy budget: make, read and check it");
  ledger->require_subcommand(1);
  ledger->footer("hushwalk ledger VERB --help shows the flags of a verb and an example.");
  for (const auto add : {add_init, add_show, add_cost, add_verify, add_export, add_lineage, add_extend,
                         add_backup, add_compact, add_forget})
    add(*ledger, common);
}

}  // namespace hushwalk::cli
