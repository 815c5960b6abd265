// A certificate is made again from its parameters and compared, value by value.
#include <cmath>
#include <span>

#include "base/fail.h"
#include "base/files.h"
#include "base/utf8.h"
#include "hushwalk/version.h"
#include "plan/artefact_file.h"
#include "plan/certificate.h"
#include "plan/parameter_json.h"
#include "plan/strict_json.h"

namespace hushwalk {
namespace {

// Another machine's logarithm may differ in the last digit; the digest guards the digits as they are.
constexpr double number_tolerance = 1e-9;

// An id of ours, or nothing: it is shown in the words.
std::string id_in(const Json& certificate, const char* key) {
  const Json& value = certificate.at(key);
  if (value.is_null()) return "";
  const std::string id = value;
  if (id.empty()) return "";
  if (id.size() < 32 || id.size() > 64 || id.find_first_not_of("0123456789abcdef") != id.npos)
    fail("{} is not an id of 32 to 64 hex digits", key);
  return id;
}

PublicFacts facts_of(const Json& certificate) {
  const Json& facts = certificate.at("public");
  PublicFacts result = public_facts(facts.at("nodes"), facts.at("max_edges").get<std::uint64_t>());
  result.nodes_declared = facts.at("nodes_declared");
  result.max_edges_declared = facts.at("max_edges_declared");
  result.graph_id = id_in(certificate, "graph_id");
  return result;
}

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
      if (auto found = difference(given.at(key), value, path + "." + key)) return found;
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
  for (const char* key : {"words", "randomness", "theorem", "sensitivity_bound"}) document.erase(key);
  for (Json& use : document["noise"]) use.erase("on");
}

// The fields of a certificate that its plan consists of.
Json part_of_plan(const Json& certificate, const Plan& plan) {
  const Json whole = plan_document(plan);
  Json part;
  for (const auto& [key, value] : whole.items()) part[key] = certificate.at(key);
  return part;
}

// What surrounds a certificate must not contradict it.
void check_answer(const Json& document, const Json& certificate, std::uint64_t rankings) {
  if (document.value("private", true) != true) fail("the answer beside it says that it is not private");
  if (!document.contains("rankings") || !certificate.is_object()) return;
  const std::uint64_t certified = certificate.at("rankings");
  if (rankings != certified) fail("there are {} rankings beside it, and it is for {}", rankings, certified);
}

Json find_certificate(std::string_view text) {
  auto [document, rankings] = read_strictly(text);
  if (document.is_discarded()) fail("it is not JSON");
  if (!document.is_object()) fail("it is not a JSON object");
  if (!document.contains("certificate")) return document;
  if (document["certificate"].is_null()) fail("the answer is exact and has no certificate");
  check_answer(document, document["certificate"], rankings);
  return document["certificate"];
}

// Whom a ledger charged, where it names somebody. It is shown in the words.
std::string audience_in(const Json& certificate) {
  if (!certificate.contains("audience_named")) return "";
  if (certificate.at("scope") != "edge" || certificate.at("ledger").is_null() ||
      certificate.at("released") != true)
    fail("audience_named goes with a release in edge scope that a ledger charged");
  const Json& named = certificate.at("audience_named");
  if (named.contains("published")) return everybody;
  const std::string name = named.at("recipient");
  if (name.empty() || !is_recipient_name(name)) fail("audience_named.recipient is not a name");
  return name;
}

// What format 1 did not have yet.
void to_format_1(Json& document) {
  for (const char* key : {"randomness", "artefact", "ledger"}) document.erase(key);
  document["format"] = 1;
}

int format_of(const Json& certificate) {
  const int format = certificate.at("format");
  if (format < 1 || format > certificate_format)
    fail("its format is {}, and this version knows 1 to {}: use a newer one", format, certificate_format);
  return format;
}

}  // namespace

bool is_recipient_name(std::string_view name) {
  return is_printable_utf8(name) && name.size() <= longest_recipient_name && !name.starts_with(' ') &&
         !name.ends_with(' ');
}

Plan plan_of(const Json& certificate) {
  ReleaseParameters request;
  each_parameter(request, [&](const char* name, auto& value) {
    read_parameter(stands_by_itself(name) ? certificate.at(name) : certificate.at("parameters").at(name),
                   value);
  });
  if (request.mechanism == "auto") fail("its mechanism is not resolved");
  return make_plan(facts_of(certificate), request);
}

CertificateContext context_of(const Json& certificate) {
  CertificateContext context{.public_candidates = certificate.at("public_candidates"),
                             .released = certificate.at("released")};
  if (format_of(certificate) == 1) return context;
  context.artefact = id_in(certificate, "artefact");
  context.ledger = id_in(certificate, "ledger");
  context.audience = audience_in(certificate);
  return context;
}

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
  if (digest_of(given) != digest)
    return {false, "a field was altered: the digest over all fields does not match"};
  plan = plan_of(certificate);
  if (promises_too_much(certificate, plan))
    return {
        false,
        "its sentence on pooling promises too much, as all of format 1 for this mechanism: answers of different commands come from different artefacts and add up. Its numbers may be right; rank again for a true one"};
  context = context_of(certificate);
  Json expected = certificate_document(plan, context);
  if (format_of(certificate) == 1) to_format_1(expected);
  if (given.at("plan_digest") != digest_of(part_of_plan(given, plan)))
    return {false, "the digest of the plan does not match"};
  const bool same_version = given.at("software_version") == expected.at("software_version");
  drop_versioned(given, same_version);
  drop_versioned(expected, same_version);
  if (const auto found = difference(given, expected, "certificate")) return {false, *found};
  return {true,
          fmt::format(
              "recomputed from its parameters: epsilon = {} for each ranking, {} in all{}{}{}",
              plan.epsilon(), plan.total_epsilon(),
              plan.proven
                  ? ""
                  : "; that one edge moves no more is the word of its author, not proven in this repository",
              context.released ? "" : "; it is that of a plan, nothing was released",
              same_version ? "" : "; its words are those of another version and were NOT compared")};
}

// Reasons quote what they found, which may be hostile.
template <class Check>
Verification without_throwing(const Check& check) {
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

Verification check_artefact(std::string_view text) {
  const ArtefactFile artefact = parse_artefact(std::as_bytes(std::span(text)), "the artefact");
  return {
      true,
      fmt::format(
          "an artefact with {} noisy numbers, undamaged; its certificate was recomputed from its parameters: epsilon = {}, once for all answers",
          artefact.values.size(), artefact.plan.epsilon())};
}

}  // namespace

VerifiedCertificate verify_document(const Json& certificate) {
  VerifiedCertificate verified;
  static_cast<Verification&>(verified) =
      without_throwing([&] { return check_document(certificate, verified.plan, verified.context); });
  return verified;
}

Verification verify_certificate(std::string_view text) {
  return without_throwing([&]() -> Verification {
    if (is_artefact(text)) return check_artefact(text);
    return verify_document(find_certificate(text));
  });
}

Verification verify_certificate_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return verify_certificate({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace hushwalk
