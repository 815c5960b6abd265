#include <cmath>
#include <memory>

#include "release_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  bool attack = false;
  AuditRequest request;
};

std::string to_text(const AuditReport& report) {
  std::vector<std::vector<std::string>> rows = {
      {"graphs that differ in one edge", "setting", "of bound", "epsilon ≥"}};
  for (const AuditCase& row : report.cases)
    rows.push_back({row.graphs, row.setting, fmt::format("{:.4f}", row.sensitivity_ratio),
                    row.epsilon_lower_bound ? fmt::format("{:.4f}", *row.epsilon_lower_bound) : ""});
  std::string text = columns(rows, style_of().width);
  text += "\n";
  for (const std::string& finding : report.findings) text += fmt::format("BROKEN: {}\n", finding);
  return text + fmt::format("{}: {}.\n", report.verdict(), meaning(report));
}

std::string to_text(std::span<const AttackRow> rows) {
  std::string text = "epsilon  right guesses    ceiling\n";
  for (const AttackRow& row : rows)
    text += fmt::format("{:<7}  {:.4f} ± {:.4f}  {:.4f}\n",
                        std::isinf(row.epsilon) ? "exact" : fmt::format("{:g}", row.epsilon), row.success,
                        row.success_ci, row.ceiling);
  return text;
}

// Zachary's karate club: does member 3 know member 10, by what member 1 is told?
void run_attack(const AuditRequest& request, const Common& common) {
  constexpr double epsilons[] = {0.01, 0.03, 0.1, 0.3, 1, 2, 3, 5, 10};
  const auto rows =
      link_attack(generate("karate"), {2, 9}, 0, request.release, epsilons, request.trials, progress_bar());
  common.json ? print_json(attack_json(request.release, request.trials, rows)) : print_text(to_text(rows));
}

void run(const Flags& flags, const Common& common) {
  check_mechanism(flags.request.release.mechanism);
  if (flags.attack) return run_attack(flags.request, common);
  const AuditReport report = audit(flags.request, progress_bar());
  common.json ? print_json(audit_json(report)) : print_text(to_text(report));
  if (report.violated())
    throw Error(ErrorCode::failed, fmt::format("{} is not as private as it claims", report.mechanism));
}

}  // namespace

void add_audit(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  AuditRequest& request = flags->request;
  CLI::App* const verb =
      add_verb(app, common, "audit", "Attack a mechanism and see whether its promise holds",
               "hushwalk audit --mechanism twohop --epsilon 1 --trials 100000",
               [flags, &common] { run(*flags, common); });
  verb->add_option("--mechanism", request.release.mechanism, "Which one (default: auto)")->type_name("NAME");
  add_epsilon(*verb, request.release.epsilon, "The privacy it claims (default: 1)");
  add_scope(*verb, request.release.scope);
  add_count(*verb, "--trials", request.trials,
            "Releases of each of two adjacent graphs, for every case (default: 100000)")
      ->type_name("COUNT");
  verb->add_option("--confidence", request.confidence,
                   "That the lower bound on epsilon is one, all cases together (default: 1 - 1e-6)")
      ->type_name("P");
  verb->add_flag("--attack", flags->attack,
                 "Instead, guess an edge of a built-in graph from answers at many epsilons");
  verb->add_flag("--sensitivity", request.sensitivity,
                 "Also climb over graphs and edges for the largest change");
}

}  // namespace hushwalk::cli
