#include "plan/artefact_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/file_kind.h"
#include "base/sha256.h"
#include "plan/certificate.h"
#include "plan/strict_json.h"

namespace hushwalk {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t longest_header = std::size_t{1} << 26;  // custom coefficients may be many
constexpr int format = 2;  // 1: without an id; it is then the SHA-256 of the file

std::string checksum_text(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", checksum(bytes));
}

}  // namespace

bool is_artefact(std::string_view text) { return text.starts_with(artefact_start); }

namespace {

std::string header_line(const ArtefactFile& artefact, std::span<const std::byte> body) {
  const Json header = {{"kind", artefact_kind},
                       {"format", format},
                       {"artefact", artefact.context.artefact},
                       {"values", artefact.values.size()},
                       {"checksum", checksum_text(body)},
                       {"certificate", certificate_document(artefact.plan, artefact.context)}};
  return header.dump() + "\n";
}

}  // namespace

std::vector<std::byte> artefact_bytes(const ArtefactFile& artefact) {
  const auto body = std::as_bytes(std::span(artefact.values));
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
    if (version < 1 || version > format)
      fail("'{}' has artefact format {}, and this version reads 1 to {}", name, version, format);
    const auto body = bytes.subspan(line_end + 1);
    const std::uint64_t count = header.at("values");
    if (body.size() / sizeof(std::int64_t) != count || body.size() % sizeof(std::int64_t) != 0)
      fail("'{}' is truncated or damaged: {} bytes follow its first line, and {} numbers need {}", name,
           body.size(), count, count * sizeof(std::int64_t));
    if (checksum_text(body) != header.at("checksum").get<std::string>())
      fail("'{}' is damaged: its checksum does not match", name);
    const Json& certificate = header.at("certificate");
    VerifiedCertificate verified = verify_document(certificate);
    if (!verified.valid) fail("the certificate of '{}' does not hold: {}", name, verified.reason);
    const Plan& plan = verified.plan;
    if (plan.artefact != Artefact::numbers || plan.parameters.scope != Scope::edge ||
        plan.graph.nodes != count)
      fail("'{}' is damaged: its certificate is not that of its numbers", name);
    CertificateContext& context = verified.context;
    if (version == 1) context.artefact = sha256_hex(bytes);
    if (context.artefact.empty() || (version > 1 && header.at("artefact") != context.artefact))
      fail("'{}' is damaged: its id is missing, or not that of its certificate", name);
    std::vector<std::int64_t> values(count);
    std::memcpy(values.data(), body.data(), body.size());
    return {std::move(verified.plan), std::move(context), std::move(values),
            std::string(text.substr(0, line_end + 1))};
  } catch (const nlohmann::json::exception& error) {
    fail("'{}' is damaged: {}", name, error.what());
  }
}

}  // namespace hushwalk
