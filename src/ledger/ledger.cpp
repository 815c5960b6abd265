// Making and opening a ledger, and what it says of itself.
#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <limits>
#include <span>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/system_random.h"
#include "hushwalk/version.h"
#include "ledger/damage.h"
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

[[noreturn]] void fail_left(const std::string& file) {
  const bool has_charges = !file.ends_with("-shm");
  fail(
      "'{}' is left from another ledger of this name. {} the file away, or take another name", file,
      has_charges
          ? "It may hold its last charges: if that ledger is lost, restore it together with this file; otherwise move"
          : "Move");
}

// A file without a name, which gets its own when it is complete: there is never half of a ledger, and nothing
// is left when the process is killed.
class NewFile {
 public:
  explicit NewFile(const fs::path& path)
      : path_(path), folder_(path.has_parent_path() ? path.parent_path() : ".") {
    check_not_of_database(path);
    if (exists("")) fail("'{}' exists; a ledger is never replaced", path.string());
    for (const char* end : {"-wal", "-shm", "-journal"})
      if (exists(end)) fail_left(path.string() + end);
    file_ = FileHandle(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file_.get() < 0) {  // a file system without such files
      temporary_ = folder_ / fmt::format(".hushwalk-{}.tmp", random_id("a ledger"));
      file_ = FileHandle(::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    }
    if (file_.get() < 0) fail_system("cannot write", path);
  }
  ~NewFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail_system("cannot write", path_);
      bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
  }

  // Fails when the name has been taken meanwhile.
  void commit() {
    if (::fsync(file_.get()) != 0) fail_system("cannot sync", path_);
    const std::string from =
        temporary_.empty() ? fmt::format("/proc/self/fd/{}", file_.get()) : temporary_.string();
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) != 0)
      fail_system("cannot write", path_);
    const FileHandle folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() < 0 || ::fsync(folder.get()) != 0) fail_system("cannot sync", folder_);
  }

 private:
  bool exists(const char* end) const {
    std::error_code none;
    return fs::symlink_status(path_.string() + end, none).type() != fs::file_type::not_found;
  }
  fs::path path_, folder_, temporary_;
  FileHandle file_;
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
  Json body = {{"ledger_id", random_id("a ledger")},
               {"graph_id", graph.graph_id},
               {"units", total.units},
               {"delta", nullptr},
               {"order", total.order},
               {"recipient_units", nullptr},
               {"recipient_order", 0.0},
               {"software_version", version()}};
  if (delta) body["delta"] = *delta;
  if (terms.per_recipient) {
    const Budget each = make_budget(limit(*terms.per_recipient), delta);
    body["recipient_units"] = each.units;
    body["recipient_order"] = each.order;
  }
  NewFile file(path);
  const Database database = Database::in_memory();
  make_schema(database);
  State(database).append(time_text(std::chrono::system_clock::now()), kind_init, body);
  file.write(database.bytes());
  file.commit();
}

namespace {

Database open_checked(const fs::path& path) {
  Database database = Database::open(path);
  if (version_of(database, path.string()) < schema_version)
    upgrade(database, time_text(std::chrono::system_clock::now()));
  check_schema(database);
  // Another journal would make readers and writers wait for each other; the change waits like any writer.
  database.use_wal();
  return database;
}

}  // namespace

Ledger::Impl::Impl(const fs::path& file)
    : path(file), database(open_checked(file)), state(database), documents(state), terms(state.terms()) {}

Ledger::Ledger(const fs::path& path) : impl_(readable([&] { return std::make_unique<Impl>(path); })) {}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;

std::string Ledger::Impl::now() {
  const auto time = std::chrono::system_clock::now();
  const std::string latest = state.last()->latest();
  // Times of this form sort like times.
  if (time_text(time + clock_tolerance) < latest)
    fail(
        "the clock says {}, but an entry of the ledger '{}' is of {}. Set the clock; if that entry's was wrong, verify the ledger with `accept_clock`",
        time_text(time), path.string(), latest);
  return time_text(time);
}

void Ledger::Impl::check_graph(const PublicFacts& graph) {
  if (graph.graph_id == last_graph) return;  // graphs are never taken away
  if (state.knows_graph(graph.graph_id)) {
    last_graph = graph.graph_id;
    return;
  }
  refuse(
      "the ledger '{}' is not of this graph (id {}). If it is a new snapshot of the same graph, declare it in the lineage of the ledger",
      path.string(), graph.graph_id);
}

LedgerAccount Ledger::Impl::account(const std::string& name) {
  const Account account = state.seen_by(name);
  const Budget* const budget = name == total_account ? &terms.total
                               : terms.recipient     ? &*terms.recipient
                                                     : nullptr;
  return {name == total_account || name == everybody ? "" : name,
          budget ? number(budget->units) : std::numeric_limits<double>::infinity(),
          budget ? budget->epsilon(account.spending) : number(account.spending.units),
          budget ? budget->left(account.spending) : std::numeric_limits<double>::infinity(),
          static_cast<std::uint64_t>(account.releases)};
}

LedgerState Ledger::state() const {
  const std::scoped_lock lock(impl_->mutex);
  return readable([&] {
    Impl& ledger = *impl_;
    const Transaction snapshot(ledger.database, Transaction::Kind::reading);
    LedgerState state;
    state.ledger_id = ledger.terms.ledger_id;
    state.delta = ledger.terms.total.delta;
    if (state.delta) state.order = ledger.terms.total.order;
    state.total = ledger.account(total_account);
    Statement graphs(ledger.database, "SELECT graph FROM entry WHERE graph IS NOT NULL ORDER BY sequence");
    while (graphs.step()) state.graph_ids.emplace_back(graphs.text(0));
    for (const std::string& name : ledger.state.recipients())
      if (name != everybody) state.recipients.push_back(ledger.account(name));
    state.published = ledger.account(everybody);
    const auto count = [&](const char* sql) {
      return static_cast<std::uint64_t>(ledger.database.integer(sql));
    };
    state.stored = count("SELECT count(*) FROM entry WHERE document > 'answer ' AND document < 'answer!'");
    state.unfinished = count(
        "SELECT count(*) FROM entry AS charged WHERE answer IS NOT NULL AND NOT EXISTS(SELECT 1 FROM entry WHERE document IN ('answer ' || charged.answer, 'artefact ' || charged.answer))");
    const EntryPointer last = ledger.state.last();
    state.entries = static_cast<std::uint64_t>(last->sequence);
    state.head = last->hash;
    state.updated = last->at;
    return state;
  });
}

void Ledger::add_snapshot(const PublicFacts& graph) {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    Impl& ledger = *impl_;
    Transaction transaction(ledger.database, Transaction::Kind::writing);
    if (ledger.state.knows_graph(graph.graph_id))
      fail_usage("the graph {} belongs to the ledger '{}' already", graph.graph_id, ledger.path.string());
    ledger.state.append(ledger.now(), kind_snapshot, {{"graph_id", graph.graph_id}});
    transaction.commit();
  });
}

void Ledger::accept_clock() {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    Transaction transaction(impl_->database, Transaction::Kind::writing);
    impl_->state.append(time_text(std::chrono::system_clock::now()), kind_clock, Json::object());
    transaction.commit();
  });
}

}  // namespace hushwalk
