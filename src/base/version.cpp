#include "hushwalk/version.h"

namespace hushwalk {

const char* version() noexcept { return HUSHWALK_VERSION; }

}  // namespace hushwalk
