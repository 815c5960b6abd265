// Stored answers: what goes in comes out, and damage is noticed.
#include "ledger/documents.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "support/ledgers.h"
#include "support/stored_answer.h"

namespace hushwalk::ledger {
namespace {

using hushwalk::testing::encode, hushwalk::testing::error_of;

const std::string digest(64, 'd');

StoredAnswer sample() {
  PrivateScores scores{{0.5, -0.25, 1e-300, -0.0}};
  scores.near = {1, 3};
  scores.near_error = 0.125;
  return {digest, scores};
}

void expect_same(const StoredAnswer& a, const StoredAnswer& b) {
  EXPECT_EQ(a.plan_digest, b.plan_digest);
  EXPECT_EQ(a.scores.scores, b.scores.scores);
  EXPECT_EQ(a.scores.near, b.scores.near);
  EXPECT_EQ(a.scores.near_error, b.scores.near_error);
  EXPECT_EQ(a.scores.far_error, b.scores.far_error);
}

TEST(StoredAnswer, ComesOutAsItWentIn) {
  expect_same(decode(encode(sample()), 4), sample());
  EXPECT_EQ(plan_digest_of(encode(sample())), digest);
  expect_same(decode(encode({digest, {}}), 0), {digest, {}});
}

RC_GTEST_PROP(StoredAnswerProperty, ComesOutAsItWentIn, (const std::vector<double>& scores)) {
  StoredAnswer answer{digest, {scores}};
  answer.scores.far_error = std::numeric_limits<double>::min();
  expect_same(decode(encode(answer), scores.size()), answer);
}

TEST(StoredAnswer, DamageIsNoticedWhereverItIs) {
  const Bytes whole = encode(sample());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(error_of([&] { decode(cut, 4); }), ErrorCode::failed) << at;
    Bytes flipped = whole;
    flipped[at] ^= std::byte{1};
    EXPECT_EQ(error_of([&] { decode(flipped, 4); }), ErrorCode::failed) << at;
  }
  Bytes longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_EQ(error_of([&] { decode(longer, 4); }), ErrorCode::failed);
}

// Scores are looked up by node, and nodes by score.
TEST(StoredAnswer, MustHaveAScoreForEveryNodeOfTheGraphAndNoMore) {
  for (const std::uint64_t nodes : {0, 3, 5})
    EXPECT_EQ(error_of([&] { decode(encode(sample()), nodes); }), ErrorCode::failed) << nodes;
  StoredAnswer outside = sample();
  outside.scores.near = {4};
  EXPECT_EQ(error_of([&] { decode(encode(outside), 4); }), ErrorCode::failed);
}

TEST(StoredAnswer, OfANewerFormatIsNotGuessedAt) {
  Bytes newer = encode(sample());
  newer[7] = std::byte{'2'};
  std::string message;
  EXPECT_EQ(error_of([&] { decode(newer, 4); }, &message), ErrorCode::failed);
  EXPECT_NE(message.find("newer version"), std::string::npos);
}

}  // namespace
}  // namespace hushwalk::ledger
