// A certificate is made again from its parameters and compared, value by value.
#include <algorithm>
#include <cmath>
#include <span>

#include "base/fail.h"
#include "base/files.h"
#include "base/utf8.h"
#include "hushwalk/signing.h"
#include "hushwalk/version.h"
#include "plan/artefact_file.h"
#include "plan/certificate.h"
#include "plan/parameter_json.h"
#include "plan/strict_json.h"

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

// A certificate with what stands around it.
struct Given {
  Json certificate;
  std::optional<std::vector<std::string>> rankings = {};  // their hashes
};

// Nothing else stands around a certificate that is bound to its answer.
void check_keys(const Json& document) {
  for (const auto& [key, value] : document.items())
    if (key != "private" && key != "rankings" && key != "certificate")
      fail("\"{}\" does not belong there", key);
  if (!document.contains("private")) fail("\"private\" is missing");
}

// What surrounds a certificate must not contradict it.
void check_around(const Json& document, const Given& given) {
  if (document.value("private", true) != true) fail("the answer beside it says that it is not private");
  if (!given.certificate.is_object()) return;
  if (!given.certificate.value("answer", Json()).is_null()) check_keys(document);
  if (!given.rankings) return;
  const std::uint64_t certified = given.certificate.at("rankings"), here = given.rankings->size();
  const bool bound = !given.certificate.value("answer", Json()).is_null();
  if (bound ? here < 1 || here > certified : here != certified)
    fail("there are {} rankings beside it, and it is for {}", here, certified);
}

Given find_certificate(std::string_view text) {
  auto [document, rankings] = read_strictly(text);
  if (document.is_discarded()) fail("it is not JSON");
  if (!document.is_object()) fail("it is not a JSON object");
  if (!document.contains("certificate")) return {std::move(document)};
  if (document["certificate"].is_null()) fail("the answer is exact and has no certificate");
  Given given{document["certificate"]};
  if (document.contains("rankings")) {
    if (!document["rankings"].is_array()) fail("its rankings are not a list");
    given.rankings = std::move(rankings);
  }
  check_around(document, given);
  return given;
}

// What older formats did not have yet.
void to_format(int format, Json& document) {
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
              same_version ? "" : "; its words are those of another version and were NOT compared"),
          true};
}

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

// In the same order: some may have been left out, and none stands there twice.
bool all_among(const std::vector<std::string>& hashes, const std::vector<std::string>& certified) {
  auto at = certified.begin();
  for (const std::string& hash : hashes) {
    at = std::find(at, certified.end(), hash);
    if (at == certified.end()) return false;
    ++at;
  }
  return true;
}

std::string shown_words(std::size_t here, std::size_t certified) {
  if (here == certified) return "; the answer is the one that was certified";
  return here == 1 ? fmt::format("; this ranking is one of {} certified", certified)
                   : fmt::format("; these {} rankings are among {} certified", here, certified);
}

// The answer that is at hand, if any, is the one that was certified, or some rankings of it.
void check_shown(const Given& given, const CertificateContext& context, const VerificationInput& input,
                 Verification& found) {
  const std::optional<ShownAnswer>& shown = context.shown;
  const bool json = given.rankings.has_value(), csv = input.csv.has_value();
  if (!shown) {
    if ((json || csv) && found.signature) fail("it is signed, but nothing ties the answer beside it to it");
    if (json || csv) found.reason += "; nothing ties the answer beside it to it";
    return;
  }
  if (!json && !csv) {
    found.reason += "; the answer that it is of is not at hand";
    return;
  }
  if (shown->encoding != (json ? "json" : "csv"))
    fail("it is the certificate of an answer in {}", shown->encoding);
  if (csv && !input.csv_salt)
    fail(
        "the answer cannot be compared with it: the file with its salt, which ends in .salt, is not beside it");
  std::vector<std::string> hashes = given.rankings.value_or(std::vector<std::string>());
  if (csv) {
    ShownCsvHash hash(*input.csv_salt);
    hash.add(*input.csv);
    hashes = {hash.hex()};
  }
  if (!all_among(hashes, shown->sha256)) fail("the answer is not the one that was certified");
  found.answer = true;
  found.reason += shown_words(hashes.size(), shown->sha256.size());
  if (!found.signature)
    found.reason +=
        ", but nothing ties the two to anybody: it is not signed, and whoever alters both is not noticed";
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

Verification check_artefact(std::string_view text, const std::optional<std::string>& public_key) {
  const ArtefactFile artefact = parse_artefact(std::as_bytes(std::span(text)), "the artefact");
  Verification found{
      true,
      fmt::format(
          "an artefact with {} noisy numbers, undamaged; its certificate was recomputed from its parameters: epsilon = {}, once for all answers",
          artefact.values.size(), artefact.plan.epsilon()),
      true};
  found.answer = artefact.context.shown.has_value();
  found.reason += found.answer ? "; its numbers are those that were certified"
                               : "; nothing ties its numbers to it but a checksum";
  check_signature(artefact_certificate(artefact), public_key, found);
  return found;
}

}  // namespace

VerifiedCertificate verify_document(const Json& certificate, const std::optional<std::string>& public_key) {
  VerifiedCertificate verified;
  static_cast<Verification&>(verified) = without_throwing([&] {
    Verification found = check_document(certificate, verified.plan, verified.context);
    if (found.valid) check_signature(certificate, public_key, found);
    return found;
  });
  return verified;
}

Verification verify_certificate(std::string_view text, const VerificationInput& input) {
  return without_throwing([&] {
    if (is_artefact(text)) return check_artefact(text, input.public_key);
    const Given given = find_certificate(text);
    VerifiedCertificate checked;
    Verification found = check_document(given.certificate, checked.plan, checked.context);
    if (!found.valid) return found;
    check_signature(given.certificate, input.public_key, found);
    check_shown(given, checked.context, input, found);
    return found;
  });
}

std::filesystem::path certificate_beside(const std::filesystem::path& csv) {
  return csv.string() + ".certificate.json";
}
std::filesystem::path salt_beside(const std::filesystem::path& csv) { return csv.string() + ".salt"; }

namespace {

std::string content_of(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The CSV file of a certificate's name, if there is one.
std::filesystem::path csv_of(const std::filesystem::path& path) {
  const std::string name = path.string(), end = certificate_beside("").string();
  return name.ends_with(end) ? name.substr(0, name.size() - end.size()) : std::string();
}

}  // namespace

Verification verify_certificate_file(const std::filesystem::path& path, const VerificationInput& input) {
  std::error_code none;
  const std::filesystem::path named = csv_of(path);
  const bool beside = named.empty() && std::filesystem::exists(certificate_beside(path), none);
  const std::filesystem::path csv = beside ? path : named;
  if (csv.empty() || !std::filesystem::exists(csv, none)) {
    const MappedFile file(path);  // which may be large, and is not copied
    return verify_certificate({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()},
                              input);
  }
  VerificationInput both = input;
  both.csv = content_of(csv);
  if (std::filesystem::exists(salt_beside(csv), none)) {
    std::string salt = read_whole_file(salt_beside(csv));
    both.csv_salt = salt.substr(0, salt.find('\n'));
  }
  return verify_certificate(content_of(certificate_beside(csv)), both);
}

}  // namespace hushwalk
