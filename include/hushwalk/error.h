// The one exception type of the library. Adapters translate it once: into an exit code, a Python exception.
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

// The message may be shown on a terminal: what is not printable in it is written as \xNN.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace hushwalk
