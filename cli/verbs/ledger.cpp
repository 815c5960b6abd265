#include <algorithm>
#include <cmath>
#include <memory>

#include "rank_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct InitFlags {
  std::string graph, output;
  double epsilon = 0;
  std::optional<double> delta, per_recipient;
};

std::string init_words(const InitFlags& flags, const LedgerState& state) {
  return fmt::format(
      "'{}' counts for '{}': epsilon = {:.9g}{} in all{}.\nUse it with: hushwalk rank {} --ledger {} "
      "--seed V --epsilon E\n",
      flags.output, flags.graph, state.total.limit,
      state.delta ? fmt::format(", delta = {}", *state.delta) : "",
      flags.per_recipient ? fmt::format(", {:.9g} for each recipient", *flags.per_recipient) : "",
      flags.graph, flags.output);
}

Json init_json(const LedgerState& state) {
  return {{"ledger_id", state.ledger_id},
          {"graph_id", state.graph_ids.front()},
          {"epsilon", state.total.limit},
          {"delta", state.delta ? Json(*state.delta) : Json(nullptr)},
          {"head", state.head}};
}

void init(const InitFlags& flags, const Common& common) {
  LedgerTerms terms{.epsilon = Epsilon(flags.epsilon)};
  if (flags.delta) terms.delta = Delta(*flags.delta);
  if (flags.per_recipient) terms.per_recipient = Epsilon(*flags.per_recipient);
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  Ledger::create(flags.output, public_facts(graph), terms);
  try {
    const LedgerState state = Ledger(flags.output).state();
    print_out(common.json ? init_json(state).dump(2) + "\n" : init_words(flags, state));
  } catch (const Error& error) {  // it stays: another command may have charged it already
    throw Error(error.code(),
                fmt::format("{}; the ledger '{}' was made, and is whole", error.what(), flags.output));
  }
}

Json number_or_inf(double value) { return std::isinf(value) ? Json("inf") : Json(value); }

Json account_json(const LedgerAccount& account) {
  return {{"epsilon", number_or_inf(account.limit)},
          {"spent", account.spent},
          {"left", number_or_inf(account.left)},
          {"releases", account.releases}};
}

Json state_json(const LedgerState& state) {
  Json document = {{"ledger_id", state.ledger_id}, {"graph_ids", state.graph_ids}};
  document.update(account_json(state.total));
  document["delta"] = state.delta ? Json(*state.delta) : Json(nullptr);
  document["order"] = state.order ? Json(*state.order) : Json(nullptr);
  document["recipients"] = Json::array();
  for (const LedgerAccount& account : state.recipients) {
    Json row = {{"recipient", account.recipient}};
    row.update(account_json(account));
    document["recipients"].push_back(std::move(row));
  }
  document["published"] = account_json(state.published);
  document["stored_answers"] = state.stored;
  document["unfinished"] = state.unfinished;
  document["entries"] = state.entries;
  document["updated"] = state.updated;
  document["head"] = state.head;
  return document;
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
  text += fmt::format("entries     {}, the last of {}\nhead        {}\n", state.entries, state.updated,
                      state.head);
  return text;
}

void show(const std::string& path, const Common& common) {
  const LedgerState state = Ledger(path).state();
  print_out(common.json ? state_json(state).dump(2) + "\n" : state_text(state));
}

Json payments_json(const LedgerQuote& quote) {
  Json list = Json::array();
  for (const auto& [recipient, epsilon, published] : quote.payments) {
    list.push_back({{"recipient", recipient}, {"cost", epsilon}});
    if (published) list.back()["published"] = true;
  }
  return list;
}

void cost(const RankFlags& flags, const Common& common) {
  flags.check(common);
  if (!flags.ledger.ledger) usage_error("say which ledger: --ledger L");
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  const std::vector<SeedVector> seeds = flags.seeds.find(graph);
  const Ledger ledger(*flags.ledger.ledger);
  const auto artefact = flags.open_artefact();
  if (artefact) check_charged(ledger, public_facts(graph), *artefact);
  const LedgerQuote quote =
      ledger.quote(graph, flags.ledger.request(flags.request(seeds, artefact ? &*artefact : nullptr), seeds));
  if (common.json)
    return print_out(Json{{"rankings", quote.rankings},
                          {"new_releases", quote.charged},
                          {"cost", quote.epsilon},
                          {"recipients", payments_json(quote)},
                          {"spent", quote.spent_before},
                          {"spent_after", quote.total.spent},
                          {"epsilon", quote.total.limit},
                          {"fits", quote.refusal.empty()},
                          {"reason", quote.refusal}}
                         .dump(2) +
                     "\n");
  print_out(fmt::format(
      "{} ranking{}, {} new release{}: {:.9g} would be charged to the total{}; {:.9g} of {:.9g} is spent{}\n",
      quote.rankings, quote.rankings == 1 ? "" : "s", quote.charged, quote.charged == 1 ? "" : "s",
      quote.epsilon, payments_words(quote), quote.spent_before, quote.total.limit,
      quote.refusal.empty() ? fmt::format(", {:.9g} would be", quote.total.spent)
                            : "\nIt does not fit: " + quote.refusal));
}

struct VerifyFlags {
  std::string ledger;
  std::optional<std::string> head;
  bool accept_clock = false;
};

void verify(const VerifyFlags& flags, const Common& common) {
  const LedgerCheck check = verify_ledger(flags.ledger, flags.head);
  if (check.valid && flags.accept_clock) Ledger(flags.ledger).accept_clock();
  if (common.json) print_out(Json{{"valid", check.valid}, {"reason", check.reason}}.dump(2) + "\n");
  if (!check.valid)
    throw Error(ErrorCode::failed,
                fmt::format("the ledger '{}' is not intact: {}", flags.ledger, check.reason));
  if (!common.json) print_out(fmt::format("intact: {}\n", check.reason));
}

struct ExportFlags {
  std::string ledger, format = "jsonl";
  std::optional<std::string> output;
  Permissions permissions;
};

Json curve_json(const LedgerEntry& entry) {
  Json curve = Json::array();
  for (std::size_t i = 0; i < entry.rdp.size(); ++i)
    curve.push_back(
        {{"order", number_or_inf(PrivacyCost::orders()[i])}, {"rdp", number_or_inf(entry.rdp[i])}});
  return curve;
}

std::string json_line(const LedgerEntry& entry) {
  Json line = {{"sequence", entry.sequence}, {"at", entry.at}, {"kind", entry.kind}};
  line["event"] = Json::parse(entry.body);
  if (entry.epsilon) line["epsilon"] = *entry.epsilon;
  if (entry.recipient_epsilon) line["recipient_epsilon"] = *entry.recipient_epsilon;
  if (!entry.rdp.empty()) line["curve"] = curve_json(entry);
  line["hash"] = entry.hash;
  return line.dump() + "\n";
}

std::string csv_head() {
  std::string line = "sequence,at,kind,source,mechanism,recipient,epsilon,recipient_epsilon";
  for (const double order : PrivacyCost::orders()) line += fmt::format(",rdp_{}", order);
  return line + ",hash\n";
}

std::string csv_line(const LedgerEntry& entry) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  std::string line =
      fmt::format("{},{},{},{},{},{},{},{}", entry.sequence, entry.at, entry.kind, entry.source,
                  csv_field(entry.mechanism), csv_field(entry.published ? "(everybody)" : entry.recipient),
                  number(entry.epsilon), number(entry.recipient_epsilon));
  for (std::size_t i = 0; i < PrivacyCost::orders().size(); ++i)
    line += entry.rdp.empty() ? "," : fmt::format(",{}", entry.rdp[i]);
  return line + fmt::format(",{}\n", entry.hash);
}

void write_entries(const ExportFlags& flags) {
  check_inputs({flags.ledger}, flags.output);
  const Ledger ledger(flags.ledger);
  std::optional<OutputFile> file;
  if (flags.output) file.emplace(*flags.output, FileKind::text, flags.permissions);
  const auto write = [&](const std::string& text) { file ? file->write(text) : print_out(text); };
  const bool csv = flags.format == "csv";
  if (csv) write(csv_head());
  ledger.each_entry([&](const LedgerEntry& entry) { write(csv ? csv_line(entry) : json_line(entry)); });
  if (file) file->commit();
}

struct LineageFlags {
  std::string ledger, graph;
};

void lineage(const LineageFlags& flags, const Common& common) {
  const Graph graph = open_lasting_graph(flags.graph, progress_bar());
  Ledger ledger(flags.ledger);
  ledger.add_snapshot(public_facts(graph));
  const LedgerState state = ledger.state();
  if (common.json) return print_out(state_json(state).dump(2) + "\n");
  print_out(fmt::format("'{}' is snapshot {} of the graph; {:.9g} of epsilon = {:.9g} is spent\n",
                        flags.graph, state.graph_ids.size(), state.total.spent, state.total.limit));
}

CLI::Option* add_ledger_file(CLI::App& verb, std::string& path) {
  return verb.add_option("ledger", path, "The ledger")->required()->type_name("L");
}

void add_init(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<InitFlags>();
  CLI::App* const verb = add_verb(app, common, "init", "Give a graph a budget",
                                  "hushwalk ledger init --graph friends.hwg --epsilon 1 -o friends.ledger",
                                  [flags, &common] { init(*flags, common); });
  verb->add_option("--graph", flags->graph, "A graph file")->required()->type_name("G");
  verb->add_option("--epsilon", flags->epsilon, "What all releases together may leak about an edge")
      ->required()
      ->type_name("TOTAL");
  verb->add_option(
          "--delta", flags->delta,
          "A chance of failure to allow for the total, so that many small releases cost less than their sum")
      ->type_name("D");
  verb->add_option("--per-recipient", flags->per_recipient, "The same limit for what one recipient sees")
      ->type_name("E");
  verb->add_option("-o,--output", flags->output, "The ledger to make; it must not exist")
      ->required()
      ->type_name("L");
}

void add_show(CLI::App& app, Common& common) {
  const auto path = std::make_shared<std::string>();
  CLI::App* const verb =
      add_verb(app, common, "show", "What is spent, and by whom", "hushwalk ledger show friends.ledger",
               [path, &common] { show(*path, common); });
  add_ledger_file(*verb, *path);
}

void add_cost(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<RankFlags>();
  CLI::App* const verb =
      add_verb(app, common, "cost", "What a `rank` command would charge: the same flags, spending nothing",
               "hushwalk ledger cost friends.hwg --ledger friends.ledger --seed 17 --epsilon 0.1",
               [flags, &common] { cost(*flags, common); });
  flags->add_to(*verb);
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
  verb->add_option("--format", flags->format, "jsonl or csv (default: jsonl)")
      ->check(CLI::IsMember({"jsonl", "csv"}).description(""))
      ->type_name("NAME");
  verb->add_option("-o,--output", flags->output, "Write to this file instead of standard output")
      ->type_name("FILE");
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
  add_init(*ledger, common);
  add_show(*ledger, common);
  add_cost(*ledger, common);
  add_verify(*ledger, common);
  add_export(*ledger, common);
  add_lineage(*ledger, common);
}

}  // namespace hushwalk::cli
