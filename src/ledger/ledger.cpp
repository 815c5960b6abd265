// Making and opening a ledger, and what it says of itself.
#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <limits>

#include "base/fail.h"
#include "base/files.h"
#include "hushwalk/version.h"
#include "ledger/ledger_impl.h"
#include "ledger/schema.h"

namespace hushwalk {

using namespace ledger;
namespace fs = std::filesystem;

namespace {

// A clock may be set a little; more than this and somebody should look.
constexpr auto clock_tolerance = std::chrono::minutes(10);

std::string time_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string random_hex() {
  std::array<unsigned char, 16> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) fail("the operating system has no randomness");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// A database is made under another name and gets its own when it is complete, so that there is never half of
// a ledger.
class NewFile {
 public:
  explicit NewFile(const fs::path& path) : path_(path), temporary_(path) {
    std::error_code none;
    if (fs::symlink_status(path, none).type() != fs::file_type::not_found)
      fail("'{}' exists; a ledger is never replaced", path.string());
    temporary_.replace_filename(fmt::format(".hushwalk-{}.tmp", random_hex()));
    const FileHandle file(
        ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file.get() < 0) fail_system("cannot write", path);
  }
  ~NewFile() {
    for (const char* end : {"", "-journal", "-wal", "-shm"}) ::unlink((temporary_.string() + end).c_str());
  }
  const fs::path& temporary() const { return temporary_; }
  void commit() {
    sync(temporary_, O_RDWR);
    // Fails when the name has been taken meanwhile. A file system that cannot do so has links instead.
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0 &&
        (errno != EINVAL || ::link(temporary_.c_str(), path_.c_str()) != 0))
      fail_system("cannot write", path_);
    sync(path_.has_parent_path() ? path_.parent_path() : ".", O_RDONLY | O_DIRECTORY);
  }

 private:
  static void sync(const fs::path& path, int flags) {
    const FileHandle file(::open(path.c_str(), flags | O_CLOEXEC));
    if (file.get() < 0 || fsync(file.get()) != 0) fail_system("cannot sync", path);
  }
  fs::path path_, temporary_;
};

}  // namespace

void Ledger::create(const fs::path& path, const PublicFacts& graph, const LedgerTerms& terms) {
  if (graph.graph_id.empty()) fail_usage("a ledger needs a graph with a lasting id");
  const auto limit = [](Epsilon epsilon) {
    const Units units = written_units_down(epsilon.value());
    if (units < 1) refuse("a budget of {} is less than the smallest unit, 1e-9", epsilon.value());
    return units;
  };
  const std::optional<double> delta = terms.delta ? std::optional(terms.delta->value()) : std::nullopt;
  const Budget total = make_budget(limit(terms.epsilon), delta);
  Json body = {{"ledger_id", random_hex()}, {"graph_id", graph.graph_id},   {"units", total.units},
               {"delta", nullptr},          {"order", total.order},         {"recipient_units", nullptr},
               {"recipient_order", 0.0},    {"software_version", version()}};
  if (delta) body["delta"] = *delta;
  if (terms.per_recipient) {
    const Budget each = make_budget(limit(*terms.per_recipient), delta);
    body["recipient_units"] = each.units;
    body["recipient_order"] = each.order;
  }
  NewFile file(path);
  {
    const Database database = Database::open(file.temporary());
    Transaction transaction(database, Transaction::Kind::writing);
    make_schema(database);
    State(database).append(time_text(std::chrono::system_clock::now()), kind_init, body);
    transaction.commit();
    database.use_wal();  // only now, so that nothing is in a file beside it
  }
  file.commit();
}

namespace {

Database open_checked(const fs::path& path) {
  Database database = Database::open(path);
  check_schema(database, path.string());
  // Another journal would make readers and writers wait for each other; the change waits like any writer.
  database.use_wal();
  return database;
}

}  // namespace

Ledger::Impl::Impl(const fs::path& file)
    : path(file), database(open_checked(file)), state(database), documents(state), terms(state.terms()) {}

Ledger::Ledger(const fs::path& path) : impl_(std::make_unique<Impl>(path)) {}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;

std::string Ledger::Impl::now() {
  const auto time = std::chrono::system_clock::now();
  const State::Last last = state.last();
  // Times of this form sort like times.
  if (time_text(time + clock_tolerance) < last.at)
    fail(
        "the clock says {}, but the last entry of the ledger '{}' is of {}. Set the clock; if that entry's "
        "was wrong: hushwalk ledger verify {} --accept-clock",
        time_text(time), path.string(), last.at, path.string());
  return time_text(time);
}

void Ledger::Impl::check_graph(const PublicFacts& graph) {
  if (graph.graph_id == last_graph) return;  // graphs are never taken away
  if (state.knows_graph(graph.graph_id)) {
    last_graph = graph.graph_id;
    return;
  }
  refuse(
      "the ledger '{}' is not of this graph (id {}). If it is a new snapshot of the same graph: hushwalk "
      "ledger lineage {} --graph G",
      path.string(), graph.graph_id, path.string());
}

LedgerAccount Ledger::Impl::account(const std::string& recipient, const std::string& shown,
                                    const Budget* budget) {
  const Account account = state.account(recipient);
  return {shown, budget ? number(budget->units) : std::numeric_limits<double>::infinity(),
          budget ? budget->epsilon(account.spending) : number(account.spending.units),
          static_cast<std::uint64_t>(account.releases)};
}

LedgerState Ledger::state() const {
  Impl& ledger = *impl_;
  const Transaction snapshot(ledger.database, Transaction::Kind::reading);
  LedgerState state;
  state.ledger_id = ledger.terms.ledger_id;
  state.delta = ledger.terms.total.delta;
  if (state.delta) state.order = ledger.terms.total.order;
  state.total = ledger.account(total_account, "", &ledger.terms.total);
  Statement graphs(ledger.database, "SELECT id FROM graph ORDER BY entry");
  while (graphs.step()) state.graph_ids.emplace_back(graphs.text(0));
  Statement recipients(ledger.database,
                       "SELECT recipient FROM account WHERE recipient <> ?1 ORDER BY recipient");
  for (recipients.bind(total_account); recipients.step();) {
    const std::string recipient(recipients.text(0));
    state.recipients.push_back(
        ledger.account(recipient, recipient, ledger.terms.recipient ? &*ledger.terms.recipient : nullptr));
  }
  const auto count = [&](const char* sql) {
    return static_cast<std::uint64_t>(ledger.database.integer(sql));
  };
  state.entries = count("SELECT count(*) FROM entry");
  state.stored = count("SELECT count(*) FROM stored WHERE name LIKE 'answer %'");
  state.unfinished = count(
      "SELECT count(*) FROM answer WHERE NOT EXISTS(SELECT 1 FROM stored WHERE name IN ('answer ' || key, "
      "'artefact ' || key))");
  const State::Last last = ledger.state.last();
  state.head = last.hash;
  state.updated = last.at;
  return state;
}

void Ledger::add_snapshot(const PublicFacts& graph) {
  Impl& ledger = *impl_;
  Transaction transaction(ledger.database, Transaction::Kind::writing);
  if (ledger.state.knows_graph(graph.graph_id))
    fail_usage("the graph {} belongs to the ledger '{}' already", graph.graph_id, ledger.path.string());
  ledger.state.append(ledger.now(), kind_snapshot, {{"graph_id", graph.graph_id}});
  transaction.commit();
}

void Ledger::accept_clock() {
  Impl& ledger = *impl_;
  Transaction transaction(ledger.database, Transaction::Kind::writing);
  ledger.state.append(time_text(std::chrono::system_clock::now()), kind_clock, Json::object());
  transaction.commit();
}

}  // namespace hushwalk
