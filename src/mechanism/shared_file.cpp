// The artefact of `shared` as a file: one line of JSON (docs/formats.md), then the numbers, 8 bytes each.
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cstring>
#include <utility>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/system_random.h"
#include "hushwalk/output_file.h"
#include "mechanism/certificate.h"
#include "mechanism/shared.h"
#include "noise/keyed_noise.h"

namespace hushwalk {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t longest_header = std::size_t{1} << 26;  // custom coefficients may be many
constexpr int format = 2;  // 1: without an id; it is then the SHA-256 of the file

std::string checksum(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace

bool is_artefact(std::string_view text) { return text.starts_with(artefact_start); }

SharedArtefact::SharedArtefact(Plan plan, CertificateContext context, std::vector<std::int64_t> values)
    : plan_(std::move(plan)), context_(std::move(context)), values_(std::move(values)) {}

SharedArtefact SharedArtefact::make(const Plan& plan, const Graph& graph, const Progress&,
                                    CertificateContext context) {
  if (plan.mechanism != "shared" || plan.scope != Scope::edge)
    fail_usage("an artefact needs a plan for shared in edge scope");
  if (plan.graph != public_facts(graph)) fail_usage("the plan was made for a graph with other public facts");
  check_plan(plan);
  context.artefact = random_id("the id of an artefact");
  KeyedNoise noise(ReleaseKey::fresh());
  return {plan, std::move(context), release_background(plan, graph, noise)};
}

std::vector<std::byte> SharedArtefact::bytes() const {
  const auto body = std::as_bytes(std::span(values_));
  const OrderedJson header = {
      {"kind", artefact_kind},         {"format", format},
      {"artefact", context_.artefact}, {"values", values_.size()},
      {"checksum", checksum(body)},    {"certificate", certificate_document(plan_, context_)}};
  const std::string line = header.dump() + "\n";
  const auto head = std::as_bytes(std::span(line));
  std::vector<std::byte> result(head.begin(), head.end());
  result.insert(result.end(), body.begin(), body.end());
  return result;
}

SharedArtefact SharedArtefact::named_for(const std::string& audience) const {
  SharedArtefact named = *this;
  named.context_.audience = audience;
  return named;
}

bool operator==(const SharedArtefact& a, const SharedArtefact& b) {
  return a.context_.artefact == b.context_.artefact && a.plan_ == b.plan_ && a.values_ == b.values_;
}

void SharedArtefact::save(const std::filesystem::path& path) const {
  OutputFile file(path, FileKind::artefact, publishable);
  file.write(bytes());
  file.commit();
}

SharedArtefact SharedArtefact::open(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse(file.bytes(), path.string());
}

SharedArtefact SharedArtefact::parse(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!is_artefact(text))
    fail("'{}' is not a shared artefact; make one with: hushwalk share G --epsilon E -o S", name);
  const std::size_t line_end = text.substr(0, longest_header).find('\n');
  if (line_end == text.npos) fail("'{}' is truncated or damaged: its first line does not end", name);
  try {
    const OrderedJson header = read_strictly(text.substr(0, line_end));
    if (header.is_discarded()) fail("'{}' is damaged: its first line is not JSON", name);
    const int version = header.at("format");
    if (version < 1 || version > format)
      fail("'{}' has artefact format {}, and this version reads 1 to {}", name, version, format);
    const auto body = bytes.subspan(line_end + 1);
    const std::uint64_t count = header.at("values");
    if (body.size() / sizeof(std::int64_t) != count || body.size() % sizeof(std::int64_t) != 0)
      fail("'{}' is truncated or damaged: {} bytes follow its first line, and {} numbers need {}", name,
           body.size(), count, count * sizeof(std::int64_t));
    if (checksum(body) != header.at("checksum").get<std::string>())
      fail("'{}' is damaged: its checksum does not match", name);
    const OrderedJson& certificate = header.at("certificate");
    if (const Verification verified = verify_document(certificate); !verified.valid)
      fail("the certificate of '{}' does not hold: {}", name, verified.reason);
    Plan plan = plan_of(certificate);
    if (plan.mechanism != "shared" || plan.scope != Scope::edge || plan.graph.nodes != count)
      fail("'{}' is damaged: its certificate is not that of its numbers", name);
    CertificateContext context = context_of(certificate);
    if (version == 1) context.artefact = sha256_hex(bytes);
    if (context.artefact.empty() || (version > 1 && header.at("artefact") != context.artefact))
      fail("'{}' is damaged: its id is missing, or not that of its certificate", name);
    std::vector<std::int64_t> values(count);
    std::memcpy(values.data(), body.data(), body.size());
    return {std::move(plan), std::move(context), std::move(values)};
  } catch (const nlohmann::json::exception& error) {
    fail("'{}' is damaged: {}", name, error.what());
  }
}

Plan SharedArtefact::plan_for(const PublicFacts& facts, const ReleaseRequest& answers) const {
  if (facts.graph_id != plan_.graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", plan_.graph.graph_id, facts.graph_id);
  if (!context_.audience.empty() && context_.audience != everybody)
    refuse(
        "the artefact was charged to '{}' alone: whoever else gets an answer from it must be charged too, by "
        "the "
        "ledger {}",
        context_.audience, context_.ledger);
  ReleaseRequest request = answers;
  request.mechanism = "shared";
  request.epsilon = Epsilon(plan_.epsilon);
  request.taper = plan_.taper;
  return make_plan(facts, request);
}

std::vector<PrivateScores> SharedArtefact::answer(const Plan& plan, const Graph& graph,
                                                  std::span<const SeedVector> seeds) const {
  if (graph.facts().graph_id != plan_.graph.graph_id || graph.nodes() != values_.size())
    refuse("the artefact was made from another graph (id {})", plan_.graph.graph_id);
  if (plan.noise != plan_.noise) fail_usage("the plan is not one of this artefact: take plan_for()");
  std::vector<PrivateScores> result;
  for (const SeedVector& seed : seeds) result.push_back(scores_from(values_, plan, graph, seed));
  return result;
}

}  // namespace hushwalk
