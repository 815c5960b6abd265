// Answers for people.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common.h"

namespace hushwalk::cli {

std::unique_ptr<RankingWriter> table_ranking_writer(RankingHead head);

// `names` are the mechanisms that rows are of.
std::unique_ptr<EvaluationWriter> table_evaluation_writer(const std::vector<std::string>& names);

// All digits, since a shorter number could be too small; or inf.
std::string number_text(double value);
// A name and its value.
std::string row(std::string_view name, std::string_view value);

}  // namespace hushwalk::cli
