#include "distributed/team.h"

#include <openssl/crypto.h>

#include <array>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "diffusion/best_exactly.h"
#include "distributed/import.h"
#include "graph/unsaved_graph.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/output_file.h"
#include "noise/keyed_noise.h"
#include "plan/certificate.h"

namespace hushwalk {
namespace {

// As it is in the first process, to the last bit.
SeedVector seed_in(const Json& entries) {
  std::vector<std::pair<Node, double>> given;
  for (const Json& entry : entries) given.emplace_back(entry[0].get<Node>(), entry[1].get<double>());
  return SeedVector::of_entries(std::move(given));
}

std::vector<SeedVector> seeds_in(const Json& json) {
  std::vector<SeedVector> seeds;
  for (const Json& entries : json) seeds.push_back(seed_in(entries));
  return seeds;
}

// ---- keys
// ---------------------------------------------------------------------------------------------------

// 32 bytes, or none, and wiped: one place where keys leave a process.
struct SentKey {
  std::array<std::byte, 1 + ReleaseKey::size> bytes{};
  SentKey() = default;
  ~SentKey() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
  SentKey(const SentKey&) = delete;
  SentKey& operator=(const SentKey&) = delete;
};

// The key under which the others have the same words. None: only single answers have one.
const ReleaseKey* key_of(const NoiseSource& source) {
  const auto* const keyed = dynamic_cast<const KeyedNoise*>(&source);
  return keyed != nullptr ? &keyed->key_for_job() : nullptr;
}

void send_key(const Job& job, const ReleaseKey* key) {
  SentKey sent;
  if (key != nullptr) {
    sent.bytes[0] = std::byte{1};
    std::ranges::copy(key->secret_bytes(), sent.bytes.begin() + 1);
  }
  job.share(std::span<std::byte>(sent.bytes));
}

std::unique_ptr<KeyedNoise> receive_key(const Job& job) {
  SentKey sent;
  job.share(std::span<std::byte>(sent.bytes));
  if (sent.bytes[0] == std::byte{0}) return nullptr;
  return std::make_unique<KeyedNoise>(ReleaseKey(std::span(sent.bytes).last<ReleaseKey::size>()));
}

// In the others: the noise of a release under the keys of the first process.
class ReceivedNoise final : public NoiseSource {
 public:
  explicit ReceivedNoise(const Job& job) : job_(job), shared_(receive_key(job)) {}

  std::unique_ptr<NoiseSource> answer(std::uint64_t) override {
    auto noise = receive_key(job_);
    if (!noise) fail("the first process has no key for an answer: no noise is drawn");
    return noise;
  }
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override {
    if (!shared_)
      fail("noise that answers share was asked for under keys of single answers: no noise is drawn");
    return shared_->piece(address);
  }

 private:
  const Job& job_;
  std::unique_ptr<KeyedNoise> shared_;
};

// ---- the graph
// ----------------------------------------------------------------------------------------------

Json listing_json(const Listing* listing) {
  if (listing == nullptr) return nullptr;
  const Json candidates = listing->candidates ? Json(*listing->candidates) : Json(nullptr);
  return {listing->top, listing->exclude_neighbors, candidates};
}

Listing listing_in(const Json& json) {
  Listing listing{json[0], json[1]};
  if (!json[2].is_null()) listing.candidates = json[2].get<std::vector<Node>>();
  return listing;
}

// A part as what a graph is spread over, in any process.
class Spread : public SpreadRows {
 public:
  explicit Spread(std::shared_ptr<const GraphPart> part) : part_(std::move(part)), rows_(part_->rows()) {}
  const Rows& mine() const override { return rows_; }
  void diffuse_together(const Exact&, const std::function<void()>& work) const override { work(); }
  Sha256 digest() const override { return part_->digest(); }
  int processes() const override { return part_->processes(); }

 private:
  std::shared_ptr<const GraphPart> part_;
  Rows rows_;
};

// In the first process, where the others have to be asked.
class AskingSpread final : public Spread {
 public:
  AskingSpread(const Team& team, std::shared_ptr<const GraphPart> part)
      : Spread(std::move(part)), team_(team) {}

  void diffuse_together(const Exact& what, const std::function<void()>& work) const override {
    Json steps = Json::array();
    for (const Step& step : what.diffusion.steps()) steps.push_back({step.walk, step.stay, step.restart});
    Json limits = nullptr;
    if (what.clip) limits = {what.clip->eta, static_cast<int>(what.clip->scope)};
    team_.run({{"do", "diffuse"},
               {"steps", steps},
               {"seeds", seeds_json(what.seeds)},
               {"clip", limits},
               {"listing", listing_json(what.listing)}},
              work);
  }
  Sha256 digest() const override {
    Sha256 found{};
    team_.run({{"do", "digest"}}, [&] { found = Spread::digest(); });
    return found;
  }

 private:
  const Team& team_;
};

Diffusion diffusion_in(const Json& steps) {
  std::vector<Step> made;
  for (const Json& step : steps) made.push_back({step[0], step[1], step[2]});
  return Diffusion::custom(std::move(made));
}

std::optional<Clip> clip_in(const Json& limits) {
  if (limits.is_null()) return {};
  return Clip{limits[0], static_cast<Scope>(limits[1].get<int>())};
}

// What the first process has of a graph that all have imported.
class ImportedGraph final : public UnsavedGraph {
 public:
  ImportedGraph(const Team& team, std::shared_ptr<const ImportedPart> part)
      : team_(team), part_(std::move(part)) {}

  void save(const PublicFacts& facts, const std::filesystem::path& path, Permissions permissions,
            std::size_t parts) const override {
    const GraphShape shape = part_->shape(facts);
    graph_file::Header header = header_for(shape, facts.graph_id);
    OutputFile file(path, FileKind::graph, permissions, Links::follow, parts);
    file.set_size(header.file_size);
    const OpenedAs as{.names = file.names_for_others(team_.job().on_this_host() == team_.job().size()),
                      .path = path,
                      .in_folder = parts > 0,
                      .part_size = file.part_size()};
    std::vector<Sha256> digests;
    team_.run({{"do", "save"}, {"as", as.json()}}, [&] { digests = part_->save(as, header); });
    header.content = digest_of(shape, digests);
    header.checksum = header_checksum(header);
    file.write_at(0, std::as_bytes(std::span(&header, 1)));
    file.commit();
  }

 private:
  const Team& team_;
  std::shared_ptr<const ImportedPart> part_;
};

// ---- what the others do
// -------------------------------------------------------------------------------------

class Helper {
 public:
  explicit Helper(const Job& job) : job_(job) {}

  void obey(const Json& request) {
    const std::string what = request.at("do");
    if (what == "open") return open(request.at("path").get<std::string>());
    if (what == "import") return import(request);
    if (what == "save") return save(request);
    if (what == "digest") return static_cast<void>(part_->digest());
    if (what == "usage") return static_cast<void>(job_.usage_of_all());
    if (what == "diffuse") return diffuse(request);
    if (what == "artefact") return make_artefact(request);
    if (what == "start") return start(request);
    if (what == "numbers") return numbers(request);
    if (what == "end") return static_cast<void>(releases_.erase(request.at("release").get<std::uint64_t>()));
    fail("the first process asks for '{}', which this one does not know", what);
  }

 private:
  struct Started {
    Plan plan;
    ReceivedNoise noise;
    std::unique_ptr<Release> release = {};
  };

  void open(const std::filesystem::path& path) {
    releases_.clear();
    graph_.reset();
    part_.reset();
    part_ = std::make_shared<const GraphPart>(job_, path);
    graph_.emplace(part_->graph(std::make_shared<const Spread>(part_)));
  }
  void import(const Json& request) {
    imported_.reset();
    imported_ =
        std::make_unique<const ImportedPart>(job_, ImportTask::from(request.at("task")), nullptr, Progress());
  }
  void save(const Json& request) const { imported_->save(OpenedAs::from(request.at("as")), {}); }
  void diffuse(const Json& request) const {
    const Diffusion diffusion = diffusion_in(request.at("steps"));
    const std::vector<SeedVector> seeds = seeds_in(request.at("seeds"));
    const Json& listing = request.at("listing");
    if (listing.is_null())
      diffuse_exactly(*graph_, diffusion, seeds, clip_in(request.at("clip")));
    else
      best_exactly(*graph_, diffusion, seeds, listing_in(listing));
  }
  void make_artefact(const Json& request) const {
    ReceivedNoise noise(job_);
    const Plan plan = written_plan(request.at("plan"));
    find_mechanism(plan.parameters.mechanism).artefact(plan, *graph_, noise, {});
  }
  void start(const Json& request) {
    std::unique_ptr<Started> started(new Started{written_plan(request.at("plan")), ReceivedNoise(job_)});
    started->release =
        find_mechanism(started->plan.parameters.mechanism).start(started->plan, *graph_, started->noise, {});
    releases_[request.at("release").get<std::uint64_t>()] = std::move(started);
  }
  void numbers(const Json& request) const {
    releases_.at(request.at("release").get<std::uint64_t>())
        ->release->numbers(seeds_in(request.at("seeds")), request.at("first").get<std::uint64_t>(), {});
  }

  const Job& job_;
  std::shared_ptr<const GraphPart> part_;
  std::optional<Graph> graph_;
  std::unique_ptr<const ImportedPart> imported_;
  std::map<std::uint64_t, std::unique_ptr<Started>> releases_;  // after the graph: they refer to it
};

}  // namespace

Json seeds_json(std::span<const SeedVector> seeds) {
  Json all = Json::array();
  for (const SeedVector& seed : seeds) {
    Json entries = Json::array();
    for (const auto& [node, weight] : seed.entries()) entries.push_back({node, weight});
    all.push_back(std::move(entries));
  }
  return all;
}

void Team::run(const Json& request, const std::function<void()>& work) const {
  job_.tell(Json::to_cbor(request));
  job_.together(work);
}

void Team::dismiss() const { job_.tell(Json::to_cbor(Json{{"do", "leave"}})); }

void Team::serve() {
  Helper helper(job_);
  for (;;) {
    const Json request = Json::from_cbor(job_.wait_for_first());
    if (request.at("do") == "leave") return;
    try {
      job_.together([&] { helper.obey(request); });
    } catch (const Error&) {
      continue;  // all have failed alike, and the first says why
    }
  }
}

Graph Team::open(const std::filesystem::path& path) {
  std::shared_ptr<const GraphPart> part;
  run({{"do", "open"}, {"path", path.string()}},
      [&] { part = std::make_shared<const GraphPart>(job_, path); });
  return part->graph(std::make_shared<const AskingSpread>(*this, part));
}

std::vector<ProcessUsage> Team::usage() const {
  std::vector<ProcessUsage> found;
  run({{"do", "usage"}}, [&] { found = job_.usage_of_all(); });
  return found;
}

Import Team::import_graph(const std::vector<std::filesystem::path>& paths, const ImportOptions& options,
                          const Progress& progress) {
  ImportTask task{TextParts(paths), options};
  std::unique_ptr<LineBlocks> begun = task.begin(static_cast<std::size_t>(job_.size()));
  std::shared_ptr<const ImportedPart> part;
  run({{"do", "import"}, {"task", task.json()}},
      [&] { part = std::make_shared<const ImportedPart>(job_, task, std::move(begun), progress); });
  return {unsaved_graph(part->nodes(), part->report().edges, {options.nodes.has_value(), options.max_edges},
                        std::make_shared<const ImportedGraph>(*this, part)),
          part->report()};
}

SendingNoise::SendingNoise(const Job& job, NoiseSource& source) : job_(job), source_(source) {
  send_key(job, key_of(source));
}

std::unique_ptr<NoiseSource> SendingNoise::answer(std::uint64_t number) {
  std::unique_ptr<NoiseSource> noise = source_.answer(number);
  send_key(job_, key_of(*noise));
  return noise;
}

}  // namespace hushwalk
