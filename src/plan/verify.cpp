// A certificate is made again from its parameters and compared, value by value.
#include <cmath>
#include <span>

#include "base/fail.h"
#include "base/file_kind.h"
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

constexpr const char* not_json = "it is not JSON";

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
  const std::uint64_t certified = given.certificate.at("rankings");
  if (given.rankings->size() != certified && given.rankings->size() != 1)
    fail("there are {} rankings beside it, and it is for {}", given.rankings->size(), certified);
}

Given find_certificate(std::string_view text) {
  auto [document, rankings] = read_strictly(text);
  if (document.is_discarded()) {
    const std::string lines = document_of_lines(text);
    if (lines.empty()) fail("{}", not_json);
    return find_certificate(lines);
  }
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

// What older formats did not have yet.
void to_format(int format, Json& document) {
  if (format < 3)
    for (const char* key : {"budget", "charged", "answer", "issuer", "public_key"}) document.erase(key);
  if (format < 2)
    for (const char* key : {"randomness", "artefact", "ledger"}) document.erase(key);
  document["format"] = format;
}

std::optional<LedgerPromise> budget_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  LedgerPromise budget{optional_in(json.at("epsilon")), optional_in(json.at("delta")),
                       optional_in(json.at("per_period")), 0, json.at("carry")};
  const std::string period = json.at("period").is_null() ? "month" : json.at("period").get<std::string>();
  if (period == "month") return budget;
  if (period.size() < 2 || period.size() > 6 || !period.ends_with('d') ||
      period.find_first_not_of("0123456789") != period.size() - 1)
    fail("budget.period is neither days nor a month");
  budget.days = std::stoi(period);
  return budget;
}

// A time is shown in the words.
std::optional<ChargedEntry> charged_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ChargedEntry charged{json.at("entry"), json.at("head"), json.at("at")};
  if (charged.at.size() != 20 || charged.at.find_first_not_of("0123456789-:TZ") != charged.at.npos)
    fail("charged.at is not a time");
  return charged;
}

std::optional<ShownAnswer> shown_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ShownAnswer shown{json.at("encoding"), json.at("sha256")};
  if (shown.encoding != "json" && shown.encoding != "csv") fail("answer.encoding is neither json nor csv");
  return shown;
}

std::string text_in(const Json& json) { return json.is_null() ? "" : json.get<std::string>(); }

void read_noise(const Json& written, NoiseUse& use) {
  use.on = written.at("on");
  if (use.flip_probability > 0) {
    use.flip_probability = written.at("flip_probability");
    use.lattice_scale = written.at("skip_scale");
    return;
  }
  use.laplace_scale = written.at("laplace_scale");
  use.lattice_scale = written.at("lattice_scale");
  use.draws = written.at("draws");
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

Plan written_plan(const Json& document) {
  Plan plan = plan_of(document);
  plan.sensitivity = document.at("sensitivity");
  plan.sensitivity_bound = document.at("sensitivity_bound");
  plan.theorem = document.at("theorem");
  plan.lattice_bits = document.at("lattice").at("bits");
  plan.slack = document.at("lattice").at("slack");
  const Json& noise = document.at("noise");
  if (noise.size() != plan.noise.size())
    fail("its noise is on {} kinds of numbers, not {}", noise.size(), plan.noise.size());
  for (std::size_t i = 0; i < noise.size(); ++i) read_noise(noise[i], plan.noise[i]);
  const Json& guarantee = document.at("guarantee");
  plan.guarantee.epsilon = number_in(guarantee.at("epsilon"));
  plan.guarantee.rdp = number_in(guarantee.at("rdp"));
  plan.guarantee.order = number_in(guarantee.at("order"));
  plan.guarantee.pure_epsilon = number_in(guarantee.at("pure_epsilon"));
  return plan;
}

CertificateContext context_of(const Json& certificate) {
  CertificateContext context{.public_candidates = certificate.at("public_candidates"),
                             .released = certificate.at("released")};
  if (format_of(certificate) == 1) return context;
  context.artefact = id_in(certificate, "artefact");
  context.ledger = id_in(certificate, "ledger");
  context.audience = audience_in(certificate);
  if (format_of(certificate) == 2) return context;
  context.budget = budget_in(certificate.at("budget"));
  context.charged = charged_in(certificate.at("charged"));
  context.shown = shown_in(certificate.at("answer"));
  context.issuer = text_in(certificate.at("issuer"));
  if (!is_recipient_name(context.issuer)) fail("issuer is not a name");
  context.public_key = text_in(certificate.at("public_key"));
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

// The answer that is at hand, if any, is the one that was certified.
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
  if (hashes != shown->sha256) fail("the answer is not the one that was certified");
  found.answer = true;
  found.reason += "; the answer is the one that was certified";
  if (const std::uint64_t certified = given.certificate.at("rankings"); json && certified > 1)
    if (hashes.size() == 1) found.reason += fmt::format(", one of {} that were made together", certified);
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

Verification check_artefact(std::string_view text) {
  const ArtefactFile artefact = parse_artefact(std::as_bytes(std::span(text)), "the artefact");
  return {
      true,
      fmt::format(
          "an artefact with {} noisy numbers, undamaged; its certificate was recomputed from its parameters: epsilon = {}, once for all answers",
          artefact.values.size(), artefact.plan.epsilon()),
      true};
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
    if (is_artefact(text)) {
      if (input.public_key) fail("an artefact is not signed");
      return check_artefact(text);
    }
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

std::string why_not_json(const std::filesystem::path& path) {
  const std::string_view kind = kind_of_file(path);
  const std::string name = path.string();
  if (name.ends_with(".csv"))
    return fmt::format(
        "it is a table, and no certificate stands beside it; that of a CSV file is written with it, to '{}'",
        certificate_beside(path).string());
  if (kind.empty()) return "it is empty";
  return fmt::format(
      "it is {}, and not JSON; give a certificate, an answer in JSON, or a shared artefact{}", kind,
      kind == in_words(FileKind::graph) ? ": a graph has no certificate, its answers have" : "");
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
    Verification found =
        verify_certificate({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, input);
    if (found.reason == not_json) found.reason = why_not_json(path);
    return found;
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
