// A budget for each period of time. docs/math/24-periods.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/budget.h"

namespace hushwalk::ledger {

std::string time_text(std::chrono::system_clock::time_point time);  // UTC, as in 2026-01-31T12:00:00Z
std::chrono::sys_seconds time_of(std::string_view text);            // Damage when it is not such a text

struct Periods {
  Units units = 0;     // what one period may spend
  int days = 0;        // how long it is; 0: a month of the calendar, in UTC
  bool carry = false;  // what a period leaves is added to the next
  std::string start;   // of the first: when the ledger was made

  // Counted from 0; what a clock says, which may be wrong.
  std::int64_t index(std::string_view time) const;
  std::string begin(std::int64_t index) const;
  // What may be spent in this period; with `carry`, in it and all before it.
  Budget budget(std::int64_t index, const Budget& total) const;
};

}  // namespace hushwalk::ledger
