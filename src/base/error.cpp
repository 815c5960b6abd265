#include "hushwalk/error.h"

#include "base/utf8.h"

namespace hushwalk {

// Messages quote names of files and ids that anybody may have chosen.
Error::Error(ErrorCode code, const std::string& message)
    : std::runtime_error(printable(message)), code_(code) {}

}  // namespace hushwalk
