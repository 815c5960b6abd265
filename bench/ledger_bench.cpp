// What a charge, a repeat, a publication, `show` and, for each entry, `verify` take in a ledger with many
// answers, as ratios to one with a thousand; how many pages of the file each looks at, finds in memory or
// not, and writes; and how many bytes an answer needs. All entries are made by charges.
//
//   ledger_bench [ANSWERS [MECHANISM]]      (default: a million; twohop and shared)
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>

#include "hushwalk/generate.h"
#include "hushwalk/ledger.h"

namespace hushwalk::bench {
namespace {

namespace fs = std::filesystem;

constexpr Node portion = 10'000, more = 50;

// Of the processor: neither the disk nor other processes count.
double seconds(const std::function<void()>& action) {
  const std::clock_t began = std::clock();
  action();
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

// The best of several: other processes only ever add.
double best(int times, const std::function<void()>& action) {
  double least = seconds(action);
  for (int i = 1; i < times; ++i) least = std::min(least, seconds(action));
  return least;
}

LedgerRequest for_nodes(const char* mechanism, Node first, Node count) {
  LedgerRequest request{{.mechanism = mechanism, .epsilon = Epsilon(0.5)}, {}, ""};
  for (Node node = first; node < first + count; ++node) request.seeds.emplace_back(node);
  return request;
}

// The database that was opened last: SQLite tells, the ledger need not.
sqlite3* opened = nullptr;
int note_opened(sqlite3* database, char**, const sqlite3_api_routines*) {
  opened = database;
  return SQLITE_OK;
}

// Pages of SQLite since the last look.
struct Pages {
  double found = 0, read = 0, written = 0;
};

Pages pages_looked_at() {
  const auto count = [&](int which) {
    int now = 0, most = 0;
    sqlite3_db_status(opened, which, &now, &most, 1);
    return static_cast<double>(now);
  };
  return {count(SQLITE_DBSTATUS_CACHE_HIT), count(SQLITE_DBSTATUS_CACHE_MISS),
          count(SQLITE_DBSTATUS_CACHE_WRITE)};
}

struct Measured {
  double seconds = 0;  // of the processor, the best of several
  Pages pages;         // the mean
};

Measured measured(const std::function<void()>& action) {
  pages_looked_at();
  const double seconds = best(more, action);
  const Pages all = pages_looked_at();
  return {seconds, {all.found / more, all.read / more, all.written / more}};
}

struct Times {
  Measured charge, again, publish, show;
  double verify = 0;  // for each answer
};

void print(const char* what, const Measured& one) {
  std::printf("  %-10s %7.3f ms; %5.1f pages found in memory, %5.1f read, %5.1f written\n", what,
              1e3 * one.seconds, one.pages.found, one.pages.read, one.pages.written);
}

// Another artefact for everybody each time.
LedgerRequest publication(Node number) {
  const double epsilon = 0.125 + 1e-6 * number;
  LedgerRequest request{{.mechanism = "shared", .scope = Scope::edge, .epsilon = Epsilon(epsilon)}, {}, ""};
  request.publish = true;
  return request;
}

// Entries that differ in their seeds, charged in portions.
Times measure(const char* mechanism, const Graph& graph, Node answers) {
  const fs::path folder = fs::temp_directory_path() / ("hushwalk-ledger-bench-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path path = folder / "l";
  Ledger::create(path, graph.facts(), {.epsilon = Epsilon(1e6), .per_recipient = Epsilon(100)});
  Ledger ledger(path);
  const double all = seconds([&] {
    for (Node first = 0; first < answers; first += portion)
      static_cast<void>(
          ledger.charge(graph, for_nodes(mechanism, first, std::min(portion, answers - first))));
  });
  ledger.compact();
  const double bytes = static_cast<double>(fs::file_size(path)) / answers;
  Node next = answers, published = 0;
  Times times{};
  times.charge = measured([&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, next++, 1))); });
  times.again = measured([&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, 0, 1))); });
  times.publish = measured([&] { static_cast<void>(ledger.charge(graph, publication(published++))); });
  times.show = measured([&] { static_cast<void>(ledger.state()); });
  sqlite3_exec(opened, "PRAGMA cache_size = -2000", nullptr, nullptr, nullptr);
  const Measured small_cache =
      measured([&] { static_cast<void>(ledger.charge(graph, for_nodes(mechanism, next++, 1))); });
  const auto entries = static_cast<double>(ledger.state().entries);
  times.verify = seconds([&] {
                   if (!ledger.verify().valid) std::abort();
                 }) /
                 answers;
  std::printf(
      "%-7s %8u answers in %8.0f entries: %6.1f bytes an answer; charged in %.1f s, verify %.1f us an answer\n",
      mechanism, answers, entries, bytes, all, 1e6 * times.verify);
  print("one more", times.charge);
  print("(2 MB)", small_cache);
  print("one again", times.again);
  print("publish", times.publish);
  print("show", times.show);
  std::fflush(stdout);
  fs::remove_all(folder);
  return times;
}

void compare(const char* mechanism, Node few, Node many) {
  const Graph graph = generate("er", {.nodes = many + 2 * more, .edges = 1000});  // one for both
  const Times small = measure(mechanism, graph, few), large = measure(mechanism, graph, many);
  const auto ratio = [](const Measured& a, const Measured& b) { return a.seconds / b.seconds; };
  std::printf(
      "%-7s %u answers / %u: one more %.2f, one again %.2f, publish %.2f, show %.2f, verify %.2f an answer "
      "(target: at most 3 each)\n",
      mechanism, many, few, ratio(large.charge, small.charge), ratio(large.again, small.again),
      ratio(large.publish, small.publish), ratio(large.show, small.show), large.verify / small.verify);
  std::fflush(stdout);
}

}  // namespace

void note_databases() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(note_opened)); }

}  // namespace hushwalk::bench

int main(int argc, char** argv) {
  using hushwalk::Node;
  hushwalk::bench::note_databases();
  const Node many = argc > 1 ? static_cast<Node>(std::atoi(argv[1])) : 1'000'000;
  for (const std::string mechanism : {"twohop", "shared"})
    if (argc < 3 || mechanism == argv[2]) hushwalk::bench::compare(mechanism.c_str(), 1'000, many);
}
