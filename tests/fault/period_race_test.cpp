// Processes that ask while a period ends, each by a clock of its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>

#include "ledger/ledger_impl.h"
#include "ledger/periods.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using namespace std::chrono_literals;

// How many of so many processes, all begun before the first may go on, end well.
int that_succeed(int count, const std::function<void(int)>& work) {
  int gate[2];
  if (pipe(gate) != 0) std::abort();
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    close(gate[1]);
    char none = 0;
    if (read(gate[0], &none, 1) < 0) _exit(2);
    try {
      work(i);
      _exit(0);
    } catch (const Error& error) {
      _exit(error.code() == ErrorCode::refused ? 1 : 2);
    }
  }
  close(gate[0]);
  close(gate[1]);
  int succeeded = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2) << "neither charged nor refused";
    succeeded += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
  }
  return succeeded;
}

// Half of them still live in the first period, and ask for twice what it holds; so does the other half of the
// second.
TEST(PeriodRace, ExactlyTheRightOnesWinAndNoPeriodIsOpenedTwice) {
  constexpr int half = 10, fit = 5;
  const TemporaryFolder folder;
  const auto path = folder / "l";
  karate().save(folder / "k.hwg");
  const Graph graph = Graph::open(folder / "k.hwg");
  Ledger::create(path, graph.facts(),
                 {.epsilon = std::nullopt, .period = PeriodTerms{Epsilon(0.5), 1, false}});
  const auto end = ledger::time_of(Ledger(path).state().period->ends);
  const int charged = that_succeed(2 * half, [&](int i) {
    Ledger ledger(path);
    ledger.impl().clock = [=] {
      return std::chrono::system_clock::time_point(end + (i % 2 == 0 ? -2s : 2s));
    };
    static_cast<void>(ledger.charge(Graph::open(folder / "k.hwg"), asked({static_cast<Node>(i)}, 0.1)));
  });
  const Ledger ledger(path);
  EXPECT_TRUE(ledger.verify().valid) << ledger.verify().reason;
  std::int64_t latest = 0;
  std::map<std::int64_t, int> charges;
  ledger.each_entry([&](const LedgerEntry& entry) {
    const auto body = nlohmann::json::parse(entry.body);
    const std::int64_t index = body.at("period").at("index");
    EXPECT_GE(index, latest) << "a period was opened again by entry " << entry.sequence;
    latest = index;
    charges[index] += body.contains("cost") ? 1 : 0;
  });
  EXPECT_EQ(latest, 1);
  EXPECT_LE(charges[0], fit);
  EXPECT_EQ(charges[1], fit);  // more asked for it, whoever came first
  EXPECT_EQ(charged, charges[0] + charges[1]);
}

}  // namespace
}  // namespace hushwalk
