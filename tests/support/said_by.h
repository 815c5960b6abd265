#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "hushwalk/error.h"

namespace hushwalk::testing {

// What an action says when it fails, also to the custodian, or "".
std::string said_by(const auto& action, std::optional<ErrorCode> code = {}) {
  try {
    action();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code.value_or(error.code()));
    return std::string(error.what()) + "; " + error.for_custodian();
  }
}

}  // namespace hushwalk::testing
