#include <fmt/format.h>

#include "base/json.h"
#include "hushwalk/audit.h"

namespace hushwalk {

std::string meaning(const AuditReport& report) {
  if (report.violated())
    return fmt::format("the promise of epsilon = {:g} is broken: {}", report.claimed_epsilon,
                       report.findings.front());
  return fmt::format(
      "no attack got more out of {} than the {:g} it claims: the best one shows, at confidence {:.8g}, that epsilon is at least {:.4f}; one edge moved the numbers by {:.4f} of what is proved",
      report.mechanism, report.claimed_epsilon, report.confidence, report.epsilon_lower_bound,
      report.worst_sensitivity_ratio);
}

std::string audit_json(const AuditReport& report) {
  Json json = {{"mechanism", report.mechanism},
               {"scope", name(report.scope)},
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
    json["cases"].push_back({{"graphs", row.graphs},
                             {"setting", row.setting},
                             {"sensitivity_ratio", row.sensitivity_ratio},
                             {"epsilon_lower_bound", optional_json(row.epsilon_lower_bound)}});
  return json.dump(2);
}

std::string attack_json(const ReleaseParameters& attacked, std::uint64_t trials,
                        std::span<const AttackRow> rows) {
  Json json = {{"mechanism", attacked.mechanism}, {"scope", name(attacked.scope)}, {"trials", trials}};
  for (const AttackRow& row : rows)
    json["attack"].push_back({{"epsilon", number_json(row.epsilon)},
                              {"success", row.success},
                              {"success_ci", row.success_ci},
                              {"ceiling", row.ceiling}});
  return json.dump(2);
}

}  // namespace hushwalk
