#include "ledger/keys.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <type_traits>

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
  KeyText& add(Scope scope) { return add(std::string_view(name(scope))); }
  template <class Number>
    requires requires(Number number) { number.value(); }
  KeyText& add(Number number) {
    return add(number.value());
  }
  template <class Value>
  KeyText& add(const std::optional<Value>& value) {
    return value ? add(*value) : add("-");
  }
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

// How many rankings a request is for decides the choice of `auto`, and nothing else of what is drawn; the
// size of seed sets is in the seeds.
KeyText& add_parameters(KeyText& key, const ReleaseParameters& parameters) {
  each_parameter(parameters, [&](std::string_view name, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::uint64_t>) {
      static_cast<void>(name);
    } else {
      key.add(value);
      if (name == "mechanism" && parameters.mechanism == "auto")
        key.add(static_cast<double>(parameters.rankings));
    }
  });
  return key;
}

std::string key_of(std::string_view what, const std::string& graph_id, const ReleaseParameters& parameters,
                   const NamedSeeds& seeds) {
  KeyText key(what);
  return add_parameters(key.add(graph_id), parameters).add(seeds).hash();
}

}  // namespace

NamedSeeds named(const SeedVector& seed, const NodeList& nodes) {
  NamedSeeds result;
  for (const auto& [node, weight] : seed.entries()) result.emplace_back(nodes.name(node), weight);
  return result;
}

std::string request_key(const std::string& graph_id, const ReleaseParameters& request,
                        const NamedSeeds& seeds) {
  return key_of("request", graph_id, request, seeds);
}

std::string answer_key(const Plan& plan, const NamedSeeds& seeds) {
  return key_of("answer", plan.graph.graph_id, plan.parameters, seeds);
}

std::string source_key(const Plan& plan, const NamedSeeds& seeds) {
  if (plan.artefact != Artefact::numbers)
    return key_of("source", plan.graph.graph_id, plan.parameters, seeds);
  return KeyText("artefact")
      .add(plan.graph.graph_id)
      .add(plan.parameters.epsilon)
      .add(plan.parameters.taper)
      .hash();
}

}  // namespace hushwalk::ledger
