// Search by the beginning of a name, against a look at every one.
#include "service/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "hushwalk/error.h"

namespace hushwalk::service {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t all = 1'000;

std::vector<std::int64_t> found(const NodeList& nodes, const std::string& prefix, std::size_t most = all) {
  std::vector<std::int64_t> ids;
  for (const Node node : nodes_beginning(nodes, prefix, most)) ids.push_back(nodes.integer(node));
  return ids;
}

// Zero, numbers around powers of ten, the least and the greatest, with either sign.
std::vector<std::int64_t> numbers() {
  std::vector<std::int64_t> ids = {0, std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()};
  for (std::int64_t power = 1, k = 0; k < 19; ++k, power *= k < 19 ? 10 : 1)
    for (const std::int64_t id : {power - 1, power, power + 1, power + power / 5})
      if (id > 0) ids.insert(ids.end(), {id, -id});
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

TEST(NodesBeginning, OfIntegersAreThoseWhoseDigitsBeginSo) {
  const NodeList nodes = NodeList::integers(numbers());
  std::vector<std::string> prefixes = {"0",
                                       "-",
                                       "-0",
                                       "00",
                                       "01",
                                       "+1",
                                       "1x",
                                       "x",
                                       " 1",
                                       "1 ",
                                       "--1",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "9223372036854775808",
                                       "-9223372036854775809",
                                       "99999999999999999999"};
  for (const std::int64_t id : numbers()) {
    const std::string text = std::to_string(id);
    for (std::size_t size = 1; size <= text.size(); ++size) prefixes.push_back(text.substr(0, size));
  }
  for (const std::string& prefix : prefixes) {
    std::vector<std::int64_t> expected;
    for (const std::int64_t id : numbers())
      if (std::to_string(id).starts_with(prefix)) expected.push_back(id);
    if (prefix == "-") expected.clear();  // no number yet
    EXPECT_THAT(found(nodes, prefix), ::testing::UnorderedElementsAreArray(expected)) << prefix;
  }
}

TEST(NodesBeginning, OfIntegersHaveFewerDigitsFirst) {
  const NodeList nodes = NodeList::range(-120, 241);
  EXPECT_THAT(found(nodes, "1", 5), ElementsAre(1, 10, 11, 12, 13));
  EXPECT_THAT(found(nodes, "-1", 3), ElementsAre(-1, -19, -18));
  EXPECT_THAT(found(nodes, "0"), ElementsAre(0));
  EXPECT_THAT(found(nodes, "12"), ElementsAre(12, 120));
  EXPECT_THAT(found(nodes, "5", 0), IsEmpty());
}

TEST(NodesBeginning, OfNamesAreInTheirOrder) {
  const NodeList nodes = NodeList::names({"a", "ab", "abc", "b", "é"});
  EXPECT_THAT(nodes_beginning(nodes, "a", all), ElementsAre(0, 1, 2));
  EXPECT_EQ(nodes_beginning(nodes, "", all).size(), 5U);
  EXPECT_THAT(nodes_beginning(nodes, "a\r\n", all), IsEmpty());
  EXPECT_THAT(nodes_beginning(nodes, "\xff", all), IsEmpty());
}

TEST(NodesBeginning, NoNameHasTheEndOfALineInIt) {
  EXPECT_THROW(NodeList::names({"a\r\nSet-Cookie: b=c"}), Error);
}

}  // namespace
}  // namespace hushwalk::service
