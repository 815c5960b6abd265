// A program of this command line: which verbs it has, and where its graphs lie.
#pragma once

#include <string>
#include <vector>

#include "verbs.h"

namespace hushwalk::cli {

struct Program {
  std::string name;
  std::vector<void (*)(CLI::App&, Common&)> verbs;
};

// The exit code: 0 done, 1 failed, 2 wrong usage, 3 refused for privacy.
int run(int argc, char** argv, const Program& program);

}  // namespace hushwalk::cli
