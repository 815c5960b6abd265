// Why a request is refused, and who is told what.
#pragma once

#include <string>

#include "hushwalk/ledger.h"
#include "ledger/books.h"

namespace hushwalk::ledger {

// Error{usage} when a request contradicts itself, Error{refused} when no budget could hold it.
void check_request(const LedgerRequest& request);

struct Refusal {
  std::string message, for_custodian;
};

struct Asker {
  std::string account;    // the one that does not hold
  std::string recipient;  // whom the request names
};
Refusal refusal_of(const Asker& asker, const Budget& budget, const Account& before, const Account& after);
// Of a period, which all share.
Refusal refusal_in(const Periods& periods, std::int64_t index, const Budget& budget, const Account& before,
                   const Account& after);

}  // namespace hushwalk::ledger
