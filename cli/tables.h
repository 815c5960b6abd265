// Answers for people.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

std::unique_ptr<RankingWriter> table_ranking_writer(RankingHead head, Style style);

// `names` are the mechanisms that rows are of. Columns for which there is no room are left out, and named at
// the end.
std::unique_ptr<EvaluationWriter> table_evaluation_writer(const std::vector<std::string>& names, Style style);

// Seven digits, rounded up, since a smaller epsilon or noise would promise too much; or inf. JSON has all
// digits.
std::string number_text(double value);
// In the unit that fits: 350 ms, 2.5 s, 12 min, 7.8 h, 3 days.
std::string time_text(double seconds);
// What is spent, by whom, and what the ledger promises.
std::string ledger_table(const LedgerState& state, std::optional<std::size_t> width);
std::string of_limit(const LedgerAccount& account);  // "of 1"
// 56 MB, 5.6 GB.
std::string bytes_text(double bytes);
// Rows of cells under a row of names, each column as wide as its widest cell; where a row ends early its last
// cell has the rest of the width. Where all of it would be wider than `width`, cells are broken at spaces,
// and where that is not enough every row is written as lines of a name and a value.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::optional<std::size_t> width);
// A name and lines of text beside it.
std::string paragraph(std::string_view name, std::string_view text);
// A name and its value.
std::string row(std::string_view name, std::string_view value);

}  // namespace hushwalk::cli
