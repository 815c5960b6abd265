#include <cmath>
#include <string_view>

#include "hushwalk/diffusion.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  return fuzz::expect_error_at_most([&] {
    const Diffusion diffusion = Diffusion::custom_from_json({reinterpret_cast<const char*>(data), size});
    for (const Step& step : diffusion.steps())
      fuzz::require(std::isfinite(step.walk + step.stay + step.restart));
  });
}
