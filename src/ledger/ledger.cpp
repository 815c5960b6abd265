// Making and opening a ledger.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <limits>
#include <span>

#include "base/among_parts.h"
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

[[noreturn]] void fail_left(const std::string& file) {
  const bool has_charges = !file.ends_with("-shm");
  fail(
      "'{}' is left from another ledger of this name. {} the file away, or take another name", file,
      has_charges
          ? "It may hold its last charges: if that ledger is lost, restore it together with this file; otherwise move"
          : "Move");
}

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::symlink_status(path, none).type() != fs::file_type::not_found;
}

}  // namespace

void ledger::check_new_name(const fs::path& path) {
  check_not_of_database(path);
  check_not_among_parts(path);
  if (is_there(path)) fail("'{}' exists; a ledger is never replaced", path.string());
  for (const char* end : {"-wal", "-shm", "-journal"})
    if (is_there(path.string() + end)) fail_left(path.string() + end);
}

namespace {

// A file without a name, which gets its own when it is complete: there is never half of a ledger, and nothing
// is left when the process is killed.
class NewFile {
 public:
  explicit NewFile(const fs::path& path) : path_(path), folder_(folder_of(path)) {
    check_new_name(path);
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
    if (!sync_folder_of(path_)) fail_system("cannot sync", folder_);
  }

 private:
  fs::path path_, folder_, temporary_;
  FileHandle file_;
};

}  // namespace

namespace {

Units limit_of(Epsilon epsilon) {
  const Units units = written_units_down(epsilon.value());
  if (units < 1) refuse("a budget of {} is less than the smallest unit, 1e-9", epsilon.value());
  return units;
}

// Sums of the total and of periods are of one order: that of the limit which is reached first.
Json init_body(const PublicFacts& graph, const LedgerTerms& terms) {
  if (!terms.epsilon && !terms.period)
    fail_usage("say what may be spent: `epsilon` in all, `per_period`, or both");
  const std::optional<double> delta = terms.delta ? std::optional(terms.delta->value()) : std::nullopt;
  Json body = {
      {"ledger_id", random_id("a ledger")},
      {"graph_id", graph.graph_id},
      {"units", nullptr},
      {"delta", nullptr},
      {"order", make_budget(limit_of(terms.period ? terms.period->epsilon : *terms.epsilon), delta).order},
      {"recipient_units", nullptr},
      {"recipient_order", 0.0},
      {"software_version", version()}};
  if (terms.epsilon) body["units"] = limit_of(*terms.epsilon);
  if (delta) body["delta"] = *delta;
  if (terms.per_recipient) {
    const Budget each = make_budget(limit_of(*terms.per_recipient), delta);
    body["recipient_units"] = each.units;
    body["recipient_order"] = each.order;
  }
  if (terms.period) {
    if (terms.period->days < 0 || terms.period->days > 36'500) fail_usage("a period has 1 to 36500 days");
    body["periods"] = {{"units", limit_of(terms.period->epsilon)},
                       {"days", terms.period->days},
                       {"carry", terms.period->carry}};
  }
  return body;
}

}  // namespace

std::string Ledger::create(const fs::path& path, const PublicFacts& graph, const LedgerTerms& terms,
                           const fs::path& key) {
  if (graph.graph_id.empty()) fail_usage("a ledger needs a graph with a lasting id");
  Json body = init_body(graph, terms);
  check_new_name(path);
  // No ledger has this name, so that a key of that name was never used.
  NewKey key_file(key.empty() ? default_key_path(path) : key, [&](const NotedHead&) { return key.empty(); });
  NewFile file(path);  // another may have made it while the key was waited for
  const MasterKey master = MasterKey::fresh();
  const std::string salt = random_salt();
  body["key"] = {{"epoch", 0}, {"salt", salt}, {"commitment", master.commitment(salt)}};
  const Database database = Database::in_memory();
  make_schema(database);
  State state(database);
  state.append(time_text(std::chrono::system_clock::now()), kind_init, body);
  state.count({});
  try {
    key_file.write(master, {body.at("ledger_id"), 1, state.last()->hash, 0});
    file.write(database.bytes());
    file.commit();
  } catch (...) {
    if (!is_there(path)) key_file.give_up();
    throw;
  }
  return body.at("ledger_id");
}

namespace {

Database open_checked(const fs::path& path, const fs::path& key) {
  Database database = Database::open(path);
  if (version_of(database, path.string()) < schema_version)
    upgrade(database, time_text(std::chrono::system_clock::now()), key);
  check_schema(database);
  // Another journal would make readers and writers wait for each other; the change waits like any writer.
  database.use_wal();
  return database;
}

}  // namespace

Ledger::Impl::Impl(const fs::path& file, const fs::path& key_file)
    : path(file),
      key_path(key_file.empty() ? default_key_path(file) : key_file),
      head(head_path(key_path)),
      database(open_checked(file, key_path)),
      state(database),
      documents(state),
      terms(state.terms()) {}

Ledger::Ledger(const fs::path& path, const fs::path& key)
    : impl_(readable([&] { return std::make_unique<Impl>(path, key); })) {}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;

std::string Ledger::Impl::now() {
  const auto time = clock();
  const std::string latest = state.last()->latest();
  // Times of this form sort like times.
  if (time_text(time + clock_tolerance) < latest)
    fail(
        for_custodian("the clock says {}, the entry is of {}", time_text(time), latest),
        "the clock is behind an entry of the ledger '{}'. Set the clock; if that entry's was wrong, verify the ledger with `accept_clock`",
        path.string());
  return time_text(time);
}

void Ledger::Impl::check_graph(const PublicFacts& graph) {
  if (graph.graph_id == last_graph) return;  // graphs are never taken away
  if (state.knows_graph(graph.graph_id)) {
    last_graph = graph.graph_id;
    return;
  }
  refuse(
      for_custodian("the ledger is '{}'", path.string()),
      "the ledger is not of this graph (id {}). If it is a new snapshot of the same graph, declare it in the lineage of the ledger",
      graph.graph_id);
}

LedgerAccount Ledger::Impl::account(const std::string& name) {
  const Account account = state.seen_by(name);
  const Budget* budget = name == total_account ? &terms.total : terms.recipient ? &*terms.recipient : nullptr;
  if (budget && !budget->limited && !budget->delta) budget = nullptr;
  return {name == total_account || name == everybody ? "" : name,
          budget && budget->limited ? number(budget->units) : std::numeric_limits<double>::infinity(),
          budget ? budget->epsilon(account.spending) : number(account.spending.units),
          budget ? budget->left(account.spending) : std::numeric_limits<double>::infinity(),
          static_cast<std::uint64_t>(account.releases)};
}

}  // namespace hushwalk
