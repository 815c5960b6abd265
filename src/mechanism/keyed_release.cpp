#include "mechanism/keyed_release.h"

#include <utility>

#include "base/fail.h"
#include "base/keyed_hash.h"
#include "mechanism/mechanism.h"
#include "noise/keyed_noise.h"

namespace hushwalk {
namespace {

constexpr const char* tag_label = "released 1";
constexpr const char* artefact_id_label = "artefact id 1";

// Every answer has a release key of its own, and draws what it would draw alone. Nothing is kept between two
// calls, so that threads may ask for different answers at a time.
class AnswerKeys final : public NoiseSource {
 public:
  explicit AnswerKeys(std::function<ReleaseKey(std::uint64_t)> key) : key_(std::move(key)) {}

  std::unique_ptr<NoiseSource> answer(std::uint64_t number) override {
    return KeyedNoise(key_(number)).answer(0);
  }
  std::unique_ptr<PieceWords> piece(const PieceAddress&) override {
    fail("noise that answers share was asked for under keys of single answers: no noise is drawn");
  }

  ReleaseKey tag_key(std::uint64_t number) const { return key_(number).derive(tag_label, {}); }

 private:
  std::function<ReleaseKey(std::uint64_t)> key_;
};

}  // namespace

struct KeyedRelease::Impl {
  Plan plan;
  Graph graph;
  AnswerKeys keys;
  std::unique_ptr<Release> release = {};
};

KeyedRelease::KeyedRelease(Graph graph, Plan plan, std::function<ReleaseKey(std::uint64_t)> key,
                           const Progress& progress)
    : impl_(
          new Impl{.plan = std::move(plan), .graph = std::move(graph), .keys = AnswerKeys(std::move(key))}) {
  impl_->release = find_mechanism(impl_->plan.parameters.mechanism)
                       .start(impl_->plan, impl_->graph, impl_->keys, progress);
}

KeyedRelease::~KeyedRelease() = default;
KeyedRelease::KeyedRelease(KeyedRelease&&) noexcept = default;

std::vector<KeyedRelease::Answer> KeyedRelease::answer(std::span<const SeedVector> seeds, std::uint64_t first,
                                                       const Progress& progress) {
  std::vector<Answer> answers;
  impl_->release->each_answer(seeds, first, progress, [&](const Columns& released, PrivateScores scores) {
    HmacSha256 tag(impl_->keys.tag_key(first + answers.size()).secret_bytes());
    impl_->release->each_released(released, [&](std::span<const std::byte> bytes) { tag.add(bytes); });
    answers.push_back({std::move(scores), tag.finish()});
  });
  return answers;
}

SharedArtefact keyed_artefact(const Graph& graph, Plan plan, CertificateContext context, ReleaseKey key,
                              const Progress& progress) {
  const Sha256 id = sha256(key.derive(artefact_id_label, {}).secret_bytes());
  context.artefact = to_hex(std::span(id).first<16>());
  KeyedNoise noise(std::move(key));
  return SharedArtefact::make(graph, std::move(plan), std::move(context), noise, progress);
}

}  // namespace hushwalk
