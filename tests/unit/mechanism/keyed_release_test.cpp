#include "mechanism/keyed_release.h"

#include <gtest/gtest.h>

#include <set>

#include "audit/controls.h"
#include "support/graphs.h"
#include "support/seeded_key.h"

namespace hushwalk::testing {
namespace {

// Another one with the last bit of one number turned round.
class OneBitOff final : public ChangedRelease {
 public:
  OneBitOff(std::unique_ptr<Release> inner, auditing::Place place)
      : ChangedRelease(std::move(inner)), place_(place) {}
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Columns> answers = inner_->numbers(seeds, first, progress);
    answers.front()[place_.column][place_.node] ^= 1;
    return answers;
  }
  PrivateScores scores(const Columns&, const SeedVector&) const override { return {}; }

 private:
  auditing::Place place_;
};

Sha256 tag_of(const Graph& graph, const Plan& plan) {
  KeyedRelease release(graph, plan, [](std::uint64_t) { return seeded_key(4); });
  const SeedVector seed(0);
  return release.answer({&seed, 1}, 0, {}).front().tag;
}

// Who is in the set, by node, is the last of its columns.
TEST(KeyedRelease, ItsTagCoversEveryNumberOfFrontierAndTheSet) {
  const Graph graph = karate();
  Plan plan = make_plan(graph.facts(), {.mechanism = "frontier", .epsilon = Epsilon(1)});
  const Sha256 tag = tag_of(graph, plan);
  EXPECT_EQ(tag_of(graph, plan), tag);
  std::set<Sha256> tags = {tag};
  constexpr std::size_t columns = 4;
  plan.parameters.mechanism = "one bit off";
  for (std::size_t column = 0; column < columns; ++column)
    for (Node node = 0; node < graph.nodes(); ++node) {
      add_mechanism("one bit off",
                    std::make_unique<Control>([&](const Plan& by, const Graph& of, NoiseSource& source) {
                      return std::make_unique<OneBitOff>(find_mechanism("frontier").start(by, of, source, {}),
                                                         auditing::Place{column, node});
                    }));
      tags.insert(tag_of(graph, plan));
    }
  EXPECT_EQ(tags.size(), 1 + columns * graph.nodes());
}

}  // namespace
}  // namespace hushwalk::testing
