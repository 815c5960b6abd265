#include "support/golden.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace hushwalk::testing {

std::string golden_path(const std::string& file) { return HUSHWALK_TESTS_DIR "/golden/" + file; }
nlohmann::json golden(const std::string& file) {
  return nlohmann::json::parse(std::ifstream(golden_path(file)));
}

}  // namespace hushwalk::testing
