// Rows of an evaluation as a table, CSV, JSON lines or one JSON document, written one by one.
#pragma once

#include <memory>
#include <string>

#include "common.h"

namespace hushwalk::cli {

class EvaluationWriter {
 public:
  virtual ~EvaluationWriter() = default;
  virtual std::string begin() { return ""; }
  virtual std::string row(const EvaluationRow& row) = 0;
  virtual std::string end() { return ""; }
};

// `head` is what the JSON document holds besides the rows; `name_width` the longest name of a mechanism.
std::unique_ptr<EvaluationWriter> make_evaluation_writer(const std::string& format, Json head,
                                                         std::size_t name_width);

Json row_json(const EvaluationRow& row);
// The same with the ndcg of every seed, and back: what a file needs that is to be resumed.
Json checkpoint_json(const EvaluationRow& row);
EvaluationRow row_from_checkpoint(const Json& json);

}  // namespace hushwalk::cli
