#include <memory>

#include "release_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string mechanism = "auto", scope = "personalized";
  double epsilon = 1;
  bool attack = false;
  AuditRequest request;

  AuditRequest parsed() const {
    AuditRequest made = request;
    made.mechanism = mechanism;
    made.scope = parsed_scope(scope);
    made.epsilon = Epsilon(epsilon);
    return made;
  }
};

std::string meaning(const AuditReport& report) {
  if (report.violated())
    return fmt::format("the promise of epsilon = {:g} is broken: {}", report.claimed_epsilon,
                       report.findings.front());
  return fmt::format(
      "no attack got more out of {} than the {:g} it claims: the best one shows, at confidence {:.8g}, that "
      "epsilon is at least {:.4f}; one edge moved the numbers by {:.4f} of what is proved",
      report.mechanism, report.claimed_epsilon, report.confidence, report.epsilon_lower_bound,
      report.worst_sensitivity_ratio);
}

Json to_json(const Flags& flags, const AuditReport& report) {
  Json json = {{"mechanism", report.mechanism},
               {"scope", flags.scope},
               {"claimed_epsilon", report.claimed_epsilon},
               {"epsilon_lower_bound", report.epsilon_lower_bound},
               {"confidence", report.confidence},
               {"trials", report.trials},
               {"verdict", report.verdict()},
               {"worst_sensitivity_ratio", report.worst_sensitivity_ratio},
               {"worst_graphs", report.worst_graphs},
               {"meaning", meaning(report)},
               {"findings", report.findings},
               {"cases", Json::array()}};
  for (const AuditCase& row : report.cases)
    json["cases"].push_back(
        {{"graphs", row.graphs},
         {"setting", row.setting},
         {"sensitivity_ratio", row.sensitivity_ratio},
         {"epsilon_lower_bound", row.epsilon_lower_bound ? Json(*row.epsilon_lower_bound) : Json(nullptr)}});
  return json;
}

std::string to_text(const AuditReport& report) {
  std::string text = fmt::format("{:<32}  {:<34}  {:>9}  {:>9}\n", "graphs that differ in one edge",
                                 "setting", "of bound", "epsilon ≥");
  for (const AuditCase& row : report.cases)
    text += fmt::format("{:<32}  {:<34}  {:>9.4f}  {:>9}\n", row.graphs, row.setting, row.sensitivity_ratio,
                        row.epsilon_lower_bound ? fmt::format("{:.4f}", *row.epsilon_lower_bound) : "");
  text += "\n";
  for (const std::string& finding : report.findings) text += fmt::format("BROKEN: {}\n", finding);
  return text + fmt::format("{}: {}.\n", report.verdict(), meaning(report));
}

// Zachary's karate club: does member 3 know member 10, by what member 1 is told?
std::vector<AttackRow> attack_karate(const Flags& flags) {
  constexpr double epsilons[] = {0.01, 0.03, 0.1, 0.3, 1, 2, 3, 5, 10};
  ReleaseRequest request;
  request.mechanism = flags.mechanism;
  request.scope = parsed_scope(flags.scope);
  return link_attack(generate("karate"), {2, 9}, 0, request, epsilons, flags.request.trials, progress_bar());
}

void run_attack(const Flags& flags, const Common& common) {
  Json json = {{"mechanism", flags.mechanism}, {"scope", flags.scope}, {"trials", flags.request.trials}};
  std::string text = "epsilon  right guesses    ceiling\n";
  for (const AttackRow& row : attack_karate(flags)) {
    const bool exact = row.epsilon > 1e6;
    json["attack"].push_back({{"epsilon", exact ? Json("inf") : Json(row.epsilon)},
                              {"success", row.success},
                              {"success_ci", row.success_ci},
                              {"ceiling", row.ceiling}});
    text +=
        fmt::format("{:<7}  {:.4f} ± {:.4f}  {:.4f}\n", exact ? "exact" : fmt::format("{:g}", row.epsilon),
                    row.success, row.success_ci, row.ceiling);
  }
  print_out(common.json ? json.dump(2) + "\n" : text);
}

void run(const Flags& flags, const Common& common) {
  refuse_several_processes();
  if (flags.attack) return run_attack(flags, common);
  const AuditReport report = audit(flags.parsed(), progress_bar());
  print_out(common.json ? to_json(flags, report).dump(2) + "\n" : to_text(report));
  if (report.violated())
    throw Error(ErrorCode::failed, fmt::format("{} is not as private as it claims", report.mechanism));
}

}  // namespace

void add_audit(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "audit", "Attack a mechanism and see whether its promise holds",
               "hushwalk audit --mechanism twohop --epsilon 1 --trials 100000",
               [flags, &common] { run(*flags, common); });
  verb->add_option("--mechanism", flags->mechanism, "Which one (default: auto)")->type_name("NAME");
  verb->add_option("--epsilon", flags->epsilon, "The privacy it claims (default: 1)")->type_name("E");
  add_scope(*verb, flags->scope);
  add_count(*verb, "--trials", flags->request.trials,
            "Releases of each of two adjacent graphs, for every case (default: 100000)")
      ->type_name("COUNT");
  verb->add_option("--confidence", flags->request.confidence,
                   "That the lower bound on epsilon is one, all cases together (default: 1 - 1e-6)")
      ->type_name("P");
  verb->add_flag("--attack", flags->attack,
                 "Instead, guess an edge of a built-in graph from answers at many epsilons");
  verb->add_flag("--sensitivity", flags->request.sensitivity,
                 "Also climb over graphs and edges for the largest change");
}

}  // namespace hushwalk::cli
