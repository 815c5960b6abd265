// What the encoders share.
#pragma once

#include <string>

#include "base/json.h"
#include "hushwalk/codec.h"
#include "plan/certificate.h"
#include "plan/parameter_json.h"

namespace hushwalk {

// Integers as numbers, names as strings.
Json node_json(const NodeList& nodes, Node node);

// A document as part of another, two blanks further in.
std::string indented(const std::string& json);

// Without the coefficients.
inline Json short_diffusion_json(const Diffusion& diffusion) {
  Json json = diffusion_json(diffusion);
  for (const char* list : {"gamma1", "gamma2", "gamma3"}) json.erase(list);
  return json;
}

}  // namespace hushwalk
