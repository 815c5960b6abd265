// A ledger whose disk fails, or whose process is killed, at any call that writes: nothing is ever
// under-counted, nothing that somebody saw changes, and asking again finishes what was begun without a second
// charge. HUSHWALK_ALL_FAULTS=1 tries every call, else a sample.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>

#include "ledger/ledger_impl.h"
#include "support/failing_vfs.h"
#include "support/golden.h"
#include "support/ledgers.h"

// The calls by which the program itself writes keys, heads and copies; those of SQLite go through its VFS.
namespace {

bool is_file(int file) {
  struct stat status{};
  return fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

// -1 where the call fails, after half of it was done if it writes.
template <class Call>
long failing(bool counted, Call call, const std::function<void()>& half = {}) {
  using hushwalk::testing::Fault;
  const auto fault = counted ? hushwalk::testing::fault_outside_sqlite() : std::nullopt;
  if (!fault) return call();
  if (half && *fault != Fault::error) half();
  if (*fault == Fault::torn) raise(SIGKILL);
  errno = *fault == Fault::full ? ENOSPC : EIO;
  return -1;
}

long write_to(int file, const void* data, std::size_t size) { return syscall(SYS_write, file, data, size); }
long write_at(int file, const void* data, std::size_t size, off_t at) {
  return syscall(SYS_pwrite64, file, data, size, at);
}

}  // namespace

extern "C" {
ssize_t write(int file, const void* data, std::size_t size) {
  return failing(
      is_file(file), [&] { return write_to(file, data, size); }, [&] { write_to(file, data, size / 2); });
}
ssize_t pwrite(int file, const void* data, std::size_t size, off_t at) {
  return failing(
      is_file(file), [&] { return write_at(file, data, size, at); },
      [&] { write_at(file, data, size / 2, at); });
}
ssize_t pwrite64(int file, const void* data, std::size_t size, off64_t at) {
  return pwrite(file, data, size, at);
}
int fsync(int file) {
  return static_cast<int>(failing(is_file(file), [&] { return syscall(SYS_fsync, file); }));
}
int fdatasync(int file) {
  return static_cast<int>(failing(is_file(file), [&] { return syscall(SYS_fdatasync, file); }));
}
int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(failing(is_file(file), [&] { return syscall(SYS_ftruncate, file, size); }));
}
int link(const char* from, const char* to) noexcept {
  return static_cast<int>(
      failing(true, [&] { return syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0); }));
}
int linkat(int from, const char* name, int to, const char* new_name, int flags) noexcept {
  return static_cast<int>(
      failing(true, [&] { return syscall(SYS_linkat, from, name, to, new_name, flags); }));
}
int renameat2(int from, const char* name, int to, const char* new_name, unsigned flags) noexcept {
  return static_cast<int>(
      failing(true, [&] { return syscall(SYS_renameat2, from, name, to, new_name, flags); }));
}
}

namespace hushwalk {
namespace {

using namespace testing;
namespace fs = std::filesystem;

struct Ended {
  int status = 0;
  std::string said;  // what the process had written to its pipe
  bool killed() const { return WIFSIGNALED(status); }
};

void say(int pipe, const std::string& text) {
  if (write(pipe, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
}

// Runs in a process of its own, because threads and locks do not survive a kill.
Ended in_process(const std::function<void(int pipe)>& work) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    try {
      work(ends[1]);
    } catch (const Error& error) {
      say(ends[1], std::string("error: ") + error.what());
    }
    _exit(0);
  }
  close(ends[1]);
  Ended ended;
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
    ended.said.append(buffer, static_cast<std::size_t>(size));
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

class Place {
 public:
  explicit Place(fs::path folder) : folder_(std::move(folder)) {}
  Graph graph() const { return Graph::open(folder_ / "k.hwg"); }
  fs::path ledger() const { return folder_ / "k.ledger"; }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

// The scores of all rankings, as text that can be compared.
std::string released(const Place& place, const LedgerRequest& request) {
  Ledger ledger(place.ledger());
  const LedgerRanker ranker(ledger, place.graph(), request);
  std::string text = "released";
  for (std::size_t i = 0; i < request.seeds.size(); ++i)
    for (const double score : ranker.answer(i).scores) text += fmt::format(" {:a}", score);
  return text;
}

void require(int pipe, bool holds, const std::string& what) {
  if (!holds) say(pipe, what + "; ");
}

// What is done under a fault, and what must be true afterwards (said is what came out of it before it ended).
struct Scenario {
  std::function<void(const Place&, int pipe)> prepare, act;
  std::function<void(const Place&, const std::string& said, int pipe)> check;
};

bool came_out(const std::string& said) { return said.starts_with("released"); }

void check_release(const Place& place, const LedgerRequest& request, double before, double after,
                   const std::string& said, int pipe) {
  {
    const Ledger ledger(place.ledger());
    const LedgerCheck check = ledger.verify();
    require(pipe, check.valid, "not intact: " + check.reason);
    const double spent = ledger.state().total.spent;
    require(pipe, spent == before || spent == after, fmt::format("half a charge: {}", spent));
    require(pipe, !came_out(said) || spent == after, "released and not charged");
  }
  const std::string again = released(place, request);
  require(pipe, !came_out(said) || again == said, "another answer");
  const Ledger ledger(place.ledger());
  require(pipe, ledger.state().total.spent == after, "charged twice");
  require(pipe, ledger.state().unfinished == 0 && ledger.verify().valid, "not finished");
}

void make_ledger(const Place& place) {
  Ledger::create(place.ledger(), place.graph().facts(), {.epsilon = Epsilon(1)});
}

Scenario creation() {
  return {[](const Place&, int) {},
          [](const Place& place, int pipe) {
            make_ledger(place);
            static_cast<void>(Ledger(place.ledger()).state());
            say(pipe, "released");
          },
          [](const Place& place, const std::string& said, int pipe) {
            require(pipe, !came_out(said) || fs::exists(place.ledger()), "made and not there");
            if (!fs::exists(place.ledger())) make_ledger(place);
            require(pipe, Ledger(place.ledger()).verify().valid, "not intact");
            check_release(place, asked({0}, 0.25), 0, 0.25, "", pipe);
          }};
}

Scenario release_of(const LedgerRequest& request, double cost) {
  return {[](const Place& place, int) { make_ledger(place); },
          [=](const Place& place, int pipe) { say(pipe, released(place, request)); },
          [=](const Place& place, const std::string& said, int pipe) {
            check_release(place, request, 0, cost, said, pipe);
          }};
}

Scenario replay_of(const LedgerRequest& request, double cost) {
  Scenario scenario = release_of(request, cost);
  scenario.prepare = [=](const Place& place, int) {
    make_ledger(place);
    released(place, request);
  };
  scenario.check = [=](const Place& place, const std::string& said, int pipe) {
    check_release(place, request, cost, cost, said, pipe);
  };
  return scenario;
}

Scenario sharing() {
  const auto made = [](const Place& place) {
    Ledger ledger(place.ledger());
    const auto bytes = share(ledger, place.graph(), {{.epsilon = Epsilon(0.5)}, {}, ""}).bytes;
    return "released" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  return {[](const Place& place, int) { make_ledger(place); },
          [=](const Place& place, int pipe) { say(pipe, made(place)); },
          [=](const Place& place, const std::string& said, int pipe) {
            const std::string again = made(place);
            require(pipe, !came_out(said) || again == said, "another artefact");
            const Ledger ledger(place.ledger());
            require(pipe, ledger.state().total.spent == 0.5 && ledger.verify().valid, "not charged once");
          }};
}

// Of what ann and bob had paid for: it leaves their accounts and becomes everybody's, all at once.
Scenario publication() {
  const LedgerRequest request = published(asked_in_edge_scope(0, 0.25));
  const auto seen = [](const Ledger& ledger) {
    std::vector<double> all;
    for (const LedgerAccount& account : ledger.state().recipients) all.push_back(account.spent);
    return all;
  };
  return {[=](const Place& place, int) {
            Ledger::create(place.ledger(), place.graph().facts(),
                           {.epsilon = Epsilon(1), .per_recipient = Epsilon(0.25)});
            for (const char* name : {"ann", "bob"}) released(place, asked_in_edge_scope(0, 0.25, name));
          },
          [=](const Place& place, int pipe) { say(pipe, released(place, request)); },
          [=](const Place& place, const std::string& said, int pipe) {
            {
              const Ledger ledger(place.ledger());
              require(pipe, seen(ledger) == std::vector<double>{0.25, 0.25}, "half a publication");
              require(pipe, !came_out(said) || ledger.state().published.spent == 0.25,
                      "published for nobody");
            }
            check_release(place, request, 0.25, 0.25, said, pipe);
            const Ledger ledger(place.ledger());
            require(pipe, seen(ledger) == std::vector<double>{0.25, 0.25}, "counted twice");
            require(pipe, ledger.state().published.spent == 0.25, "not published");
          }};
}

// What is done to a ledger that has released something, and again where it did not come to its end.
Scenario upkeep(const std::function<void(const Place&)>& prepare, const std::function<void(Ledger&)>& act,
                const std::function<void(const Place&, int pipe)>& check) {
  const auto once = [=](const Place& place) {
    Ledger ledger(place.ledger());
    act(ledger);
  };
  return {[=](const Place& place, int) {
            make_ledger(place);
            released(place, asked({0}, 0.25));
            prepare(place);
          },
          [=](const Place& place, int pipe) {
            once(place);
            say(pipe, "released");
          },
          [=](const Place& place, const std::string& said, int pipe) {
            require(pipe, Ledger(place.ledger()).verify({}, true).valid, "not intact");
            if (!came_out(said)) once(place);
            check(place, pipe);
            require(pipe, Ledger(place.ledger()).verify().valid, "not intact afterwards");
          }};
}

fs::path key_of(const Place& place) { return place.ledger().string() + ".key"; }

// Half a key would be nobody's, and in the way of the next.
Scenario new_key() {
  return upkeep([](const Place& place) { fs::remove(key_of(place)); },
                [](Ledger& ledger) { ledger.forget({.new_epoch = true}); },
                [](const Place& place, int pipe) {
                  released(place, asked({0}, 0.25));
                  require(pipe, Ledger(place.ledger()).state().total.spent == 0.5, "not charged anew");
                });
}

Scenario new_head() {
  return upkeep([](const Place& place) { fs::remove(key_of(place).string() + ".head"); },
                [](Ledger& ledger) { ledger.verify_and_accept({.head = true}); },
                [](const Place& place, int pipe) {
                  released(place, asked({0}, 0.25));
                  require(pipe, Ledger(place.ledger()).state().total.spent == 0.25, "charged twice");
                });
}

Scenario raised_limit() {
  return upkeep([](const Place&) {},
                [](Ledger& ledger) {
                  if (ledger.state().total.limit == 1) ledger.extend({.epsilon = Epsilon(1), .reason = "r"});
                },
                [](const Place& place, int pipe) {
                  require(pipe, Ledger(place.ledger()).state().total.limit == 2, "not raised once");
                });
}

// With the head that was beside it.
Scenario new_key_and_head() {
  return upkeep(
      [](const Place& place) {
        fs::remove(key_of(place));
        fs::remove(key_of(place).string() + ".head");
      },
      [](Ledger& ledger) { ledger.forget({.new_epoch = true, .accept_head = true}); },
      [](const Place& place, int pipe) {
        released(place, asked({0}, 0.25));
        require(pipe, Ledger(place.ledger()).state().total.spent == 0.5, "not charged anew");
      });
}

Scenario forgetting() {
  return upkeep([](const Place&) {},
                [](Ledger& ledger) { ledger.forget({.before = "2999-01-01T00:00:00Z"}); },
                [](const Place& place, int pipe) {
                  bool refused = false;
                  try {
                    released(place, asked({0}, 0.25));
                  } catch (const Error& error) {
                    refused = error.code() == ErrorCode::refused;
                  }
                  require(pipe, refused, "answered again on the old charge");
                  require(pipe, Ledger(place.ledger()).state().total.spent == 0.25, "another charge");
                });
}

Scenario compacting() {
  return upkeep(
      [](const Place&) {}, [](Ledger& ledger) { ledger.compact(); },
      [](const Place& place, int pipe) { check_release(place, asked({0}, 0.25), 0.25, 0.25, "", pipe); });
}

// Who get an answer from one artefact are rows of one entry.
Scenario members() {
  LedgerRequest request = asked({0, 1, 2}, 0.25);
  request.release.mechanism = "shared";
  Scenario scenario = release_of(request, 0.25);
  scenario.check = [=, check = scenario.check](const Place& place, const std::string& said, int pipe) {
    check(place, said, pipe);
    const LedgerState state = Ledger(place.ledger()).state();
    require(pipe, state.recipient_count == 3, "somebody has not paid");
    for (const LedgerAccount& account : state.recipients) require(pipe, account.spent == 0.25, "paid twice");
  };
  return scenario;
}

Scenario charge_in_a_period() {
  Scenario scenario = release_of(asked({0}, 0.25), 0.25);
  scenario.prepare = [](const Place& place, int) {
    Ledger::create(place.ledger(), place.graph().facts(),
                   {.epsilon = std::nullopt, .period = PeriodTerms{Epsilon(0.25), 30}});
  };
  scenario.check = [check = scenario.check](const Place& place, const std::string& said, int pipe) {
    const auto in_period = [&] { return Ledger(place.ledger()).state().period->account.spent; };
    require(pipe, !came_out(said) || in_period() == 0.25, "released outside its period");
    check(place, said, pipe);
    require(pipe, in_period() == 0.25, "not counted once in its period");
  };
  return scenario;
}

// By being opened. What version 1 or 3 charged and released is what it was.
Scenario upgrade_from(const std::string& old, double spent, double after) {
  const LedgerRequest more = asked({20}, 0.015625, "zoe");
  return {[=](const Place& place, int) {
            const fs::path golden = golden_path("ledger");
            const auto replace = fs::copy_options::overwrite_existing;
            fs::copy_file(golden / "k.hwg", place.folder() / "k.hwg", replace);
            for (const char* end : {"", ".key", ".key.head"})
              if (fs::exists(golden / (old + end)))
                fs::copy_file(golden / (old + end), place.ledger().string() + end);
            for (const char* end : {"", ".key"})
              if (fs::exists(place.ledger().string() + end))
                fs::permissions(place.ledger().string() + end, fs::perms(0600));
          },
          [=](const Place& place, int pipe) {
            static_cast<void>(Ledger(place.ledger()).state());
            say(pipe, "released");
          },
          [=](const Place& place, const std::string&, int pipe) {
            {
              const Ledger ledger(place.ledger());
              require(pipe, ledger.verify().valid, "not intact: " + ledger.verify().reason);
              require(pipe, ledger.state().total.spent == spent,
                      fmt::format("another sum: {}", ledger.state().total.spent));
            }
            released(place, more);
            const Ledger ledger(place.ledger());
            require(pipe, ledger.state().total.spent == after && ledger.verify().valid, "not charged once");
          }};
}

Scenario copying() {
  const auto copy = [](const Place& place) { return place.folder() / "copy"; };
  return {[](const Place& place, int) {
            make_ledger(place);
            released(place, asked({0}, 0.25));
          },
          [=](const Place& place, int pipe) {
            Ledger(place.ledger()).backup(copy(place));
            say(pipe, "released");
          },
          [=](const Place& place, const std::string& said, int pipe) {
            require(pipe, !came_out(said) || fs::exists(copy(place)), "copied and not there");
            if (!fs::exists(copy(place))) Ledger(place.ledger()).backup(copy(place));
            require(pipe, Ledger(copy(place)).verify().valid, "half a copy");
            require(pipe, Ledger(copy(place)).state().total.spent == 0.25, "an empty copy");
            check_release(place, asked({0}, 0.25), 0.25, 0.25, "", pipe);
          }};
}

class LedgerFaults : public ::testing::TestWithParam<Fault> {
 protected:
  LedgerFaults() {
    install_failing_vfs();
    expect_fine(in_process([&](int) { karate().save(folder_ / "k.hwg"); }));
  }

  static void expect_fine(const Ended& ended) {
    EXPECT_FALSE(ended.killed());
    EXPECT_EQ(ended.said, "");
  }

  // With a fault at each call in turn, until there are no more calls.
  void run(const Scenario& scenario) {
    const Place prepared(folder_.path());
    expect_fine(in_process([&](int pipe) { scenario.prepare(prepared, pipe); }));
    std::uint64_t faults = 0;
    for (std::uint64_t call = 1;; call += step(call)) {
      const Place place(folder_.path().string() + fmt::format("-{}", call));
      fs::copy(prepared.folder(), place.folder());
      const bool reached = run_at(scenario, place, call);
      fs::remove_all(place.folder());
      if (!reached || HasFailure()) break;
      ++faults;
    }
    EXPECT_GT(faults, 3U);
  }

 private:
  // Processes are killed at every call.
  static std::uint64_t step(std::uint64_t call) {
    static const bool all = std::getenv("HUSHWALK_ALL_FAULTS") != nullptr;
    return all || GetParam() == Fault::kill || call < 12 ? 1 : 1 + call % 3;
  }

  static bool run_at(const Scenario& scenario, const Place& place, std::uint64_t call) {
    const Ended ended = in_process([&](int pipe) {
      arm(GetParam(), call);
      try {
        scenario.act(place, pipe);
      } catch (const Error& error) {
        say(pipe, std::string("error: ") + error.what());
      }
      if (!fault_happened()) say(pipe, "untouched");
    });
    const bool untouched = ended.said.ends_with("untouched");
    EXPECT_FALSE(untouched && !came_out(ended.said)) << ended.said;
    const std::string said = untouched ? ended.said.substr(0, ended.said.size() - 9) : ended.said;
    const Ended checked = in_process([&](int pipe) { scenario.check(place, said, pipe); });
    EXPECT_EQ(checked.said, "") << "at call " << call << ", which ended with: " << ended.said.substr(0, 200);
    EXPECT_FALSE(checked.killed());
    return !untouched;
  }

  TemporaryFolder folder_;
};

TEST_P(LedgerFaults, MakingALedgerLeavesAWholeOneOrNone) { run(creation()); }
TEST_P(LedgerFaults, AReleaseIsChargedBeforeItIsSeenAndOnlyOnce) { run(release_of(asked({0}, 0.25), 0.25)); }
TEST_P(LedgerFaults, ABatchIsChargedWhollyOrNotAtAll) { run(release_of(asked({0, 1, 2}, 0.25), 0.75)); }
TEST_P(LedgerFaults, AReplayIsTheSameOrNothing) { run(replay_of(asked({0, 1}, 0.25), 0.5)); }
TEST_P(LedgerFaults, APublicationCountsForEverybodyOrIsNotMade) { run(publication()); }
TEST_P(LedgerFaults, AnArtefactIsChargedOnceAndStaysTheSame) { run(sharing()); }
TEST_P(LedgerFaults, ALostKeyIsReplacedByAWholeOne) { run(new_key()); }
TEST_P(LedgerFaults, ALostHeadIsNotedAnew) { run(new_head()); }
TEST_P(LedgerFaults, ALimitIsRaisedOnce) { run(raised_limit()); }
TEST_P(LedgerFaults, ACopyIsWholeOrNotThere) { run(copying()); }
TEST_P(LedgerFaults, ALostKeyAndHeadAreReplacedByWholeOnes) { run(new_key_and_head()); }
TEST_P(LedgerFaults, WhatIsForgottenIsNotAnsweredOnItsCharge) { run(forgetting()); }
TEST_P(LedgerFaults, ACompactedLedgerIsTheSame) { run(compacting()); }
TEST_P(LedgerFaults, EveryMemberOfAnArtefactPaysOnce) { run(members()); }
TEST_P(LedgerFaults, AReleaseCountsInItsPeriodOnce) { run(charge_in_a_period()); }
TEST_P(LedgerFaults, ALedgerOfVersion1IsBroughtUpToDateWhollyOrNotAtAll) {
  run(upgrade_from("v1.ledger", 1.625, 1.640625));
}
TEST_P(LedgerFaults, ALedgerOfVersion3IsBroughtUpToDateWhollyOrNotAtAll) {
  run(upgrade_from("v3.ledger", 0.75, 0.765625));
}

std::string fault_name(const ::testing::TestParamInfo<Fault>& info) {
  constexpr const char* names[] = {"Error", "FullDisk", "Kill", "TornWrite"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Every, LedgerFaults,
                         ::testing::Values(Fault::error, Fault::full, Fault::kill, Fault::torn), fault_name);

TEST(LockedLedger, SaysWhoIsInTheWayAndStillReplays) {
  TestLedger ledger;
  const auto scores = ledger.scores(asked({0}, 0.25));
  const ledger::Database other = ledger::Database::open(ledger.path());
  other.execute("BEGIN EXCLUSIVE");
  sqlite3_busy_timeout(ledger->impl().database.handle(), 50);
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked({1}, 0.25)); }, &message), ErrorCode::failed);
  EXPECT_NE(message.find("another process holds it"), std::string::npos) << message;
  EXPECT_EQ(ledger.scores(asked({0}, 0.25)), scores);
  other.execute("ROLLBACK");
  ledger.release(asked({1}, 0.25));
  EXPECT_EQ(ledger.spent(), 0.5);
}

}  // namespace
}  // namespace hushwalk
