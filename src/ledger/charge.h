// One transaction that looks up every ranking of a request and charges what is new, or nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ledger/ledger_impl.h"

namespace hushwalk::ledger {

struct Charge {
  LedgerQuote quote;
  std::vector<Answer> answers;  // one for each ranking; or the artefact, where only that was asked for
  // Of a single ranking that was stored, read along with the look-up.
  std::optional<PrivateScores> only_scores = {};
  std::shared_ptr<const KnownPlan> known = {};  // of what was charged just now
};

enum class Commit { yes, never };

// What one ranking of a plan, with its privacy_cost(), adds to the accounts.
Drawn cost_of(const Plan& plan, const PrivacyCost& cost, const Terms& terms);

// Error{refused} when it does not fit; with Commit::never the quote says so instead, and nothing is charged.
Charge charge(Ledger::Impl& ledger, const Graph& graph, const LedgerRequest& request, Commit commit);

}  // namespace hushwalk::ledger

namespace hushwalk {

struct LedgerCharge::Impl {
  ledger::Charge charge;
  LedgerRequest request;
  PublicFacts graph;
  std::string audience;   // in edge scope, who was charged
  std::string ledger_id;  // by whom

  // Error{usage} when another ledger charged it: nothing may be drawn, stored or certified on another's
  // charge.
  void check_charged_by(const Ledger::Impl& ledger) const;

  // Error{usage} when it was charged for another graph, of which nothing may be told.
  void check_charged_for(const Graph& other) const;

  // What was charged says what is computed.
  Plan plan_of(const ledger::Answer& answer) const;
};

}  // namespace hushwalk
