#include "ledger/master_key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "base/among_parts.h"
#include "base/fail.h"
#include "base/file_kind.h"
#include "base/keyed_hash.h"
#include "base/system_random.h"

namespace hushwalk::ledger {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view key_kind = "hushwalk ledger key 1";
static_assert(key_kind.starts_with(ledger_key_start));
constexpr std::size_t place_size = 512, places = 2;

void write_at(const FileHandle& file, const fs::path& path, std::string_view text, off_t offset) {
  while (!text.empty()) {
    const ssize_t written = ::pwrite(file.get(), text.data(), text.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_system("cannot write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
    offset += written;
  }
}

void sync(const FileHandle& file, const fs::path& path) {
  if (::fdatasync(file.get()) != 0) fail_system("cannot sync", path);
}

void sync_folder(const fs::path& path) {
  if (!sync_folder_of(path)) fail_system("cannot sync", folder_of(path));
}

// One place: a line with a checksum, and blanks up to its size.
std::string place_text(const NotedHead& head) {
  std::string line =
      fmt::format("{}{} {} {} {}", ledger_head_start, head.ledger_id, head.sequence, head.hash, head.spent);
  if (head.sums) line += fmt::format(" {} {} {}", head.sums->rdp, head.sums->seen.units, head.sums->seen.rdp);
  return fmt::format("{:<{}}\n", line + " " + sha256_hex(line).substr(0, 16), place_size - 1);
}

std::optional<NotedHead> head_in(std::string_view place) {
  const std::string line(place.substr(0, place.find_last_not_of(" \n\0") + 1));
  const std::size_t last = line.rfind(' ');
  if (last == line.npos || sha256_hex(line.substr(0, last)).substr(0, 16) != line.substr(last + 1)) return {};
  NotedHead head;
  std::istringstream words(line);
  std::string start;
  words >> start >> head.ledger_id >> head.sequence >> head.hash >> head.spent;
  if (!words) return std::nullopt;
  NotedHead::Sums sums;
  std::string checksum;
  if (words >> sums.rdp >> sums.seen.units >> sums.seen.rdp >> checksum) head.sums = sums;
  return head;
}

std::optional<NotedHead> newest_in(std::string_view content) {
  std::optional<NotedHead> newest;
  if (content.size() != place_size * places) return newest;
  for (std::size_t at = 0; at + place_size <= content.size(); at += place_size)
    if (auto head = head_in(content.substr(at, place_size)))
      if (!newest || head->sequence > newest->sequence) newest = std::move(head);
  return newest;
}

std::string content_of(const FileHandle& file, const fs::path& path) {
  std::string content(place_size * places, '\0');
  const ssize_t size = ::pread(file.get(), content.data(), content.size(), 0);
  if (size < 0) fail_system("cannot read", path);
  content.resize(static_cast<std::size_t>(size));
  return content;
}

class Locked {
 public:
  Locked(const FileHandle& file, int how, const fs::path& path) : file_(file) {
    while (::flock(file.get(), how) != 0)
      if (errno != EINTR) fail_system("cannot lock", path);
  }
  ~Locked() { ::flock(file_.get(), LOCK_UN); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  const FileHandle& file_;
};

// What a process leaves that is killed while it writes one.
bool is_begun_key(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(fs::symlink_status(path, none))) return false;
  std::string begin(ledger_key_start.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return ledger_key_start.starts_with(
      std::string_view(begin).substr(0, static_cast<std::size_t>(file.gcount())));
}

}  // namespace

bool key_exists(const fs::path& path) {
  std::error_code error;
  const bool exists = fs::exists(path, error);
  if (error)
    fail("cannot look at the key '{}' of the ledger: {}. Make it readable, or name the right one: `key`",
         path.string(), error.message());
  return exists;
}

// Under its own name when it is whole, and in nobody's place.
void save_new_key(const fs::path& path, const std::string& ledger_id) {
  const fs::path unfinished = path.string() + ".unfinished";
  std::error_code none;  // what cannot be looked at cannot be made either, which says why
  if (fs::exists(fs::symlink_status(unfinished, none)) && !is_begun_key(unfinished))
    fail_usage("'{}' stands where a new key would be written; move it away", unfinished.string());
  fs::remove(unfinished, none);
  const FileHandle file(::open(unfinished.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (file.get() < 0) fail_system("cannot write", unfinished);
  std::string text = MasterKey::fresh().file_text(ledger_id);
  write_at(file, unfinished, text, 0);
  OPENSSL_cleanse(text.data(), text.size());
  sync(file, unfinished);
  if (::renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0)
    fail_system("cannot write", path);
  sync_folder(path);
}

std::string random_salt() { return random_id("the salt of a ledger") + random_id("the salt of a ledger"); }

fs::path default_key_path(const fs::path& ledger) { return ledger.string() + ".key"; }
fs::path head_path(const fs::path& key) { return key.string() + ".head"; }

MasterKey::MasterKey(const fs::path& path) {
  if (!key_exists(path))
    fail(
        "the key '{}' of the ledger is not there. Restore it from its copy, or name it: `key`. If it is lost, nothing that was released can be computed again: forget it all with `new_epoch`, which makes another key and charges old questions anew",
        path.string());
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) fail_system("cannot look at", path);
  if ((status.st_mode & 077) != 0)
    fail("the key '{}' may be read by others than its owner; make it private (mode 600)", path.string());
  std::string text = read_whole_file(path);
  std::istringstream lines(text);
  std::string kind, word, hex;
  std::getline(lines, kind);
  lines >> word >> hex;
  const bool whole = kind == key_kind && word == "key" && hex.size() == 64;
  if (whole) from_hex(hex, {reinterpret_cast<unsigned char*>(bytes_.data()), bytes_.size()}, "a key");
  OPENSSL_cleanse(text.data(), text.size());
  OPENSSL_cleanse(hex.data(), hex.size());
  if (!whole) fail("'{}' is not the key of a ledger", path.string());
}

MasterKey MasterKey::fresh() {
  MasterKey key;
  fill_random(key.bytes_, "the key of a ledger");
  return key;
}

MasterKey::~MasterKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }
MasterKey::MasterKey(MasterKey&& other) noexcept : bytes_(other.bytes_) {
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
}

std::string MasterKey::file_text(const std::string& ledger_id) const {
  const auto* const raw = reinterpret_cast<const unsigned char*>(bytes_.data());
  return fmt::format("{}\nkey {}\nledger {}\n", key_kind, to_hex({raw, bytes_.size()}), ledger_id);
}

Sha256 MasterKey::derive(const std::string& salt, std::string_view label, std::string_view info) const {
  std::array<unsigned char, 32> raw_salt{};
  from_hex(salt, raw_salt, "the salt of the ledger");
  return hkdf_sha256(bytes_, std::as_bytes(std::span(raw_salt)), fmt::format("hushwalk {}\n{}", label, info));
}

std::string MasterKey::commitment(const std::string& salt) const {
  return to_hex(derive(salt, "commitment 1"));
}

void HeadFile::create(const fs::path& path, const NotedHead& head) {
  const FileHandle file(::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) fail_system("cannot write", path);
  write_at(file, path, place_text(head) + std::string(place_size * (places - 1), ' '), 0);
  sync(file, path);
  sync_folder(path);
}

std::optional<NotedHead> HeadFile::read() const {
  const FileHandle file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  if (file.get() < 0) fail_system("cannot read", path_);
  const Locked lock(file, LOCK_SH, path_);
  auto head = newest_in(content_of(file, path_));
  if (!head) fail("'{}', which says how far the ledger was, is damaged; see `accept_head`", path_.string());
  return head;
}

namespace {

// Two copies of a ledger that each went on by themselves have different entries of one number.
void check_goes_on(const NotedHead& noted, const NotedHead& head, const fs::path& path) {
  if (noted.ledger_id != head.ledger_id)
    refuse(for_custodian("'{}' is of the ledger {}, not {}", path.string(), noted.ledger_id, head.ledger_id),
           "what is noted beside the key belongs to another ledger");
  if (noted.sequence == head.sequence && noted.hash != head.hash)
    refuse(
        for_custodian("entry {} is not the one that is noted in '{}'", head.sequence, path.string()),
        "two copies of the ledger were used, each by itself. Use the one whose head is noted beside the key");
}

}  // namespace

void HeadFile::advance(const NotedHead& head) {
  const FileHandle file(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  if (file.get() < 0) fail_system("cannot write", path_);
  const Locked lock(file, LOCK_EX, path_);
  const std::string content = content_of(file, path_);
  const auto newest = newest_in(content);
  if (newest) check_goes_on(*newest, head, path_);
  if (newest && newest->sequence >= head.sequence) return;
  // The place of the older one; the newest stays whole whatever happens.
  const auto first = head_in(std::string_view(content).substr(0, place_size));
  const bool second = first && newest && first->sequence == newest->sequence;
  write_at(file, path_, place_text(head), second ? place_size : 0);
  sync(file, path_);
}

namespace {

// What stands under these names and is no key or head is somebody else's, a ledger perhaps.
FileHandle open_new_key(const fs::path& path) {
  check_not_of_database(path);
  check_not_among_parts(path);
  const fs::path head = head_path(path);
  check_not_of_database(head);
  if (const std::string_view kind = kind_of_file(head); !kind.empty() && kind != a_ledger_head)
    fail_usage("'{}', where the head beside the key would be, is {}; give the key another name",
               head.string(), kind);
  return FileHandle(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
}

}  // namespace

NewKey::NewKey(const fs::path& path, const std::function<bool(const NotedHead&)>& replaceable)
    : path_(path), file_(open_new_key(path)) {
  if (file_.get() < 0) fail_system("cannot write", path);
  while (::flock(file_.get(), LOCK_EX) != 0)
    if (errno != EINTR) fail_system("cannot lock", path);
  const bool empty = ::lseek(file_.get(), 0, SEEK_END) == 0;
  std::optional<NotedHead> noted;
  try {
    noted = HeadFile(head_path(path)).read();
  } catch (const Error&) {  // half a head beside no key is what an interrupted call left
    if (!empty) throw;
  }
  if (noted && noted->sequence > 1)
    fail(
        for_custodian("it had {} entries and spent epsilon = {}", noted->sequence, decimal(noted->spent)),
        "'{}' is the key of the ledger {}. If that ledger is lost, restore it from its copy: a new one would count from zero. Otherwise take another name",
        path.string(), noted->ledger_id);
  if (!empty && !(noted && replaceable(*noted))) fail("'{}' exists; a key is never replaced", path.string());
}

// The key last: where there is one, its head is beside it.
void NewKey::write(const MasterKey& key, const NotedHead& head) {
  HeadFile::create(head_path(path_), head);
  std::string text = key.file_text(head.ledger_id);
  if (::ftruncate(file_.get(), 0) != 0 || ::fchmod(file_.get(), 0600) != 0)
    fail_system("cannot write", path_);
  write_at(file_, path_, text, 0);
  OPENSSL_cleanse(text.data(), text.size());
  sync(file_, path_);
}

void NewKey::give_up() noexcept { [[maybe_unused]] const int done = ::ftruncate(file_.get(), 0); }

}  // namespace hushwalk::ledger
