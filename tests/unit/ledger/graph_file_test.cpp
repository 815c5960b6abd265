// A graph file has one ledger, unless somebody insists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hushwalk/error.h"
#include "hushwalk/graph_notes.h"
#include "hushwalk/ledger.h"
#include "support/graphs.h"
#include "support/ledgers.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using ::testing::ElementsAre, ::testing::HasSubstr, ::testing::IsEmpty;

class LedgerOfAGraphFile : public ::testing::Test {
 protected:
  LedgerOfAGraphFile() { save_with_notes(graph_, file_, "a test"); }
  std::vector<std::string> create(const std::string& name, bool force = false) {
    return create_ledger(folder_ / name, {file_, graph_}, {.epsilon = Epsilon(1)}, {}, force);
  }
  std::string noted() const { return read_notes(file_, graph_)->ledger; }
  std::string id(const std::string& name) const { return Ledger(folder_ / name).state().ledger_id; }

  testing::TemporaryFolder folder_;
  Graph graph_ = testing::karate();
  std::filesystem::path file_ = folder_ / "g.hwg";
};

TEST_F(LedgerOfAGraphFile, IsNamedInItsNotes) {
  EXPECT_THAT(create("a"), IsEmpty());
  EXPECT_EQ(noted(), id("a"));
}

TEST_F(LedgerOfAGraphFile, IsTheOnlyOneUnlessForced) {
  create("a");
  try {
    create("b");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.what(), HasSubstr(id("a")));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b"));
  EXPECT_THAT(create("b", /*force=*/true), ElementsAre(HasSubstr("a second ledger")));
  EXPECT_EQ(noted(), id("a"));  // the first stays the one that is named
}

// Whoever insists is told what the new one will not know.
TEST_F(LedgerOfAGraphFile, SaysWhatASecondOneWouldForget) {
  create("a");
  Ledger first(folder_ / "a");
  testing::LedgerRanker(first, graph_, testing::asked({0}, 0.25));
  const auto said = [&] {
    try {
      create("b");
    } catch (const Error& error) {
      return error.for_custodian();
    }
    return std::string();
  };
  EXPECT_THAT(said(), HasSubstr("a' has 4 entries, and epsilon = 0.25 is spent"));
  EXPECT_THAT(create("b", /*force=*/true), ElementsAre(HasSubstr("epsilon = 0.25 is spent")));
  std::filesystem::rename(folder_ / "a", folder_ / "elsewhere");
  EXPECT_EQ(said(), "");
}

TEST_F(LedgerOfAGraphFile, IsFoundThroughTheNotesOfTheGraphThatIsWrittenOverIt) {
  create("a");
  const std::string path = read_notes(file_, graph_)->ledger_path;
  EXPECT_EQ(path, std::filesystem::absolute(folder_ / "a"));
  const Graph next = testing::karate();
  save_with_notes(next, file_, "a test");
  EXPECT_EQ(read_notes(file_, next)->ledger_path, path);
}

TEST_F(LedgerOfAGraphFile, IsNamedForItsCopies) {
  create("a");
  const std::filesystem::path copy = folder_ / "copy.hwg";
  EXPECT_EQ(save_with_notes(graph_, copy, "a test", {}, file_), "");
  EXPECT_EQ(read_notes(copy, graph_)->ledger, id("a"));
  EXPECT_EQ(read_notes(copy, graph_)->ledger_path, read_notes(file_, graph_)->ledger_path);
  EXPECT_EQ(save_with_notes(graph_, copy, "a test", {}, file_), "") << "nothing new";
}

// The file that a graph was opened from may hold a later one by now, of the same lineage.
TEST_F(LedgerOfAGraphFile, IsNamedForACopyOfAnEarlierGraph) {
  create("a");
  save_with_notes(testing::karate(), file_, "a test");
  const std::filesystem::path copy = folder_ / "copy.hwg";
  save_with_notes(graph_, copy, "a test", {}, file_);
  EXPECT_EQ(read_notes(copy, graph_)->ledger, id("a"));
}

TEST_F(LedgerOfAGraphFile, ComesBeforeThatOfTheGraphThatACopyReplaces) {
  create("a");
  const Graph other = testing::karate();
  const std::filesystem::path file = folder_ / "other.hwg";
  save_with_notes(other, file, "a test");
  create_ledger(folder_ / "b", {file, other}, {.epsilon = Epsilon(1)});
  EXPECT_THAT(save_with_notes(graph_, file, "a test", {}, file_), HasSubstr(id("b")));
  EXPECT_EQ(read_notes(file, graph_)->ledger, id("a"));
}

// Copies without notes may have got a ledger each: the one that is named no longer is told.
TEST_F(LedgerOfAGraphFile, IsSaidWhereACopyOfTheSameGraphHadAnother) {
  create("a");
  const std::filesystem::path copy = folder_ / "copy.hwg";
  save_with_notes(graph_, copy, "a test");
  create_ledger(folder_ / "b", {copy, graph_}, {.epsilon = Epsilon(1)});
  EXPECT_THAT(save_with_notes(graph_, copy, "a test", {}, file_), HasSubstr(id("b")));
}

// The same name is another mistake, and insisting does not help.
TEST_F(LedgerOfAGraphFile, IsNeverReplaced) {
  create("a");
  for (const bool force : {false, true}) EXPECT_THROW(create("a", force), Error);
}

TEST_F(LedgerOfAGraphFile, IsNotedForItsSnapshotsToo) {
  create("a");
  const Graph next = testing::karate();
  const std::filesystem::path file = folder_ / "next.hwg";
  save_with_notes(next, file, "a test");
  Ledger ledger(folder_ / "a");
  EXPECT_THAT(add_snapshot(ledger, {file, next}), IsEmpty());
  EXPECT_EQ(read_notes(file, next)->ledger, id("a"));
}

TEST_F(LedgerOfAGraphFile, IsNotJoinedByAnotherOnesSnapshotUnlessForced) {
  create("a");
  Ledger::create(folder_ / "b", testing::karate().facts(), {.epsilon = Epsilon(1)});
  Ledger other(folder_ / "b");
  EXPECT_THROW(add_snapshot(other, {file_, graph_}), Error);
  EXPECT_EQ(other.state().graph_ids.size(), 1U);
  EXPECT_THAT(add_snapshot(other, {file_, graph_}, /*force=*/true), ElementsAre(HasSubstr(id("a"))));
  EXPECT_EQ(noted(), id("a"));
}

TEST(PeriodTerms, AreWordsOrAMistake) {
  const Epsilon epsilon(0.5);
  EXPECT_EQ(period_terms(epsilon, {}, false)->days, 30);
  EXPECT_EQ(period_terms(epsilon, "7d", true)->days, 7);
  EXPECT_TRUE(period_terms(epsilon, "7d", true)->carry);
  EXPECT_EQ(period_terms(epsilon, "month", false)->days, 0);
  EXPECT_FALSE(period_terms({}, {}, false));
  for (const char* period : {"", "d", "0d", "07d", "7", "-7d", "7h", "123456d", "7dd", "months"})
    EXPECT_THROW(period_terms(epsilon, period, false), Error) << period;
  EXPECT_THROW(period_terms({}, "7d", false), Error);
  EXPECT_THROW(period_terms({}, {}, true), Error);
}

}  // namespace
}  // namespace hushwalk
