#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hushwalk::testing {

// A file of tests/golden.
std::string golden_path(const std::string& file);
nlohmann::json golden(const std::string& file);

}  // namespace hushwalk::testing
