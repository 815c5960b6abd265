// The secret of a ledger, in a file of its own, and beside it the newest head that anyone has seen: by the
// one a charged release is computed again, by the other an older ledger that was put back is noticed.
// docs/ledger.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/sha256.h"
#include "ledger/budget.h"

namespace hushwalk::ledger {

// 256 bits, wiped when no longer needed. Whoever has them, the ledger and the graph has every answer without
// its noise: they are never printed, stored or copied.
class MasterKey {
 public:
  // Error{failed} when the file is missing or cannot be looked at, is no key, or may be read by others than
  // its owner.
  explicit MasterKey(const std::filesystem::path& path);
  static MasterKey fresh();
  ~MasterKey();
  MasterKey(MasterKey&&) noexcept;
  MasterKey(const MasterKey&) = delete;
  MasterKey& operator=(const MasterKey&) = delete;

  // The content of its file; not to be shown.
  std::string file_text(const std::string& ledger_id) const;
  // By HKDF, under a salt in hex digits.
  Sha256 derive(const std::string& salt, std::string_view label, std::string_view info = {}) const;
  // What a ledger keeps to know its key by; tells nothing of it.
  std::string commitment(const std::string& salt) const;

 private:
  MasterKey() = default;
  std::array<std::byte, 32> bytes_{};
};

struct NotedHead {
  std::string ledger_id;
  std::int64_t sequence = 0;
  std::string hash;
  Units spent = 0;  // pure sum of the total: the truth, should the ledger itself be lost
  struct Sums {
    double rdp = 0;  // of the total
    Spending seen;   // the most that any one recipient sees, under a limit for each
  };
  std::optional<Sums> sums = {};  // none: an older program noted it
};

// Two places that are written in turn, so that one is whole whenever the machine stops. Any number of
// processes.
class HeadFile {
 public:
  explicit HeadFile(std::filesystem::path path) : path_(std::move(path)) {}

  static void create(const std::filesystem::path& path, const NotedHead& head);
  std::optional<NotedHead> read() const;  // none: there is no such file. Error{failed} when it is damaged
  // On the disk when it returns. An older head than the noted one changes nothing; Error{refused} for another
  // one of the same number, or of another ledger.
  void advance(const NotedHead& head);

 private:
  std::filesystem::path path_;
};

// Error{failed} when the file cannot be looked at: such a key is not lost, and another one would not be the
// ledger's.
bool key_exists(const std::filesystem::path& path);

void save_new_key(const std::filesystem::path& path, const std::string& ledger_id);  // in place of a lost one

std::string random_salt();  // 64 hex digits

std::filesystem::path default_key_path(const std::filesystem::path& ledger);  // L.key
std::filesystem::path head_path(const std::filesystem::path& key);            // beside the key

// The lock on a key that is being made: of several that make a ledger of one name, one goes on at a time.
// Error{failed} when a key there belongs to a ledger that was used, and is lost.
class NewKey {
 public:
  // `replaceable` says which noted head, if any, belongs to a key that was never used: one that an
  // interrupted call left.
  NewKey(const std::filesystem::path& path, const std::function<bool(const NotedHead&)>& replaceable);
  // Both files, on the disk.
  void write(const MasterKey& key, const NotedHead& head);
  // Leaves an empty file, which the next call may use.
  void give_up() noexcept;

 private:
  std::filesystem::path path_;
  FileHandle file_;
};

}  // namespace hushwalk::ledger
