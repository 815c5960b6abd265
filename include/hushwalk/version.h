#pragma once

namespace hushwalk {

const char* version() noexcept;  // "MAJOR.MINOR.PATCH"

}  // namespace hushwalk
