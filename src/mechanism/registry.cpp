// Every mechanism there is, in the order to show them.
#include <fmt/ranges.h>

#include <array>

#include "base/fail.h"
#include "mechanism/mechanism.h"
#include "mechanism/noisy_diffusion.h"
#include "mechanism/shared.h"
#include "mechanism/two_hop.h"

namespace hushwalk {
namespace {

const auto& mechanisms() {
  static const std::array<std::unique_ptr<Mechanism>, 4> all = {make_two_hop(), make_shared(), make_paper(),
                                                                make_output()};
  return all;
}

}  // namespace

std::vector<std::string> mechanism_names() {
  std::vector<std::string> names;
  for (const auto& mechanism : mechanisms()) names.push_back(mechanism->name());
  return names;
}

const Mechanism& find_mechanism(const std::string& name) {
  for (const auto& mechanism : mechanisms())
    if (mechanism->name() == name) return *mechanism;
  fail_usage("there is no mechanism '{}'; choose from: auto {}", name, fmt::join(mechanism_names(), " "));
}

}  // namespace hushwalk
