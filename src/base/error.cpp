#include "hushwalk/error.h"

#include "base/utf8.h"

namespace hushwalk {

// Messages quote names of files and ids that anybody may have chosen.
Error::Error(ErrorCode code, const std::string& message, const std::string& for_custodian)
    : std::runtime_error(printable(message)), code_(code), for_custodian_(printable(for_custodian)) {}

}  // namespace hushwalk
