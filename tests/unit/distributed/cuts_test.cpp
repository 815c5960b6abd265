#include "distributed/cuts.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace hushwalk {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Cuts, AreAsEqualAsCanBe) {
  EXPECT_THAT(equal_cuts(10, 4).starts, ElementsAre(0, 2, 5, 7, 10));
  EXPECT_THAT(equal_cuts(2, 4).starts, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(equal_cuts(0, 2).starts, ElementsAre(0, 0, 0));
}

RC_GTEST_PROP(Cuts, HaveOneOwnerForEveryPosition, ()) {
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const Cuts cuts = equal_cuts(count, *rc::gen::inRange<std::size_t>(1, 20));
  const auto position = *rc::gen::inRange<std::uint64_t>(0, count);
  const std::size_t owner = cuts.owner_of(position);
  RC_ASSERT(cuts.first(owner) <= position && position < cuts.first(owner) + cuts.size(owner));
}

RC_GTEST_PROP(Splitters, PutKeysIntoPartsInTheirOrder, (std::vector<int> keys)) {
  const auto parts = *rc::gen::inRange<std::size_t>(1, 9);
  const std::vector<int> splitters = splitters_of(keys, parts);
  std::ranges::sort(keys);
  std::size_t last = 0;
  for (const int key : keys) {
    const std::size_t part = part_of_key(splitters, key);
    RC_ASSERT(part >= last && part < parts);
    last = part;
  }
}

TEST(Splitters, GivePartsAboutAsManyKeys) {
  std::vector<int> keys(1000);
  std::iota(keys.begin(), keys.end(), 0);
  const std::vector<int> splitters = splitters_of(keys, 4);
  std::vector<int> sizes(4);
  for (const int key : keys) ++sizes[part_of_key(splitters, key)];
  EXPECT_THAT(sizes, Each(250));
}

TEST(Splitters, OfNothingPutAllIntoTheFirstPart) {
  const std::vector<std::string> none = splitters_of(std::vector<std::string>(), 3);
  EXPECT_THAT(none, IsEmpty());
  EXPECT_EQ(part_of_key(none, std::string("a")), 0U);
}

TEST(DealtFiles, AreReadByWhoHasLeastToRead) {
  EXPECT_THAT(deal_files({10, 40, 30, 20}, 2, 0), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(deal_files({0, 0, 0}, 3, 2), ElementsAre(1, 2, 0)) << "empty files are dealt out, too";
}

RC_GTEST_PROP(DealtFiles, GiveTheTextThatWasBegunToTheFirstProcess, (std::vector<std::uint32_t> sizes)) {
  RC_PRE(!sizes.empty());
  const auto first = *rc::gen::inRange<std::size_t>(0, sizes.size());
  const auto processes = *rc::gen::inRange<std::size_t>(1, 9);
  const auto reader = deal_files({sizes.begin(), sizes.end()}, processes, first);
  RC_ASSERT(reader[first] == 0);
  for (const std::size_t process : reader) RC_ASSERT(process < processes);
}

}  // namespace
}  // namespace hushwalk
