// What the terms of a ledger promise, for certificates and people.
#pragma once

#include "hushwalk/certificate.h"
#include "ledger/books.h"

namespace hushwalk::ledger {

inline LedgerPromise promise_of(const Terms& terms) {
  LedgerPromise promise;
  if (terms.total.limited) promise.epsilon = number(terms.total.units);
  promise.delta = terms.total.delta;
  if (!terms.periods) return promise;
  promise.per_period = number(terms.periods->units);
  promise.days = terms.periods->days;
  promise.carry = terms.periods->carry;
  return promise;
}

}  // namespace hushwalk::ledger
