// Budgets in whole units of 1e-9, so that ten charges of 0.1 fill 1 exactly.
#pragma once

#include <cstdint>
#include <string>

namespace hushwalk::accounting {

using Units = std::int64_t;
inline constexpr Units units_per_one = 1'000'000'000;

// A number that somebody wrote: its shortest decimal text, which is what they wrote if that had at most 15
// digits. Up for a charge, down for a limit.
Units written_units_up(double value);
Units written_units_down(double value);

// A number that was computed, rounded up. Saturates: the maximum exceeds every budget.
Units computed_units_up(double value);

// Saturate: the maximum exceeds every budget.
Units plus(Units a, Units b);
Units times(Units a, std::uint64_t count);

std::string decimal(Units units);  // "0.3", "1"
double number(Units units);        // the closest double
double number_down(Units units);   // not above

}  // namespace hushwalk::accounting
