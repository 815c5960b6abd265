// Which words serve which number: no two numbers share any.
#include "mechanism/node_noise.h"
#include "plan/planner.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "hushwalk/error.h"
#include "mechanism/mechanism.h"
#include "support/graphs.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

// A key of the cipher is told by the path of answers, kind, step and piece; a block by its two halves.
using KeyName = std::tuple<std::vector<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint64_t>;
using BlockName = std::pair<std::uint64_t, std::uint64_t>;

// Writes down every counter block that is encrypted under every key, and for what.
struct BlockLog {
  static constexpr std::int64_t of_group = -1;
  std::mutex mutex;
  std::map<KeyName, std::map<BlockName, std::pair<std::int64_t, std::uint64_t>>> blocks;

  void add(const KeyName& key, const BlockName& block, std::int64_t kind, std::uint64_t who) {
    const std::scoped_lock lock(mutex);
    const auto [found, is_new] = blocks[key].try_emplace(block, kind, who);
    if (is_new) return;
    EXPECT_NE(kind, of_group) << "a group's block is used twice";
    EXPECT_EQ(found->second, std::pair(kind, who)) << "a block serves two";
  }
};

class LoggedWords final : public PieceWords {
 public:
  LoggedWords(std::unique_ptr<PieceWords> words, KeyName key, BlockLog& log)
      : words_(std::move(words)), key_(std::move(key)), log_(log) {}
  void primary(std::uint64_t first, std::size_t per_group, std::span<std::uint64_t> words) override {
    words_->primary(first, per_group, words);
    for (std::uint64_t i = 0; i < words.size() / 2; ++i)
      log_.add(key_, {0, first * per_group / 2 + i}, BlockLog::of_group, first + 2 * i / per_group);
  }
  void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) override {
    words_->own(blocks, words);
    for (const OwnBlock& block : blocks) log_.add(key_, {1 + block.node, block.block}, 0, block.node);
  }

 private:
  std::unique_ptr<PieceWords> words_;
  KeyName key_;
  BlockLog& log_;
};

class LoggedNoise final : public NoiseSource {
 public:
  LoggedNoise(std::unique_ptr<NoiseSource> noise, std::vector<std::uint64_t> path, BlockLog& log)
      : noise_(std::move(noise)), path_(std::move(path)), log_(log) {}
  std::unique_ptr<NoiseSource> answer(std::uint64_t number) override {
    auto path = path_;
    path.push_back(number);
    return std::make_unique<LoggedNoise>(noise_->answer(number), path, log_);
  }
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override {
    const KeyName key{path_, static_cast<std::uint64_t>(address.kind), address.step, address.piece};
    return std::make_unique<LoggedWords>(noise_->piece(address), key, log_);
  }

 private:
  std::unique_ptr<NoiseSource> noise_;
  std::vector<std::uint64_t> path_;
  BlockLog& log_;
};

std::string key_of(const KeyName& name, std::uint64_t seed) {
  const auto& [path, kind, step, piece] = name;
  ReleaseKey key = testing::seeded_key(seed);
  for (const std::uint64_t answer : path) key = key.derive("answer 1", {answer, 0, 0});
  key = key.derive("noise 1", {kind, step, piece});
  return {reinterpret_cast<const char*>(key.secret_bytes().data()), ReleaseKey::size};
}

Plan short_plan(const Graph& graph, const std::string& mechanism, double epsilon) {
  ReleaseParameters request;
  request.mechanism = mechanism;
  request.epsilon = Epsilon(epsilon);
  request.rankings = 100;
  if (find_planner(mechanism).uses().eta) {
    request.diffusion = Diffusion::ppr(0.8, 4);
    request.eta = Eta(1e-3);
  }
  return make_plan(graph.facts(), request);
}

TEST(Addresses, NoBlockOfAnyKeyServesTwoNumbersOfARelease) {
  const Graph graph = testing::karate();
  const std::vector<SeedVector> seeds = {Node{0}, Node{5}, Node{0}};
  for (const std::string& mechanism : mechanism_names())
    for (const double epsilon : {0.2, 1.0}) {
      BlockLog log;
      const Plan plan = short_plan(graph, mechanism, epsilon);
      LoggedNoise noise(std::make_unique<KeyedNoise>(testing::seeded_key(1)), {}, log);
      const auto release = find_mechanism(mechanism).start(plan, graph, noise, {});
      release->numbers(seeds, 0, {});
      release->numbers(seeds, 3, {});
      std::set<std::string> keys;
      for (const auto& [name, blocks] : log.blocks) keys.insert(key_of(name, 1));
      EXPECT_EQ(keys.size(), log.blocks.size()) << mechanism;
      EXPECT_FALSE(keys.empty());
      if (!plan.one_artefact()) {
        EXPECT_THROW(release->numbers(seeds, 5, {}), Error) << mechanism;
      }
    }
}

// The control: what a log must notice.
TEST(Addresses, ABlockThatServesTwoWouldBeNoticed) {
  BlockLog log;
  const KeyName key{{}, 1, 0, 0};
  log.add(key, {1, 0}, 0, 0);
  log.add(key, {1, 0}, 0, 0);  // fetched again for the same node
  EXPECT_NONFATAL_FAILURE(log.add(key, {1, 0}, 0, 7), "serves two");
  log.add(key, {0, 5}, BlockLog::of_group, 2);
  EXPECT_NONFATAL_FAILURE(log.add(key, {0, 5}, BlockLog::of_group, 2), "twice");
}

TEST(NodeNoise, OfNeighborsIsThatOfTheirPlaceInTheNodeList) {
  const DiscreteLaplace noise(1000);
  std::vector<std::int64_t> all(150'000);
  KeyedNoise source(testing::seeded_key(1)), same(testing::seeded_key(1)), other(testing::seeded_key(1));
  draw_noise({source, NoiseKind::neighbors, 1}, noise, all);
  const std::vector<Node> near = {1, 2, 63, 64, 40'000, 65'535, 65'536, 65'537, 149'999},
                          fewer = {63, 65'537};
  const auto drawn = draw_noise_for({same, NoiseKind::neighbors, 1}, noise, near),
             some = draw_noise_for({other, NoiseKind::neighbors, 1}, noise, fewer);
  for (std::size_t i = 0; i < near.size(); ++i) EXPECT_EQ(drawn[i], all[near[i]]);
  EXPECT_EQ(some, (std::vector<std::int64_t>{all[63], all[65'537]}));
}

TEST(NodeNoise, BeginsWhereItIsAskedTo) {
  const DiscreteLaplace noise(1000);
  std::vector<std::int64_t> all(150'000), part(70'000);
  KeyedNoise source(testing::seeded_key(1)), same(testing::seeded_key(1));
  draw_noise({source, NoiseKind::artefact}, noise, all);
  draw_noise({same, NoiseKind::artefact}, noise, part, 64 * 100);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 64 * 100));
}

TEST(NodeNoise, ByPartLeavesSeedsAlone) {
  KeyedNoise source(testing::seeded_key(1));
  std::vector<std::int64_t> numbers(200);
  add_noise_by_part(source, 0, {DiscreteLaplace(1e6), DiscreteLaplace(1e9)}, SeedVector(0),
                    std::vector<Node>{1, 150}, {numbers});
  EXPECT_EQ(numbers[0], 0);
  EXPECT_NE(numbers[1], 0);
  EXPECT_LT(std::abs(numbers[1]), 60e6);
  EXPECT_LT(std::abs(numbers[150]), 60e6);
  EXPECT_NE(numbers[2], 0);
}

}  // namespace
}  // namespace hushwalk
