// Every mechanism there is, in the order to show them.
#include <fmt/ranges.h>

#include <array>

#include "base/fail.h"
#include "mechanism/edge_flip.h"
#include "mechanism/mechanism.h"
#include "mechanism/noisy_diffusion.h"
#include "mechanism/shared.h"
#include "mechanism/two_hop.h"

namespace hushwalk {
namespace {

const auto& mechanisms() {
  static const std::array<std::unique_ptr<Mechanism>, 8> all = {
      make_two_hop(),        make_shared(),        make_paper(),          make_output(),
      make_push_flow(false), make_push_flow(true), make_edge_flip(false), make_edge_flip(true)};
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

Parameters parameters_of(const std::string& mechanism) {
  if (mechanism == "auto") return {.background = true, .taper = true};
  return find_mechanism(mechanism).parameters();
}

std::string mechanisms_with(bool Parameters::* parameter) {
  std::vector<std::string> names;
  for (const auto& mechanism : mechanisms())
    if (mechanism->parameters().*parameter) names.push_back(mechanism->name());
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_own_links(const Plan& plan) {
  if (plan.scope == Scope::edge)
    refuse("{} adds the recipient's own links, which edge scope protects; use --scope personalized",
           plan.mechanism);
}

}  // namespace hushwalk
