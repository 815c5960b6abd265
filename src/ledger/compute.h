// What computing and certifying have in common.
#pragma once

#include <span>

#include "ledger/charge.h"

namespace hushwalk::ledger {

inline constexpr const char* stored_artefact_name = "the stored artefact";  // in messages

// In one transaction, each unless it is there already.
void store(Ledger::Impl& ledger, std::span<const Document> documents);

// The artefact that the store holds; made now if there is none.
Bytes stored_artefact(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Answer& answer,
                      const Graph& graph);

}  // namespace hushwalk::ledger
