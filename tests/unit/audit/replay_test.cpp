#include "audit/replay.h"

#include <gtest/gtest.h>

#include "noise/discrete_laplace.h"
#include "support/seeded_key.h"

namespace hushwalk::auditing {
namespace {

std::vector<std::int64_t> draw(NoiseSource& source, NoiseKind kind, std::uint64_t step, std::uint64_t first,
                               std::size_t count, double scale = 100) {
  std::vector<std::int64_t> drawn(count);
  draw_by_address(source, kind, step, DiscreteLaplace(scale), first, drawn);
  return drawn;
}

// All draws of an answer in one order or in the other.
Use use_of(bool backwards, double scale = 100) {
  KeyedNoise noise(testing::seeded_key(1));
  RecordingSource record(noise);
  draw(record, NoiseKind::artefact, 0, 0, 100, scale);
  const auto answer = record.answer(3);
  draw(*answer, NoiseKind::rest, 0, backwards ? 128 : 0, 128, scale);
  draw(*answer, NoiseKind::rest, 0, backwards ? 0 : 128, 128, scale);
  return record.use();
}

TEST(RecordingSource, HandsOnTheWords) {
  KeyedNoise noise(testing::seeded_key(1)), same(testing::seeded_key(1));
  RecordingSource record(noise);
  EXPECT_EQ(draw(record, NoiseKind::rest, 2, 64, 200), draw(same, NoiseKind::rest, 2, 64, 200));
  EXPECT_EQ(draw(*record.answer(1), NoiseKind::rest, 2, 64, 200),
            draw(*same.answer(1), NoiseKind::rest, 2, 64, 200));
}

TEST(RecordingSource, TellsWhatWasAskedForWhateverTheOrder) {
  const Use use = use_of(false);
  EXPECT_EQ(use, use_of(true));
  EXPECT_EQ(use.size(), 2U + 1 + 4);  // groups of the artefact, the answer, its groups
  EXPECT_NE(use, use_of(false, 200));
}

TEST(RecordingSource, TellsADrawMoreAndAnAnswerMore) {
  const auto more = [](const auto& action) {
    KeyedNoise noise(testing::seeded_key(1));
    RecordingSource record(noise);
    draw(record, NoiseKind::artefact, 0, 0, 64);
    action(record);
    return record.use();
  };
  const Use none = more([](NoiseSource&) {});
  EXPECT_NE(more([](NoiseSource& source) { source.answer(0); }), none);
  EXPECT_NE(more([](NoiseSource& source) { draw(source, NoiseKind::artefact, 0, 64, 1); }), none);
  EXPECT_NE(more([](NoiseSource& source) { draw(source, NoiseKind::artefact, 1, 0, 1); }), none);
  EXPECT_NE(more([](NoiseSource& source) { draw(*source.answer(0), NoiseKind::artefact, 0, 0, 1); }),
            more([](NoiseSource& source) { source.answer(0); }));
}

}  // namespace
}  // namespace hushwalk::auditing
