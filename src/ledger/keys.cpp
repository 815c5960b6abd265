#include "ledger/keys.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "accounting/units.h"
#include "base/keyed_hash.h"
#include "base/sha256.h"
#include "noise/noise_source.h"
#include "plan/certificate.h"
#include "plan/planner.h"

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
                   const NamedSeeds& seeds, std::int64_t epoch) {
  KeyText key(what);
  if (epoch > 0) key.add(fmt::format("epoch {}", epoch));
  return add_parameters(key.add(graph_id), parameters).add(seeds).hash().substr(0, key_digits);
}

}  // namespace

NamedSeeds named(const SeedVector& seed, const NodeList& nodes) {
  NamedSeeds result;
  for (const auto& [node, weight] : seed.entries()) result.emplace_back(nodes.name(node), weight);
  return result;
}

std::string request_key(const std::string& graph_id, const ReleaseParameters& request,
                        const NamedSeeds& seeds, std::int64_t epoch) {
  return key_of("request", graph_id, request, seeds, epoch);
}

std::string answer_key(const Plan& plan, const NamedSeeds& seeds, std::int64_t epoch) {
  return key_of("answer", plan.graph.graph_id, plan.parameters, seeds, epoch);
}

std::string artefact_key(const Plan& plan, std::int64_t epoch) {
  KeyText key("artefact");
  if (epoch > 0) key.add(fmt::format("epoch {}", epoch));
  key.add(plan.graph.graph_id);
  if (find_planner(plan.parameters.mechanism).has_short_artefact_key()) {
    key.add(plan.parameters.epsilon).add(plan.parameters.taper);
  } else {
    ReleaseParameters common = plan.parameters;  // diffusion and scope are those of an answer
    common.diffusion = Diffusion::ppr();
    common.scope = Scope::edge;
    common.delta.reset();  // artefacts are pure
    add_parameters(key, common);
  }
  return key.hash().substr(0, key_digits);
}

std::string digest_of_plan(const Json& document, int arithmetic) {
  if (arithmetic == 1) return digest_of(document);
  return digest_of({{"arithmetic", arithmetic}, {"plan", document}});
}

std::string release_digest(const Plan& plan, const NamedSeeds& seeds, const Sha256& content, int arithmetic) {
  KeyText text("release 1");
  const auto count = [&](std::uint64_t number) { text.add(fmt::format("{}", number)); };
  text.add(plan.graph.graph_id).add(to_hex(content));
  count(static_cast<std::uint64_t>(arithmetic));
  count(nodes_per_group);
  count(nodes_per_piece);
  count(plan.graph.nodes);
  count(plan.graph.max_edges);
  add_parameters(text, plan.parameters);
  text.add(accounting::decimal(accounting::written_units_up(plan.epsilon()))).add(plan.certified_delta());
  for (const Step& step : plan.parameters.diffusion.steps())
    text.add(step.walk).add(step.stay).add(step.restart);
  count(static_cast<std::uint64_t>(plan.lattice_bits));
  text.add(plan.sensitivity).add(plan.slack);
  count(plan.noise.size());
  for (const NoiseUse& use : plan.noise) {
    text.add(use.laplace_scale).add(use.lattice_scale).add(use.flip_probability);
    count(static_cast<std::uint64_t>(use.draws));
  }
  count(seeds.size());
  return text.add(seeds).hash();
}

}  // namespace hushwalk::ledger
