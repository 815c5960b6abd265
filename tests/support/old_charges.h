// Charges and answers as version 2 of the ledger wrote them: plans in every charge, scores in the store.
#pragma once

#include "ledger/charge.h"
#include "plan/certificate.h"
#include "support/ledgers.h"
#include "support/stored_answer.h"

namespace hushwalk::testing {

// But for what `alter` does to its entry; the key of the answer.
template <class Alter>
std::string charge_as_before(TestLedger& ledger, const LedgerRequest& request, Alter alter) {
  Ledger::Impl& impl = ledger->impl();
  const Plan plan = make_plan(ledger.graph().facts(), request.release);
  const ledger::NamedSeeds seeds = ledger::named(request.seeds.at(0), ledger.graph().node_list());
  const std::string name = seeds.front().first, key = ledger::answer_key(plan, seeds);
  const std::string source = plan.one_artefact() ? ledger::artefact_key(plan) : key;
  ledger::Json body = {{"graph_id", plan.graph.graph_id},
                       {"recipient", name},
                       {"seeds", {name}},
                       {"new_owners", {name}},
                       {"request", ledger::request_key(plan.graph.graph_id, request.release, seeds)},
                       {"plan", plan_document(plan)},
                       {"answer", key},
                       {"source", source},
                       {"release", {{"mechanism", plan.parameters.mechanism}, {"epsilon", plan.epsilon()}}},
                       {"pays", true}};
  if (!impl.state.source(source)) {
    const ledger::Drawn cost = ledger::cost_of(plan, privacy_cost(plan), impl.terms);
    body["cost"] = {{"units", cost.total.units}, {"rdp", 0.0}, {"recipient_rdp", 0.0}};
  }
  alter(body);
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  ledger->impl().state.append(ledger->impl().now(), ledger::kind_charge, body);
  transaction.commit();
  return body.at("answer");
}
inline std::string charge_as_before(TestLedger& ledger, const LedgerRequest& request) {
  return charge_as_before(ledger, request, [](ledger::Json&) {});
}

inline void store(Ledger& ledger, const ledger::Document& document) {
  ledger::Transaction transaction(ledger.impl().database, ledger::Transaction::Kind::writing);
  ledger.impl().documents.store(ledger.impl().now(), std::span(&document, 1));
  transaction.commit();
}

inline ledger::Bytes bytes_of(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

// Charged and stored; what was stored.
inline std::vector<double> release_as_before(TestLedger& ledger, const LedgerRequest& request) {
  const std::string key = charge_as_before(ledger, request);
  PrivateScores scores{std::vector<double>(ledger.graph().nodes(), 0.25)};
  const Plan plan = make_plan(ledger.graph().facts(), request.release);
  store(*ledger, {ledger::answer_document(key), encode({digest_of(plan_document(plan)), scores})});
  return scores.scores;
}

}  // namespace hushwalk::testing
