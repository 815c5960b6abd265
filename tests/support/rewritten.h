// A ledger as another program would have written it, whose chain fits.
#pragma once

#include <functional>

#include "ledger/ledger_impl.h"
#include "support/ledgers.h"

namespace hushwalk::testing {

// Rewrites an entry so that its hash, those after it and the head fit.
inline void rewrite(TestLedger& ledger, std::int64_t sequence,
                    const std::function<void(ledger::Json&)>& alter) {
  std::vector<ledger::Entry> entries;
  ledger->impl().state.each([&](const ledger::Entry& entry) { entries.push_back(entry); });
  const ledger::Database raw = ledger::Database::open(ledger.path());
  std::string hash;
  for (ledger::Entry& entry : entries) {
    if (entry.sequence == sequence) alter(entry.body);
    const std::string body = entry.body.dump();
    hash = ledger::entry_hash(hash, entry.sequence, entry.at, entry.kind, body);
    ledger::Statement(raw, "UPDATE entry SET body = ?1, hash = ?2 WHERE sequence = ?3")
        .bind(body, hash, entry.sequence)
        .run();
  }
  ledger::Statement(raw, "UPDATE head SET hash = ?1").bind(hash).run();
  ledger::HeadFile::create(ledger.path().string() + ".key.head",
                           {ledger->impl().terms.ledger_id, entries.back().sequence, hash, 0});
}

inline void rewrite_last(TestLedger& ledger, const std::function<void(ledger::Json&)>& alter) {
  rewrite(ledger, ledger->impl().state.last()->sequence, alter);
}

}  // namespace hushwalk::testing
