#include "hushwalk/own_account.h"

#include "base/fail.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"
#include "plan/certificate.h"

namespace hushwalk {

using namespace ledger;

LedgerAccount own_account(Ledger& ledger, const std::string& recipient) {
  if (recipient.empty() || !is_recipient_name(recipient))
    fail_usage("'{}' cannot be a recipient's name", recipient);
  Ledger::Impl& impl = ledger.impl();
  const std::scoped_lock lock(impl.mutex);
  return readable([&] {
    const Transaction snapshot(impl.database, Transaction::Kind::reading);
    impl.terms = impl.state.terms();
    return impl.account(recipient);
  });
}

double own_cost(const LedgerQuote& quote, const std::string& recipient) {
  double cost = 0;
  for (const LedgerQuote::Payment& payment : quote.for_custodian.payments)
    if (payment.recipient == recipient && !payment.published) cost += payment.epsilon;
  return cost;
}

}  // namespace hushwalk
