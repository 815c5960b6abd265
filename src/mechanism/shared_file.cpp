// The artefact of `shared` as a file: one line of JSON (docs/formats.md), then the numbers, 8 bytes each.
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cstring>
#include <utility>

#include "base/fail.h"
#include "base/files.h"
#include "hushwalk/output_file.h"
#include "mechanism/certificate.h"
#include "mechanism/shared.h"
#include "noise/entropy_source.h"

namespace hushwalk {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* kind = "hushwalk shared artefact";
constexpr int format = 1;

std::string checksum(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace

bool is_artefact_header(const OrderedJson& document) {
  return document.is_object() && document.value("kind", OrderedJson()) == kind;
}

SharedArtefact::SharedArtefact(Plan plan, std::vector<std::int64_t> values)
    : plan_(std::move(plan)), values_(std::move(values)) {}

SharedArtefact SharedArtefact::make(const Plan& plan, const Graph& graph, const Progress&) {
  if (plan.mechanism != "shared" || plan.scope != Scope::edge)
    fail_usage("an artefact needs a plan for shared in edge scope");
  if (plan.graph != public_facts(graph)) fail_usage("the plan was made for a graph with other public facts");
  check_plan(plan);
  return {plan, release_background(plan, graph, EntropySource())};
}

std::vector<std::byte> SharedArtefact::bytes() const {
  const auto body = std::as_bytes(std::span(values_));
  const OrderedJson header = {{"kind", kind},
                              {"format", format},
                              {"values", values_.size()},
                              {"checksum", checksum(body)},
                              {"certificate", certificate_document(plan_, {})}};
  const std::string line = header.dump() + "\n";
  const auto head = std::as_bytes(std::span(line));
  std::vector<std::byte> result(head.begin(), head.end());
  result.insert(result.end(), body.begin(), body.end());
  return result;
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
  const std::size_t line_end = text.find('\n');
  const OrderedJson header = OrderedJson::parse(text.substr(0, line_end), nullptr, false);
  if (line_end == text.npos || !is_artefact_header(header))
    fail("'{}' is not a shared artefact; make one with: hushwalk share G --epsilon E -o S", name);
  try {
    if (header.at("format").get<int>() != format)
      fail("'{}' has artefact format {}, and this version reads {}", name, header.at("format").get<int>(),
           format);
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
    std::vector<std::int64_t> values(count);
    std::memcpy(values.data(), body.data(), body.size());
    return {std::move(plan), std::move(values)};
  } catch (const nlohmann::json::exception& error) {
    fail("'{}' is damaged: {}", name, error.what());
  }
}

Plan SharedArtefact::plan_for(const PublicFacts& facts, const ReleaseRequest& answers) const {
  if (facts.graph_id != plan_.graph.graph_id)
    refuse("the artefact was made from another graph (id {}, not {})", plan_.graph.graph_id, facts.graph_id);
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
