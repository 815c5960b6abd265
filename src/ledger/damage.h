// What a ledger holds is not what was written: said apart from what merely cannot be done, such as to open
// it.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/fail.h"
#include "hushwalk/error.h"

namespace hushwalk::ledger {

class Damage : public Error {
 public:
  explicit Damage(const std::string& message) : Damage(message, message) {}
  Damage(std::string reason, const std::string& message, const std::string& more = "")
      : Error(ErrorCode::failed, message, more), reason_(std::move(reason)) {}
  // For the custodian, without the advice to run `verify`.
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

template <class... Args>
[[noreturn]] void fail_damaged(fmt::format_string<Args...> what, Args&&... args) {
  const std::string reason = fmt::format(what, std::forward<Args>(args)...);
  throw Damage(reason, fmt::format("the ledger is damaged: {}; verify it", reason));
}

template <class... Args>
[[noreturn]] void fail_damaged(const ForCustodian& more, fmt::format_string<Args...> what, Args&&... args) {
  const std::string said = fmt::format(what, std::forward<Args>(args)...);
  throw Damage(fmt::format("{} ({})", said, more.text),
               fmt::format("the ledger is damaged: {}; verify it", said), more.text);
}

// An entry that has the right hash and says nothing that can be understood is damage, too.
template <class Action>
auto readable(Action action) {
  try {
    return action();
  } catch (const nlohmann::json::exception& error) {
    fail_damaged("an entry or a document cannot be read ({})", error.what());
  } catch (const std::bad_optional_access&) {
    fail_damaged("an entry or a document that others rest on is missing");
  }
}

}  // namespace hushwalk::ledger
