// A short way to refuse a wrong question, with a formatted message.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "hushwalk/error.h"

namespace hushwalk::service {

template <class... Args>
[[noreturn]] void usage(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::usage, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace hushwalk::service
