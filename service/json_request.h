// Questions in JSON: the parameters of `rank` under their own names.
#pragma once

#include <string>

#include "hushwalk/answer.h"
#include "keys.h"

namespace hushwalk::service {

struct Question {
  AnswerRequest request;
  bool many = false;       // "seeds": a line for each ranking
  bool shared = false;     // from the artefact that serves everybody
  std::string nodes = {};  // whom it is about, for a log that is to say so
};

// What a question may be about.
struct QuestionLimits {
  std::uint64_t seeds = 1'000;         // rankings in one request
  std::uint64_t listed = 200'000;      // nodes listed in all of them
  std::uint64_t coefficients = 1'000;  // steps of a custom diffusion
};

// Error{usage} names the parameter of what makes no sense. Of an owner the scope is personalized, else edge,
// unless it is given.
Question parse_question(const std::string& text, const Graph& graph, const AccessKey& key,
                        const QuestionLimits& limits = {});

// Error{refused} when the key may not ask this.
void check_right(const Question& question, const Graph& graph, const AccessKey& key);

}  // namespace hushwalk::service
