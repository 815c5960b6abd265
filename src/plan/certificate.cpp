#include "plan/certificate.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/keyed_hash.h"
#include "base/sha256.h"
#include "hushwalk/signing.h"
#include "hushwalk/version.h"
#include "plan/parameter_json.h"
#include "plan/words.h"

namespace hushwalk {
namespace {

Json noise_document(const NoiseUse& use) {
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

Json noise_document(const Plan& plan) {
  Json list = Json::array();
  for (const NoiseUse& use : plan.noise) list.push_back(noise_document(use));
  return list;
}

// What a plan is made from: enough to make it again. Some stand by themselves, the others under "parameters".
Json parameters_document(const Plan& plan, bool by_themselves) {
  Json document = Json::object();
  each_parameter(plan.parameters, [&](const char* name, const auto& value) {
    if (stands_by_itself(name) == by_themselves) document[name] = parameter_json(value);
  });
  return document;
}

Json public_document(const PublicFacts& facts) {
  return {{"nodes", facts.nodes},
          {"max_edges", facts.max_edges},
          {"nodes_declared", facts.nodes_declared},
          {"max_edges_declared", facts.max_edges_declared}};
}

Json lattice_document(const Plan& plan) {
  return {{"bits", plan.lattice_bits}, {"unit", std::ldexp(1.0, -plan.lattice_bits)}, {"slack", plan.slack}};
}

Json guarantee_document(const Guarantee& guarantee) {
  Json document = {{"epsilon", number_json(guarantee.epsilon)},
                   {"rdp", number_json(guarantee.rdp)},
                   {"order", number_json(guarantee.order)},
                   {"tau", nullptr},
                   {"pure_epsilon", number_json(guarantee.pure_epsilon)},
                   {"accountant", name(guarantee.accountant)}};
  if (guarantee.tau) document["tau"] = *guarantee.tau;
  return document;
}

// Numbers that are equal are written alike, whether a tool wrote 1, 1.0 or 1e0.
nlohmann::json canonical(const Json& value) {
  if (value.is_object()) {
    nlohmann::json object = nlohmann::json::object();  // sorts its keys
    for (const auto& [key, part] : value.items()) object[key] = canonical(part);
    return object;
  }
  if (value.is_array()) {
    nlohmann::json array = nlohmann::json::array();
    for (const Json& part : value) array.push_back(canonical(part));
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

std::string digest_of(const Json& document) { return sha256_hex(canonical(document).dump()); }

Json plan_document(const Plan& plan) {
  Json document = parameters_document(plan, true);
  document.update({{"delta", plan.certified_delta()},
                   {"total_epsilon", plan.total_epsilon()},
                   {"total_delta", plan.total_delta()},
                   {"parameters", parameters_document(plan, false)},
                   {"public", public_document(plan.graph)},
                   {"graph_id", plan.graph.graph_id},
                   {"sensitivity", plan.sensitivity},
                   {"sensitivity_bound", plan.sensitivity_bound},
                   {"noise", noise_document(plan)},
                   {"lattice", lattice_document(plan)},
                   {"guarantee", guarantee_document(plan.guarantee)},
                   {"theorem", plan.theorem}});
  if (!plan.proven) document["proven"] = false;
  return document;
}

namespace {

Json names_or_null(const std::vector<std::string>& names) {
  return names.empty() ? Json(nullptr) : Json(names);
}

Json budget_document(const LedgerPromise& budget) {
  return {{"epsilon", optional_json(budget.epsilon)},
          {"delta", optional_json(budget.delta)},
          {"per_period", optional_json(budget.per_period)},
          {"period", !budget.per_period ? Json(nullptr)
                     : budget.days > 0  ? Json(fmt::format("{}d", budget.days))
                                        : Json("month")},
          {"carry", budget.carry}};
}

Json charged_document(const ChargedEntry& charged) {
  return {{"entry", charged.entry}, {"head", charged.head}, {"at", charged.at}};
}

Json shown_document(const ShownAnswer& shown) {
  return {{"encoding", shown.encoding}, {"sha256", shown.sha256}};
}

}  // namespace

std::string signed_message(const std::string& digest) { return "hushwalk certificate 3\n" + digest; }

struct ShownCsvHash::Impl {
  Sha256Stream hash;
};
// Any other text before the line end could take over the beginning of what follows.
ShownCsvHash::ShownCsvHash(const std::string& salt) : impl_(std::make_unique<Impl>()) {
  if (salt.size() != 32 || salt.find_first_not_of("0123456789abcdef") != salt.npos)
    fail("the salt is not one of 32 hex digits");
  add(salt + "\n");
}
ShownCsvHash::~ShownCsvHash() = default;
void ShownCsvHash::add(std::string_view text) { impl_->hash.add(text); }
std::string ShownCsvHash::hex() { return impl_->hash.hex(); }

namespace {

Json certificate_document(const Plan& plan, const CertificateContext& context, const PromiseWords& words) {
  const Json of_plan = plan_document(plan);
  Json document = {{"format", certificate_format}};
  document.update(of_plan);
  document["machine_checked"] = names_or_null(machine_checked(plan));
  document["definition"] = plan.certified_delta() > 0 ? "(epsilon, delta)-differential privacy"
                                                      : "pure epsilon-differential privacy";
  document["privacy_unit"] = words.unit;
  document["trust_model"] = "central: the custodian holds the graph and is trusted";
  document["randomness"] = words.randomness;
  document["artefact"] = text_or_null(plan.one_artefact() ? context.artefact : "");
  document["ledger"] = text_or_null(context.ledger);
  document["budget"] = context.budget ? budget_document(*context.budget) : Json(nullptr);
  document["charged"] = context.charged ? charged_document(*context.charged) : Json(nullptr);
  document["answer"] = context.shown ? shown_document(*context.shown) : Json(nullptr);
  document["issuer"] = text_or_null(context.issuer);
  document["public_key"] = text_or_null(context.public_key);
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
  document["plan_digest"] = digest_of(of_plan);
  document["digest"] = digest_of(document);
  return document;
}

}  // namespace

Json certificate_document(const Plan& plan, const CertificateContext& context) {
  return certificate_document(plan, context, words_of(plan, context));
}

std::string plan_json(const Plan& plan) { return plan_document(plan).dump(2); }

std::string certificate_json(const Plan& plan, const CertificateContext& context) {
  return certificate_document(plan, context).dump(2);
}

CertificateContext unsigned_context(CertificateContext context) {
  context.shown.reset();
  context.issuer.clear();
  context.public_key.clear();
  return context;
}

namespace {

void name_issuer(CertificateContext& context, const SigningKey& key) {
  context.issuer = key.issuer();
  context.public_key = key.public_key();
}

void sign(Json& document, const SigningKey& key) {
  document["signature"] = key.sign(signed_message(document.at("digest")));
}

}  // namespace

Json signed_document(const Plan& plan, CertificateContext& context, const SigningKey& key) {
  name_issuer(context, key);
  Json document = certificate_document(plan, context);
  sign(document, key);
  return document;
}

IssuedCertificate issue(const Plan& plan, CertificateContext context, const SigningKey* key) {
  if (key) name_issuer(context, *key);
  const PromiseWords words = words_of(plan, context);
  Json document = certificate_document(plan, context, words);
  if (key) sign(document, *key);
  return {document.dump(2), text_of(plan, words), summary_of(plan, words), document.dump()};
}

IssuedCertificate issued_as(const Json& document, const Plan& plan, const CertificateContext& context) {
  const PromiseWords words = words_of(plan, context);
  return {document.dump(2), text_of(plan, words), summary_of(plan, words), document.dump()};
}

}  // namespace hushwalk
