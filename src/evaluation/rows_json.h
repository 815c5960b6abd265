// Rows of an evaluation as JSON.
#pragma once

#include "base/json.h"
#include "hushwalk/evaluation.h"

namespace hushwalk {

Json row_json(const EvaluationRow& row);
// The same with the ndcg of every seed, and back: what a file needs that is to be resumed.
Json checkpoint_json(const EvaluationRow& row);
EvaluationRow row_from_checkpoint(const Json& json);

// What is evaluated.
Json request_json(const EvaluationRequest& request);

}  // namespace hushwalk
