// What one recipient may be told of a ledger: what is their own, and nothing of others or of the total.
#pragma once

#include <string>

#include "hushwalk/ledger.h"

namespace hushwalk {

// What they have paid for and what was published, under their limit; of somebody who has asked nothing yet,
// what was published. Error{usage} when nobody can have this name.
LedgerAccount own_account(Ledger& ledger, const std::string& recipient);

// What is added to their account by what was quoted or charged.
double own_cost(const LedgerQuote& quote, const std::string& recipient);

}  // namespace hushwalk
