// Copies, and what is no longer kept. Charges, owners and heads stay for ever.
#include <fcntl.h>
#include <fmt/chrono.h>
#include <openssl/crypto.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/files.h"
#include "base/system_random.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"

namespace hushwalk {

using namespace ledger;
namespace fs = std::filesystem;

namespace {

// Within a writing transaction: the documents and tags of all entries up to this one.
void forget_up_to(Ledger::Impl& ledger, const std::string& at, std::int64_t up_to) {
  State& state = ledger.state;
  if (up_to <= state.forgotten()) return;
  state.append(at, kind_forget, {{"up_to", up_to}});
  const Database& database = ledger.database;
  const auto changes = [&](const char* sql) {
    Statement(database, sql).bind(up_to).run();
    return database.integer("SELECT changes()");
  };
  const std::int64_t answers = changes(
      "DELETE FROM document WHERE name IN (SELECT document FROM entry WHERE document > 'answer ' AND document < 'answer!' AND sequence <= ?1)");
  changes(
      "DELETE FROM document WHERE name IN (SELECT document FROM entry WHERE document IS NOT NULL AND sequence <= ?1)");
  const std::int64_t tags = changes(
      "DELETE FROM released WHERE answer IN (SELECT answer FROM entry WHERE answer IS NOT NULL AND sequence <= ?1)");
  state.count({-answers - tags, 0, 0});
}

// What was deleted is not left in the log either. Waits for readers as long as for everybody.
void empty_log(const Ledger::Impl& ledger) {
  if (ledger.database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0)
    fail(
        "what was deleted is not yet gone from '{}-wal', because another process reads the ledger: when it has ended, compact the ledger",
        ledger.path.string());
}

void sync_file(const fs::path& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) fail_system("cannot sync", path);
}

std::string text_of(std::time_t time) { return fmt::format("{:%FT%TZ}", fmt::gmtime(time)); }

// Times are compared as texts, so that it must be written as those of entries are.
bool is_time(const std::string& text) {
  try {
    const std::time_t seconds = time_of(text).time_since_epoch().count();
    return text_of(seconds) == text;
  } catch (const Damage&) {  // of the argument, not of the ledger
    return false;
  }
}

void check_time(const std::string& time) {
  if (is_time(time)) return;
  fail_usage("`before` is a time as in 2026-01-31T12:00:00Z, not '{}'", time);
}

void write_copy(const Database& database, const fs::path& copy) {
  check_new_name(copy);
  const fs::path temporary = folder_of(copy) / fmt::format(".hushwalk-{}.tmp", random_id("a copy"));
  {
    const FileHandle file(::open(temporary.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    if (file.get() < 0) fail_system("cannot write", copy);
  }
  try {
    Statement(database, "VACUUM INTO ?1").bind(temporary.string()).run();
    sync_file(temporary);
    if (::link(temporary.c_str(), copy.c_str()) != 0) fail_system("cannot write", copy);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  ::unlink(temporary.c_str());
  if (!sync_folder_of(copy)) fail_system("cannot sync", folder_of(copy));
}

}  // namespace

LedgerCheck Ledger::backup(const fs::path& copy) const {
  {
    const std::scoped_lock lock(impl_->mutex);
    readable([&] { write_copy(impl_->database, copy); });
  }
  return verify_ledger(copy);
}

void Ledger::compact() {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    impl_->check_head();
    impl_->database.execute("VACUUM");
    empty_log(*impl_);
  });
}

std::int64_t Ledger::forgotten() const {
  const std::scoped_lock lock(impl_->mutex);
  return readable([&] {
    const Transaction snapshot(impl_->database, Transaction::Kind::reading);
    return impl_->state.forgotten();
  });
}

void Ledger::forget_before(const std::string& time) {
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    Impl& ledger = *impl_;
    check_time(time);
    ledger.check_head();
    {
      Transaction transaction(ledger.database, Transaction::Kind::writing);
      Statement last(ledger.database, "SELECT coalesce(max(sequence), 0) FROM entry WHERE at < ?1");
      last.bind(time).step();
      const std::int64_t up_to = last.integer(0);
      last.reset();
      forget_up_to(ledger, ledger.now(), up_to);
      ledger.commit(transaction);
    }
    empty_log(ledger);
  });
}

namespace {

std::string days_ago(int days) {
  constexpr int most = 36'500;
  if (days < 0 || days > most) fail_usage("`older_than` is {} days; it must be from 0 to {}", days, most);
  return text_of(std::time(nullptr) - std::time_t{days} * 86'400);
}

// The key may be lost, so that only a head can say that the ledger is the newest.
void check_head_of_lost_key(Ledger::Impl& ledger) {
  if (key_exists(ledger.key_path) || ledger.head.read()) return ledger.check_head();
  fail(
      "neither the key '{}' nor '{}', which says how far the ledger was, is there. Restore them, or name the key: `key`. If both are lost, `accept_head` takes the ledger as it is",
      ledger.key_path.string(), head_path(ledger.key_path).string());
}

// A key that was misnamed is not lost.
void check_default_key_is_lost(const Ledger::Impl& ledger) {
  const fs::path usual = default_key_path(ledger.path);
  if (ledger.key_path == usual || !key_exists(usual)) return;
  fail(
      "the key '{}' is not there, but '{}' is: if that is the key of the ledger, name it; if not, move it away",
      ledger.key_path.string(), usual.string());
}

// The head of another ledger, beside the key of that one, is left alone. One that fits stays: it may be that
// of a call that was interrupted after it had made a key. One that does not is not lost, the ledger is old:
// what it counts is charged.
void note_head_as_it_is(Ledger::Impl& ledger) {
  const auto noted = readable_head(ledger.head);
  const bool own = noted && noted->ledger_id == ledger.terms.ledger_id;
  if (own && ledger.state.hash_of(noted->sequence) == noted->hash) return;
  if (own)
    ledger.charge_lost(*noted);
  else if (key_exists(ledger.key_path))
    ledger.check_key();
  else if (noted)
    refuse(for_custodian("'{}' is of the ledger {}, not {}", head_path(ledger.key_path).string(),
                         noted->ledger_id, ledger.terms.ledger_id),
           "what is noted beside the key belongs to another ledger");
  HeadFile::create(head_path(ledger.key_path), ledger.last_head());
}

}  // namespace

std::vector<std::string> Ledger::begin_epoch(bool accept_head) {
  std::vector<std::string> notices;
  if (accept_head) {
    const LedgerCheck found = verify({}, true);
    if (!found.valid) fail("the ledger '{}' is not intact: {}", impl_->path.string(), found.reason);
    notices.push_back(found.reason);
  }
  const std::scoped_lock lock(impl_->mutex);
  readable([&] {
    Impl& ledger = *impl_;
    if (accept_head) note_head_as_it_is(ledger);
    check_head_of_lost_key(ledger);
    if (!key_exists(ledger.key_path)) {
      check_default_key_is_lost(ledger);
      save_new_key(ledger.key_path, ledger.terms.ledger_id);
      notices.push_back(fmt::format("a new key was made: '{}'", ledger.key_path.string()));
    }
    ledger.master = std::make_shared<const MasterKey>(ledger.key_path);
    {
      Transaction transaction(ledger.database, Transaction::Kind::writing);
      const std::string at = ledger.now(), salt = random_salt();
      forget_up_to(ledger, at, ledger.state.last()->sequence);
      ledger.state.append(at, kind_key,
                          {{"key",
                            {{"epoch", ledger.state.key_terms().epoch + 1},
                             {"salt", salt},
                             {"commitment", ledger.master->commitment(salt)}}}});
      ledger.commit(transaction);
    }
    empty_log(ledger);
  });
  return notices;
}

void Ledger::check_forgetting(const Forgetting& what) {
  if (int{what.before.has_value()} + int{what.older_than.has_value()} + int{what.new_epoch} != 1)
    fail_usage("give one of `older_than`, `before` and `new_epoch`");
  if (what.accept_head && !what.new_epoch) fail_usage("`accept_head` goes with `new_epoch`");
}

std::vector<std::string> Ledger::forget(const Forgetting& what) {
  check_forgetting(what);
  if (what.new_epoch) return begin_epoch(what.accept_head);
  forget_before(what.before ? *what.before : days_ago(*what.older_than));
  return {};
}

}  // namespace hushwalk
