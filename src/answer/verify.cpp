// A certificate with what stands around it: the answer that it is of, the file, the signature.
#include "hushwalk/verify.h"

#include <algorithm>
#include <span>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "hushwalk/version.h"
#include "mechanism/mechanism.h"
#include "plan/artefact_file.h"
#include "plan/certificate.h"
#include "plan/strict_json.h"

namespace hushwalk {
namespace {

constexpr const char* not_json = "it is not JSON";
constexpr const char* nobody_signed =
    ", but nothing ties the two to anybody: it is not signed, and whoever alters both is not noticed";

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
  if (here < 1 || here > certified || (!bound && here > 1 && here != certified))
    fail("there are {} rankings beside it, and it is for {}", here, certified);
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
  if (shown->sha256.size() > given.certificate.at("rankings").get<std::uint64_t>())
    fail("it speaks of {} answers, and is for fewer", shown->sha256.size());
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
  if (const std::uint64_t made = given.certificate.at("rankings"); json && shown->sha256.size() < made)
    found.reason += fmt::format(", one of {} that were made together", made);
  if (!found.signature) found.reason += nobody_signed;
}

// Its numbers must be such as its mechanism releases, too.
Verification check_artefact(std::string_view text, const std::optional<std::string>& public_key) {
  const ArtefactFile artefact = parse_artefact(std::as_bytes(std::span(text)), "the artefact");
  find_mechanism(artefact.plan.parameters.mechanism).check_artefact(artefact.plan, artefact.values);
  Verification found{
      true,
      fmt::format(
          "an artefact with {} noisy numbers, undamaged; its certificate was recomputed from its parameters: epsilon = {}, once for all answers",
          artefact.values.size(), artefact.plan.epsilon()),
      true};
  found.answer = artefact.context.shown.has_value();
  const Json& certificate = artefact.certificate;
  found.certificate = certificate.dump();
  found.ledger = artefact.context.ledger;
  found.words = certificate.value("software_version", "") == version();
  found.reason += found.answer ? "; its numbers are those that were certified"
                               : "; nothing ties its numbers to it but a checksum";
  check_signature(certificate, public_key, found);
  if (found.answer && !found.signature) found.reason += nobody_signed;
  return found;
}

}  // namespace

Verification verify_certificate(std::string_view text, const VerificationInput& input) {
  return without_throwing([&]() -> Verification {
    if (is_artefact(text)) return check_artefact(text, input.public_key);
    const Given given = find_certificate(text);
    VerifiedCertificate found = verify_document(given.certificate, input.public_key);
    if (found.valid) check_shown(given, found.context, input, found);
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
