// The one exception type of the library, thrown on the thread that called it: what a thread of the library's
// own throws arrives there. Adapters translate it once: into an exit code, a Python exception.
#pragma once

#include <stdexcept>
#include <string>

namespace hushwalk {

// The values are the exit codes of the command line.
enum class ErrorCode {
  failed = 1,   // the work could not be done: a bad file, a full disk
  usage = 2,    // the request makes no sense: an unknown node, a parameter out of range
  refused = 3,  // doing it would break a privacy guarantee
};

// The message is for whoever asked. It names parameters, not flags: `scope edge` in it is for an adapter to
// render. What only the custodian may see (how many edges there are, what others have spent) is a field of
// its own, which nothing that answers recipients may forward. Both may be shown on a terminal: what is not
// printable is written as
// \xNN. Importing a text is the custodian's own act: its errors quote lines.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, const std::string& for_custodian = {});
  ErrorCode code() const noexcept { return code_; }
  const std::string& for_custodian() const noexcept {
    return for_custodian_;
  }  // empty when there is no more to say

 private:
  ErrorCode code_;
  std::string for_custodian_;
};

}  // namespace hushwalk
