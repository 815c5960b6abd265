// The arithmetic of accounts: what is in them never gets smaller than the truth, and never negative.
#include "ledger/books.h"

#include <gtest/gtest.h>

#include "ledger/damage.h"
#include "support/seeded.h"

namespace hushwalk::ledger {
namespace {

constexpr Account held{{500, 2.0}, 3};

TEST(Account, GivesBackWhatWasAddedToIt) {
  EXPECT_EQ(minus(plus(held, {{7, 0}, 2}), {{7, 0}, 2}), held);
  EXPECT_EQ(minus(held, held).releases, 0);
}

// Any of its three numbers, alone.
TEST(Account, OfWhichMoreIsTakenThanItHoldsIsDamaged) {
  EXPECT_THROW(minus(held, {{501, 1.0}, 1}), Damage);
  EXPECT_THROW(minus(held, {{1, 2.5}, 1}), Damage);
  EXPECT_THROW(minus(held, {{1, 1.0}, 4}), Damage);
}

TEST(Account, KeepsAtLeastTheDivergenceThatIsLeft) {
  testing::Seeded random(4);
  for (int i = 0; i < 1000; ++i) {
    const double b = random.log_uniform(1e-6, 1), a = 1 + random.log_uniform(1e-6, 10);
    const double left = minus(Account{{9, a}, 2}, {{1, b}, 1}).spending.rdp;
    EXPECT_GE(static_cast<long double>(left), static_cast<long double>(a) - b);
    EXPECT_LE(left, (a - b) * (1 + 1e-14));
  }
}

// Of each number by itself, named after the sum; who had it first keeps the name.
TEST(Greatest, IsNoSmallerThanAnyAccount) {
  Greatest greatest;
  for (const auto& [name, account] : {Member{"ann", {{5, 1.0}, 1}}, {"bob", {{5, 0.5}, 1}}})
    greatest = with(greatest, name, account);
  EXPECT_EQ(greatest, (Greatest{"ann", {5, 1.0}}));
  EXPECT_EQ(with(greatest, "eve", {{6, 0.5}, 1}), (Greatest{"eve", {6, 1.0}}));
  EXPECT_EQ(with(greatest, "eve", {{4, 3.0}, 1}), (Greatest{"ann", {5, 3.0}}));
  for (const char* nobodys_own : {total_account, everybody})
    EXPECT_EQ(with(greatest, nobodys_own, {{9, 9.0}, 1}), greatest);
}

}  // namespace
}  // namespace hushwalk::ledger
