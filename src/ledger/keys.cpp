#include "ledger/keys.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <iterator>

#include "base/sha256.h"

namespace hushwalk::ledger {
namespace {

// One value a line; a line feed cannot be part of a value.
class KeyText {
 public:
  explicit KeyText(std::string_view what) { add(what); }
  KeyText& add(std::string_view text) {
    text_ += text;
    text_ += '\n';
    return *this;
  }
  KeyText& add(double value) {
    fmt::format_to(std::back_inserter(text_), "{:x}\n", std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  KeyText& add(std::optional<double> value) { return value ? add(*value) : add("-"); }
  KeyText& add(const Diffusion& diffusion) {
    add(diffusion.name()).add(diffusion.parameter()).add(static_cast<double>(diffusion.steps().size()));
    if (!diffusion.parameter())
      for (const Step& step : diffusion.steps()) add(step.walk).add(step.stay).add(step.restart);
    return *this;
  }
  KeyText& add(const NamedSeeds& seeds) {
    for (const auto& [name, weight] : seeds) add(name).add(weight);
    return *this;
  }
  std::string hash() const { return sha256_hex(text_); }

 private:
  std::string text_;
};

std::string_view name(Scope scope) { return scope == Scope::edge ? "edge" : "personalized"; }

std::string plan_key(std::string_view what, const Plan& plan, const NamedSeeds& seeds) {
  return KeyText(what)
      .add(plan.graph.graph_id)
      .add(plan.mechanism)
      .add(name(plan.scope))
      .add(plan.epsilon)
      .add(plan.delta)
      .add(plan.diffusion)
      .add(plan.eta)
      .add(plan.background)
      .add(plan.taper)
      .add(seeds)
      .hash();
}

}  // namespace

NamedSeeds named(const SeedVector& seed, const NodeList& nodes) {
  NamedSeeds result;
  for (const auto& [node, weight] : seed.entries()) result.emplace_back(nodes.name(node), weight);
  return result;
}

std::string request_key(const std::string& graph_id, const ReleaseRequest& request, const NamedSeeds& seeds) {
  KeyText key("request");
  key.add(graph_id).add(request.mechanism);
  if (request.mechanism == "auto") key.add(static_cast<double>(request.rankings));
  return key.add(name(request.scope))
      .add(request.epsilon.value())
      .add(request.delta ? std::optional(request.delta->value()) : std::nullopt)
      .add(request.diffusion)
      .add(request.eta ? std::optional(request.eta->value()) : std::nullopt)
      .add(request.background)
      .add(request.taper)
      .add(seeds)
      .hash();
}

std::string answer_key(const Plan& plan, const NamedSeeds& seeds) { return plan_key("answer", plan, seeds); }

std::string source_key(const Plan& plan, const NamedSeeds& seeds) {
  if (plan.mechanism != "shared") return plan_key("source", plan, seeds);
  return KeyText("artefact").add(plan.graph.graph_id).add(plan.epsilon).add(plan.taper).hash();
}

}  // namespace hushwalk::ledger
