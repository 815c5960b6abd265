#pragma once

#include <gtest/gtest.h>

#include <string>

#include "hushwalk/error.h"

namespace hushwalk::testing {

// What an action that fails says.
std::string error_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    return error.what();
  }
  return "no error";
}

}  // namespace hushwalk::testing
