// A certificate is made again from its parameters and compared, value by value.
#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/utf8.h"
#include "hushwalk/signing.h"
#include "hushwalk/version.h"
#include "plan/certificate.h"
#include "plan/parameter_json.h"
#include "plan/words.h"

namespace hushwalk {
namespace {

// Another machine's logarithm may differ in the last digit; the digest guards the digits as they are.
constexpr double number_tolerance = 1e-9;

// The path of the first value that differs, or nothing.
std::optional<std::string> difference(const Json& given, const Json& expected, const std::string& path) {
  if (given.is_number() && expected.is_number()) {
    const double a = given.get<double>(), b = expected.get<double>();
    if (a == b || std::abs(a - b) <= number_tolerance * std::max(std::abs(a), std::abs(b))) return {};
    return fmt::format("{} is {}, not {}", path, a, b);
  }
  if (given.is_object() && expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      if (!given.contains(key)) return fmt::format("{}.{} is missing", path, key);
      if (auto found = difference(given.at(key), value, fmt::format("{}.{}", path, key))) return found;
    }
    for (const auto& [key, value] : given.items())
      if (!expected.contains(key)) return fmt::format("{}.{} does not belong there", path, key);
    return {};
  }
  if (given.is_array() && expected.is_array() && given.size() == expected.size()) {
    for (std::size_t i = 0; i < given.size(); ++i)
      if (auto found = difference(given[i], expected[i], fmt::format("{}[{}]", path, i))) return found;
    return {};
  }
  if (given == expected) return {};
  return fmt::format("{} is {}, not {}", path, given.dump(), expected.dump());
}

// What may differ between versions of the software, and the digests, which are compared by themselves.
void drop_versioned(Json& document, bool same_version) {
  for (const char* key : {"software_version", "digest", "plan_digest"}) document.erase(key);
  if (same_version) return;
  for (const char* key : {"words", "randomness", "theorem", "machine_checked", "sensitivity_bound"})
    document.erase(key);
  for (Json& use : document["noise"]) use.erase("on");
}

// The fields of a certificate that its plan consists of.
Json part_of_plan(const Json& certificate, const Plan& plan) {
  const Json whole = plan_document(plan);
  Json part;
  for (const auto& [key, value] : whole.items()) part[key] = certificate.at(key);
  return part;
}

// The sentence of older formats.
std::string with_bound(std::string counted) {
  constexpr std::string_view bound = ", and its budget bounds all it charges together";
  if (counted.find(bound) == std::string::npos)
    counted.insert(std::min(counted.find(": "), counted.size()), bound);
  return counted;
}

// What older formats did not have yet, or said otherwise.
void to_format(int format, Json& document) {
  if (format < 5 && !document.at("ledger").is_null())
    document["words"]["counted"] = with_bound(document["words"]["counted"]);
  if (format < 4) document.erase("machine_checked");
  if (format < 3)
    for (const char* key : {"budget", "charged", "answer", "issuer", "public_key"}) document.erase(key);
  if (format < 2)
    for (const char* key : {"randomness", "artefact", "ledger"}) document.erase(key);
  document["format"] = format;
}

}  // namespace

bool promises_too_much(const Json& certificate, const Plan& plan) {
  return format_of(certificate) == 1 && plan.one_artefact() && plan.parameters.scope == Scope::personalized;
}

namespace {

Verification check_document(const Json& certificate, Plan& plan, CertificateContext& context) {
  Json given = certificate;
  if (!given.is_object()) return {false, "the certificate is not a JSON object"};
  for (const char* key : {"digest", "plan_digest", "software_version", "noise"})
    if (!given.contains(key)) return {false, fmt::format("{} is missing", key)};
  const std::string digest = given.at("digest");
  given.erase("digest");
  if (format_of(certificate) > 2) given.erase("signature");
  if (digest_of(given) != digest)
    return {false, "a field was altered: the digest over all fields does not match"};
  plan = plan_of(certificate);
  if (promises_too_much(certificate, plan))
    return {
        false,
        "its sentence on pooling promises too much, as all of format 1 for this mechanism: answers of different commands come from different artefacts and add up. Its numbers may be right; rank again for a true one"};
  context = context_of(certificate);
  Json expected = certificate_document(plan, context);
  to_format(format_of(certificate), expected);
  if (given.at("plan_digest") != digest_of(part_of_plan(given, plan)))
    return {false, "the digest of the plan does not match"};
  // Once it was said under a ledger, too: true, and less than is said now.
  if (given.value("randomness", Json()) == randomness_without_a_ledger())
    expected["randomness"] = given["randomness"];
  const bool same_version = given.at("software_version") == expected.at("software_version");
  drop_versioned(given, same_version);
  drop_versioned(expected, same_version);
  if (const auto found = difference(given, expected, "certificate")) return {false, *found};
  return {
      true,
      fmt::format(
          "recomputed from its parameters: epsilon = {} for each ranking, {} in all{}{}{}", plan.epsilon(),
          plan.total_epsilon(),
          plan.proven
              ? ""
              : "; that one edge moves no more is the word of its author, not proven in this repository",
          context.released ? "" : "; it is that of a plan, nothing was released",
          same_version
              ? ""
              : "; its words, and what it says of theorems and of randomness, are those of another version and were NOT compared"),
      true,
      false,
      false,
      false,
      same_version,
      certificate.dump(),
      context.ledger};
}

}  // namespace

// An issuer without a signature is a claim that nobody made.
void check_signature(const Json& certificate, const std::optional<std::string>& public_key,
                     Verification& found) {
  const bool is_signed = format_of(certificate) > 2 && certificate.contains("signature");
  if (!is_signed) {
    if (format_of(certificate) > 2 &&
        (!certificate.at("issuer").is_null() || !certificate.at("public_key").is_null()))
      fail("it names an issuer and is not signed");
    if (public_key) fail("it is not signed");
    return;
  }
  const std::string own = text_in(certificate.at("public_key"));
  if (!signed_by(public_key.value_or(own), signed_message(certificate.at("digest")),
                 certificate.at("signature")))
    fail("{}",
         public_key ? "it was not signed by the public key that was given" : "its signature does not fit");
  found.signature = true;
  found.issuer = public_key.has_value();
  found.reason +=
      found.issuer
          ? fmt::format("; signed by '{}', with the key that was given", text_in(certificate.at("issuer")))
          : fmt::format(
                "; signed with the key in it, which says that it is of '{}': compare the key, or give it",
                text_in(certificate.at("issuer")));
}

Verification without_throwing(const std::function<Verification()>& check) {
  constexpr std::size_t longest_reason = 500;
  std::string reason;
  try {
    Verification found = check();
    if (found.valid) return found;
    reason = std::move(found.reason);
  } catch (const Error& error) {
    reason = error.what();
  } catch (const nlohmann::json::exception& error) {
    reason = fmt::format("a field is missing or of the wrong type: {}", error.what());
  }
  return {false, quotable(reason, longest_reason)};
}

VerifiedCertificate verify_document(const Json& certificate, const std::optional<std::string>& public_key) {
  VerifiedCertificate verified;
  static_cast<Verification&>(verified) = without_throwing([&] {
    Verification found = check_document(certificate, verified.plan, verified.context);
    if (found.valid) check_signature(certificate, public_key, found);
    return found;
  });
  return verified;
}

}  // namespace hushwalk
