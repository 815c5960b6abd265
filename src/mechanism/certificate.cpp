#include "mechanism/certificate.h"

#include <cmath>
#include <limits>

#include "base/sha256.h"
#include "hushwalk/version.h"
#include "mechanism/words.h"

namespace hushwalk {
namespace {

const char* scope_name(Scope scope) { return scope == Scope::edge ? "edge" : "personalized"; }

OrderedJson id_json(const std::string& id) { return id.empty() ? OrderedJson(nullptr) : OrderedJson(id); }

OrderedJson optional_json(std::optional<double> value) {
  return value ? number_json(*value) : OrderedJson(nullptr);
}

OrderedJson diffusion_document(const Diffusion& diffusion) {
  OrderedJson document = {{"name", diffusion.name()}};
  if (diffusion.parameter()) document[diffusion.name() == "heat" ? "time" : "beta"] = *diffusion.parameter();
  document["steps"] = diffusion.steps().size();
  if (diffusion.parameter()) return document;
  for (const Step& step : diffusion.steps()) {
    document["gamma1"].push_back(step.walk);
    document["gamma2"].push_back(step.stay);
    document["gamma3"].push_back(step.restart);
  }
  return document;
}

OrderedJson noise_document(const NoiseUse& use) {
  if (use.flip_probability > 0)
    return {{"on", use.on},
            {"distribution", "randomized response"},
            {"flip_probability", use.flip_probability},
            {"skip_scale", use.lattice_scale}};
  return {{"on", use.on},
          {"distribution", "discrete Laplace"},
          {"laplace_scale", use.laplace_scale},
          {"lattice_scale", use.lattice_scale},
          {"draws", use.draws}};
}

OrderedJson noise_document(const Plan& plan) {
  OrderedJson list = OrderedJson::array();
  for (const NoiseUse& use : plan.noise) list.push_back(noise_document(use));
  return list;
}

// What a plan is made from: enough to make it again.
OrderedJson parameters_document(const Plan& plan) {
  return {{"diffusion", diffusion_document(plan.diffusion)},
          {"eta", optional_json(plan.eta)},
          {"background", optional_json(plan.background)},
          {"taper", optional_json(plan.taper)},
          {"delta", optional_json(plan.delta)},
          {"seeds_per_ranking", plan.seeds_per_ranking}};
}

OrderedJson public_document(const PublicFacts& facts) {
  return {{"nodes", facts.nodes},
          {"max_edges", facts.max_edges},
          {"nodes_declared", facts.nodes_declared},
          {"max_edges_declared", facts.max_edges_declared}};
}

OrderedJson lattice_document(const Plan& plan) {
  return {{"bits", plan.lattice_bits}, {"unit", std::ldexp(1.0, -plan.lattice_bits)}, {"slack", plan.slack}};
}

OrderedJson guarantee_document(const Guarantee& guarantee) {
  OrderedJson document = {{"epsilon", number_json(guarantee.epsilon)},
                          {"rdp", number_json(guarantee.rdp)},
                          {"order", number_json(guarantee.order)},
                          {"tau", nullptr},
                          {"pure_epsilon", number_json(guarantee.pure_epsilon)},
                          {"accountant", name(guarantee.accountant)}};
  if (guarantee.tau) document["tau"] = *guarantee.tau;
  return document;
}

// Numbers that are equal are written alike, whether a tool wrote 1, 1.0 or 1e0.
nlohmann::json canonical(const OrderedJson& value) {
  if (value.is_object()) {
    nlohmann::json object = nlohmann::json::object();  // sorts its keys
    for (const auto& [key, part] : value.items()) object[key] = canonical(part);
    return object;
  }
  if (value.is_array()) {
    nlohmann::json array = nlohmann::json::array();
    for (const OrderedJson& part : value) array.push_back(canonical(part));
    return array;
  }
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number == std::floor(number) && std::abs(number) < 0x1p53) return static_cast<std::int64_t>(number);
    return number;
  }
  if (value.is_number_unsigned() && value.get<std::uint64_t>() < (std::uint64_t{1} << 53))
    return value.get<std::int64_t>();
  return nlohmann::json(value);
}

}  // namespace

OrderedJson number_json(double value) { return std::isinf(value) ? OrderedJson("inf") : OrderedJson(value); }

std::string digest_of(const OrderedJson& document) { return sha256_hex(canonical(document).dump()); }

OrderedJson plan_document(const Plan& plan) {
  return {{"mechanism", plan.mechanism},
          {"scope", scope_name(plan.scope)},
          {"epsilon", plan.epsilon},
          {"delta", plan.certified_delta()},
          {"rankings", plan.rankings},
          {"total_epsilon", plan.total_epsilon()},
          {"total_delta", plan.total_delta()},
          {"parameters", parameters_document(plan)},
          {"public", public_document(plan.graph)},
          {"graph_id", plan.graph.graph_id},
          {"sensitivity", plan.sensitivity},
          {"sensitivity_bound", plan.sensitivity_bound},
          {"noise", noise_document(plan)},
          {"lattice", lattice_document(plan)},
          {"guarantee", guarantee_document(plan.guarantee)},
          {"theorem", plan.theorem}};
}

OrderedJson certificate_document(const Plan& plan, const CertificateContext& context) {
  const Words words = words_of(plan, context);
  OrderedJson document = {{"format", certificate_format}};
  document.update(plan_document(plan));
  document["definition"] = plan.certified_delta() > 0 ? "(epsilon, delta)-differential privacy"
                                                      : "pure epsilon-differential privacy";
  document["privacy_unit"] = words.unit;
  document["trust_model"] = "central: the custodian holds the graph and is trusted";
  document["randomness"] = words.randomness;
  document["artefact"] = id_json(plan.one_artefact ? context.artefact : "");
  document["ledger"] = id_json(context.ledger);
  document["released"] = context.released;
  document["public_candidates"] = context.public_candidates;
  if (context.audience == everybody)
    document["audience_named"] = {{"published", true}};
  else if (!context.audience.empty())
    document["audience_named"] = {{"recipient", context.audience}};
  document["words"] = {{"protects", words.protects}, {"audience", words.audience},
                       {"pooling", words.pooling},   {"meaning", words.meaning},
                       {"counted", words.counted},   {"assumptions", words.assumptions}};
  document["software"] = "hushwalk";
  document["software_version"] = version();
  document["plan_digest"] = digest_of(plan_document(plan));
  document["digest"] = digest_of(document);
  return document;
}

std::string plan_json(const Plan& plan) { return plan_document(plan).dump(2); }

std::string certificate_json(const Plan& plan, const CertificateContext& context) {
  return certificate_document(plan, context).dump(2);
}

}  // namespace hushwalk
