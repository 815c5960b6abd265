// What computing and certifying have in common.
#pragma once

#include <span>

#include "ledger/charge.h"

namespace hushwalk::ledger {

inline constexpr const char* stored_artefact_name = "the stored artefact";  // in messages

// Error{refused} when another version of release arithmetic would compute it.
void check_arithmetic(const ChargedPlan& charged, const Plan& plan);

// Error{failed} when this version would charge more for what another one charged and did not finish.
void check_charged_enough(Ledger::Impl& ledger, const Drawn& charged, const Plan& plan);

// The artefact that the store holds; made now if there is none.
std::shared_ptr<const SharedArtefact> stored_artefact(Ledger::Impl& ledger, const LedgerCharge::Impl& charge,
                                                      const Answer& answer, const Graph& graph,
                                                      const Progress& progress);

}  // namespace hushwalk::ledger
