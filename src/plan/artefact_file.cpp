#include "plan/artefact_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/file_kind.h"
#include "base/sha256.h"
#include "plan/certificate.h"
#include "plan/planner.h"
#include "plan/strict_json.h"

namespace hushwalk {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t longest_header = std::size_t{1} << 26;  // custom coefficients may be many
// 1: without an id; it is then the SHA-256 of the file. 3: counts of links, packed; else 8 bytes a number.
constexpr int format = 2, packed_format = 3;

// Seven bits a byte, the lowest first, the eighth saying that more follow; the sign is the lowest of all.
std::vector<std::byte> pack(std::span<const std::int64_t> values) {
  std::vector<std::byte> bytes;
  bytes.reserve(values.size());
  for (const std::int64_t value : values) {
    auto rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (; rest >= 0x80; rest >>= 7) bytes.push_back(static_cast<std::byte>(0x80 | (rest & 0x7f)));
    bytes.push_back(static_cast<std::byte>(rest));
  }
  return bytes;
}

// None when these are not `count` numbers, each in its shortest form.
std::optional<std::vector<std::int64_t>> unpack(std::span<const std::byte> bytes, std::uint64_t count) {
  if (count > bytes.size()) return {};
  std::vector<std::int64_t> values;
  values.reserve(count);
  std::uint64_t number = 0;
  int shift = 0;
  for (const std::byte byte : bytes) {
    const auto bits = static_cast<std::uint64_t>(byte);
    if (shift > 56 || (bits == 0 && shift > 0)) return {};
    number |= (bits & 0x7f) << shift;
    shift += 7;
    if (bits >= 0x80) continue;
    values.push_back(static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1));
    number = 0, shift = 0;
  }
  if (shift != 0 || values.size() != count) return {};
  return values;
}

std::vector<std::byte> plain(std::span<const std::int64_t> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

std::optional<std::vector<std::int64_t>> read_plain(std::span<const std::byte> bytes, std::uint64_t count) {
  if (bytes.size() / sizeof(std::int64_t) != count || bytes.size() % sizeof(std::int64_t) != 0) return {};
  std::vector<std::int64_t> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Whole links are small numbers.
bool is_packed(const Plan& plan) { return plan.lattice_bits == 0; }

bool makes_numbers(const std::string& mechanism) {
  try {
    return find_planner(mechanism).artefact() == Artefact::numbers;
  } catch (const Error&) {  // no such mechanism
    return false;
  }
}

std::string checksum_text(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", checksum(bytes));
}

}  // namespace

bool is_artefact(std::string_view text) { return text.starts_with(artefact_start); }

namespace {

constexpr const char* shown_encoding = "artefact";

std::vector<std::byte> body_of(const Plan& plan, std::span<const std::int64_t> values) {
  return is_packed(plan) ? pack(values) : plain(values);
}

std::string header_line(const ArtefactFile& artefact, std::span<const std::byte> body) {
  Json header = {{"kind", artefact_kind},
                 {"format", is_packed(artefact.plan) ? packed_format : format},
                 {"artefact", artefact.context.artefact},
                 {"values", artefact.values.size()},
                 {"checksum", checksum_text(body)}};
  if (!artefact.salt.empty()) header["salt"] = artefact.salt;
  header["certificate"] = artefact.certificate;
  return header.dump() + "\n";
}

std::string salted_hash(const std::string& salt, std::span<const std::byte> body) {
  ShownCsvHash hash(salt);
  hash.add({reinterpret_cast<const char*>(body.data()), body.size()});
  return hash.hex();
}

// What is signed speaks of these numbers, and nothing else stands around it.
void check_bound(const Json& header, const VerifiedCertificate& verified, std::span<const std::byte> body,
                 const std::string& name) {
  const std::optional<ShownAnswer>& shown = verified.context.shown;
  if (!shown && !verified.signature) return;
  if (!shown || shown->encoding != shown_encoding || header.size() != 7)
    fail("the certificate of '{}' is not that of an artefact", name);
  if (shown->sha256 != std::vector{salted_hash(header.at("salt"), body)})
    fail("the numbers of '{}' are not those that were certified", name);
}

}  // namespace

ArtefactFile new_artefact_file(Plan plan, CertificateContext context, std::vector<std::int64_t> values) {
  Json certificate = certificate_document(plan, context);
  return {std::move(plan), std::move(context), std::move(values), std::move(certificate)};
}

ArtefactFile signed_artefact(Plan plan, CertificateContext context, std::vector<std::int64_t> values,
                             const SigningKey& key, const std::string& salt) {
  context.shown = {shown_encoding, {salted_hash(salt, body_of(plan, values))}};
  Json certificate = signed_document(plan, context, key);
  return {std::move(plan), std::move(context), std::move(values), std::move(certificate), salt};
}

std::vector<std::byte> artefact_bytes(const ArtefactFile& artefact) {
  const std::vector<std::byte> body = body_of(artefact.plan, artefact.values);
  const std::string line = artefact.header.empty() ? header_line(artefact, body) : artefact.header;
  const auto head = std::as_bytes(std::span(line));
  std::vector<std::byte> result(head.begin(), head.end());
  result.insert(result.end(), body.begin(), body.end());
  return result;
}

ArtefactFile parse_artefact(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!is_artefact(text)) fail("'{}' is not a shared artefact; share makes one", name);
  const std::size_t line_end = text.substr(0, longest_header).find('\n');
  if (line_end == text.npos) fail("'{}' is truncated or damaged: its first line does not end", name);
  try {
    const Json header = read_strictly(text.substr(0, line_end)).document;
    if (header.is_discarded()) fail("'{}' is damaged: its first line is not JSON", name);
    const int version = header.at("format");
    if (version < 1 || version > packed_format)
      fail("'{}' has artefact format {}, and this version reads 1 to {}", name, version, packed_format);
    if (version == 1 && header.at("certificate").at("format") != 1)
      fail("'{}' is damaged: its format is older than that of its certificate", name);
    const auto body = bytes.subspan(line_end + 1);
    const std::uint64_t count = header.at("values");
    auto values = version == packed_format ? unpack(body, count) : read_plain(body, count);
    if (!values)
      fail("'{}' is truncated or damaged: {} bytes follow its first line, which are not {} numbers", name,
           body.size(), count);
    if (checksum_text(body) != header.at("checksum").get<std::string>())
      fail("'{}' is damaged: its checksum does not match", name);
    const Json& certificate = header.at("certificate");
    // First of all: recomputing the certificate of another mechanism can take long.
    if (!makes_numbers(certificate.at("mechanism")))
      fail("'{}' is damaged: its certificate is not that of an artefact", name);
    VerifiedCertificate verified = verify_document(certificate);
    if (!verified.valid) fail("the certificate of '{}' does not hold: {}", name, verified.reason);
    check_bound(header, verified, body, name);
    const Plan& plan = verified.plan;
    if (plan.parameters.scope != Scope::edge || is_packed(plan) != (version == packed_format) ||
        (!is_packed(plan) && plan.graph.nodes != count))
      fail("'{}' is damaged: its certificate is not that of its numbers", name);
    CertificateContext& context = verified.context;
    if (version == 1) context.artefact = sha256_hex(bytes);
    if (context.artefact.empty() || (version > 1 && header.at("artefact") != context.artefact))
      fail("'{}' is damaged: its id is missing, or not that of its certificate", name);
    return {std::move(verified.plan),
            std::move(context),
            std::move(*values),
            certificate,
            header.value("salt", std::string()),
            std::string(text.substr(0, line_end + 1)),
            certificate.at("software_version")};
  } catch (const nlohmann::json::exception& error) {
    fail("'{}' is damaged: {}", name, error.what());
  }
}

}  // namespace hushwalk
