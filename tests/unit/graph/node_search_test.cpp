// Nodes by the beginning of their names, against a look at all of them.
#include "hushwalk/node_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace hushwalk {
namespace {

std::set<Node> all_beginning(const NodeList& nodes, const std::string& prefix) {
  std::set<Node> found;
  for (Node node = 0; node < nodes.size(); ++node)
    if (nodes.name(node).starts_with(prefix)) found.insert(node);
  return found;
}

void expect_all(const NodeList& nodes, const std::string& prefix) {
  const std::vector<Node> found = nodes_beginning(nodes, prefix, nodes.size());
  EXPECT_EQ(std::set<Node>(found.begin(), found.end()), all_beginning(nodes, prefix)) << prefix;
  EXPECT_EQ(std::set<Node>(found.begin(), found.end()).size(), found.size()) << prefix;
  const std::vector<Node> few = nodes_beginning(nodes, prefix, 2);
  EXPECT_TRUE(std::ranges::equal(
      few, std::vector(found.begin(), found.begin() + std::min<std::ptrdiff_t>(2, std::ssize(found)))))
      << prefix;
}

TEST(NodeSearch, FindsIntegersOfEverySizeAndSign) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         most = std::numeric_limits<std::int64_t>::max();
  const NodeList nodes = NodeList::integers({least,
                                             least + 1,
                                             -1700,
                                             -179,
                                             -170,
                                             -17,
                                             -10,
                                             -1,
                                             0,
                                             1,
                                             9,
                                             10,
                                             17,
                                             99,
                                             100,
                                             170,
                                             179,
                                             1799,
                                             1'000'000'000'000'000'000,
                                             1'700'000'000'000'000'000,
                                             most - 1,
                                             most});
  for (const char* const prefix : {"",
                                   "1",
                                   "17",
                                   "170",
                                   "0",
                                   "9",
                                   "92",
                                   "-",
                                   "-1",
                                   "-17",
                                   "-9",
                                   "-0",
                                   "017",
                                   "00",
                                   "--1",
                                   "+1",
                                   "1x",
                                   " 1",
                                   "x",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "9223372036854775808",
                                   "99999999999999999999"})
    expect_all(nodes, prefix);
}

RC_GTEST_PROP(NodeSearch, FindsIntegersOfAnyList, (const std::set<std::int64_t>& ids, std::int64_t some)) {
  const NodeList nodes = NodeList::integers({ids.begin(), ids.end()});
  const std::string digits = std::to_string(some);
  for (std::size_t size = 0; size <= digits.size(); ++size) expect_all(nodes, digits.substr(0, size));
}

TEST(NodeSearch, FindsIntegersWithFewerDigitsFirst) {
  const NodeList nodes = NodeList::range(-120, 241);
  const auto found = [&](const std::string& prefix, std::size_t most) {
    std::vector<std::int64_t> ids;
    for (const Node node : nodes_beginning(nodes, prefix, most)) ids.push_back(nodes.integer(node));
    return ids;
  };
  EXPECT_EQ(found("1", 5), (std::vector<std::int64_t>{1, 10, 11, 12, 13}));
  EXPECT_EQ(found("-1", 3), (std::vector<std::int64_t>{-1, -19, -18}));
  EXPECT_EQ(found("12", 100), (std::vector<std::int64_t>{12, 120}));
  EXPECT_TRUE(found("5", 0).empty());
}

TEST(NodeSearch, FindsNames) {
  const NodeList nodes = NodeList::names({"ann", "anna", "bob", "b", "été", "zoë"});
  for (const char* const prefix :
       {"", "a", "ann", "anna", "annab", "b", "é", "\xc3", "\xff", "a\r\n", "z", "zz"})
    expect_all(nodes, prefix);
}

}  // namespace
}  // namespace hushwalk
