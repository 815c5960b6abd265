// The page that `hushwalk demo` leaves behind.
#pragma once

#include <span>
#include <string>

#include "common.h"

namespace hushwalk::cli {

// What the demo asked and was told.
struct DemoAnswer {
  const Graph& graph;
  const Plan& plan;
  const PrivateScores& noisy;
  const std::vector<double>& exact;
  std::span<const RankedNode> noisy_top, exact_top;
};

std::string demo_page(const DemoAnswer& answer);

}  // namespace hushwalk::cli
