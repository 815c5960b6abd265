// Short ways to throw the one Error, with a formatted message.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "hushwalk/error.h"

namespace hushwalk {

// What only the custodian may see of an error.
struct ForCustodian {
  std::string text;
};
template <class... Args>
ForCustodian for_custodian(fmt::format_string<Args...> text, Args&&... args) {
  return {fmt::format(text, std::forward<Args>(args)...)};
}

template <class... Args>
[[noreturn]] void fail(const ForCustodian& more, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::failed, fmt::format(text, std::forward<Args>(args)...), more.text);
}

template <class... Args>
[[noreturn]] void fail_usage(const ForCustodian& more, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::usage, fmt::format(text, std::forward<Args>(args)...), more.text);
}

template <class... Args>
[[noreturn]] void refuse(const ForCustodian& more, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::refused, fmt::format(text, std::forward<Args>(args)...), more.text);
}

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::failed, fmt::format(text, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::usage, fmt::format(text, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::refused, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace hushwalk
