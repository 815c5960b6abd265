// What the independent code of `frontier` says of Release::centres.
#pragma once

#include <gtest/gtest.h>

#include "mechanism/mechanism.h"
#include "support/independent_frontier.h"

namespace hushwalk::testing {

inline Centres centres_of(const IndependentFrontier::Result& result) {
  const std::size_t nodes = result.in_set.size();
  Centres centres{Columns(4, Column(nodes)), std::vector(4, std::vector<double>(nodes))};
  for (const auto& [place, number] : result.numbers) {
    centres.centre[place.first][place.second] = number.count;
    centres.scale[place.first][place.second] = number.scale;
  }
  return centres;
}

// Gives out what was released, whatever is counted.
inline IndependentFrontier::Give as_released(const Columns& released) {
  return [&](std::size_t, std::size_t column, std::size_t v, std::int64_t) { return released[column][v]; };
}

// The same noise everywhere, and the same numbers below it.
inline void expect_same(Centres found, const Centres& expected) {
  ASSERT_EQ(found.scale, expected.scale);
  for (std::size_t column = 0; column < found.centre.size(); ++column)
    for (std::size_t v = 0; v < found.centre[column].size(); ++v)
      if (found.scale[column][v] == 0) found.centre[column][v] = 0;
  EXPECT_EQ(found.centre, expected.centre);
}

}  // namespace hushwalk::testing
