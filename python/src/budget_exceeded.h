// An error of a question that does not fit into its budget.
#pragma once

#include "hushwalk/answer.h"
#include "hushwalk/error.h"

namespace hushwalk::python {

class BudgetExceeded : public Error {
 public:
  explicit BudgetExceeded(const Error& error) : Error(error) {}
};

// Calls work(); when it is refused and `quote` says that a budget is why, the error says so, too.
template <class Work, class Quote>
auto within_budget(const std::shared_ptr<Ledger>& ledger, const Work& work, const Quote& quote) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused || !ledger) throw;
    bool fits = false;
    try {
      fits = quote().refusal.empty();
    } catch (const Error&) {
      fits = true;  // refused for another reason
    }
    if (fits) throw;
    throw BudgetExceeded(error);
  }
}

}  // namespace hushwalk::python
