#include "support/golden.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace hushwalk::testing {

nlohmann::json golden(const std::string& file) {
  return nlohmann::json::parse(std::ifstream(HUSHWALK_TESTS_DIR "/golden/" + file));
}

}  // namespace hushwalk::testing
