#include "ledger/periods.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cstdio>

#include "base/fail.h"
#include "hushwalk/ledger.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

using namespace std::chrono;

std::int64_t month_number(sys_seconds time) {
  const year_month_day day(floor<std::chrono::days>(time));
  return static_cast<std::int64_t>(static_cast<int>(day.year())) * 12 +
         static_cast<std::int64_t>(static_cast<unsigned>(day.month())) - 1;
}

sys_seconds month_begin(std::int64_t number) {
  const year_month_day first{year(static_cast<int>(number / 12)),
                             month(static_cast<unsigned>(number % 12 + 1)), day(1)};
  return sys_days(first);
}

}  // namespace

std::string time_text(system_clock::time_point time) {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(system_clock::to_time_t(time)));
}

sys_seconds time_of(std::string_view text) {
  int year_number = 0, hours_number = 0, minutes_number = 0, seconds_number = 0;
  unsigned month_number = 0, day_number = 0;
  const std::string copy(text);
  const int read = std::sscanf(copy.c_str(), "%4d-%2u-%2uT%2d:%2d:%2dZ", &year_number, &month_number,
                               &day_number, &hours_number, &minutes_number, &seconds_number);
  const year_month_day date{year(year_number), month(month_number), day(day_number)};
  if (read != 6 || !date.ok()) fail_damaged("'{}' is not a time", text);
  return sys_days(date) + hours(hours_number) + minutes(minutes_number) + seconds(seconds_number);
}

std::int64_t Periods::index(std::string_view time) const {
  const sys_seconds now = time_of(time), first = time_of(start);
  if (now <= first) return 0;
  if (days == 0) return month_number(now) - month_number(first);
  return (now - first) / seconds(std::chrono::days(days));
}

std::string Periods::begin(std::int64_t index) const {
  const sys_seconds first = time_of(start);
  if (index == 0) return start;
  return time_text(days == 0 ? month_begin(month_number(first) + index)
                             : first + seconds(std::chrono::days(days)) * index);
}

Budget Periods::budget(std::int64_t index, const Budget& total) const {
  Budget budget = total;
  budget.limited = true;
  budget.units = carry ? times(units, static_cast<std::uint64_t>(index) + 1) : units;
  return budget;
}

}  // namespace hushwalk::ledger

namespace hushwalk {
namespace {

int days_of(const std::string& period) {
  if (period == "month") return 0;
  const std::string days = period.substr(0, period.empty() ? 0 : period.size() - 1);
  if (!period.ends_with('d') || days.empty() || days.size() > 5 || days[0] == '0' ||
      days.find_first_not_of("0123456789") != days.npos)
    fail_usage("`period` is so many days, as in 30d, or month; not '{}'", period);
  return std::stoi(days);
}

}  // namespace

std::optional<PeriodTerms> period_terms(std::optional<Epsilon> per_period,
                                        const std::optional<std::string>& period, bool carry) {
  if (!per_period && (carry || period)) fail_usage("`{}` goes with `per_period`", carry ? "carry" : "period");
  if (!per_period) return std::nullopt;
  return PeriodTerms{*per_period, days_of(period.value_or("30d")), carry};
}

}  // namespace hushwalk
