// One transaction that looks up every ranking of a request and charges what is new, or nothing.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ledger/ledger_impl.h"
#include "mechanism/keyed_release.h"

namespace hushwalk::ledger {

struct Charge {
  LedgerQuote quote;
  std::vector<Answer> answers;  // one for each ranking; or the artefact, where only that was asked for
  std::shared_ptr<const KnownPlan> known = {};  // that this program made last, for this question or another
};

enum class Commit { yes, never };

// Who the certificate of all these answers names.
std::string audience_of(Ledger::Impl& ledger, const LedgerRequest& request, std::span<const Answer> answers);

}  // namespace hushwalk::ledger

namespace hushwalk {

struct LedgerCharge::Impl {
  ledger::Charge charge;
  LedgerRequest request;
  PublicFacts graph;
  std::string audience;   // in edge scope, who was charged
  std::string ledger_id;  // by whom
  std::string salt;       // of the epoch
  Sha256 content;         // of the graph; secret

  // What is computed by one plan, and the artefact: kept while answers are asked for.
  mutable std::map<const ledger::ChargedPlan*, std::shared_ptr<KeyedRelease>> releases = {};
  mutable std::shared_ptr<const SharedArtefact> artefact = {};
  struct Listed {
    const ledger::ChargedPlan* plan;
    Listing listing;
    std::shared_ptr<const ArtefactAnswers> answers;
  };
  mutable std::optional<Listed> listed = {};  // the last
  mutable std::string file_salt = {};         // of all rankings in one file
  mutable std::mutex mutex = {};
  mutable std::map<std::string, Plan> plans = {};  // by digest, as read from what was charged earlier
  mutable std::mutex plans_mutex = {};

  // Error{usage} when another ledger charged it: nothing may be drawn, stored or certified on another's
  // charge.
  void check_charged_by(const Ledger::Impl& ledger) const;

  // Error{usage} when it was charged for another graph, of which nothing may be told.
  void check_charged_for(const Graph& other) const;

  bool made_now(const ledger::ChargedPlan& plan) const;  // by this program: it priced the plan itself
  // What was charged says what is computed.
  const Plan& plan_of(const ledger::ChargedPlan& plan) const;
};

}  // namespace hushwalk
