#include "keys.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "hushwalk/error.h"
#include "hushwalk/graph_notes.h"
#include "usage.h"

namespace hushwalk::service {
namespace {

using Json = nlohmann::json;
constexpr std::string_view prefix = "hw_", bearer = "Bearer ";
constexpr std::size_t key_bytes = 32, id_bytes = 8;

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> drawn(bytes);
  if (RAND_priv_bytes(drawn.data(), static_cast<int>(bytes)) != 1)
    throw Error(ErrorCode::failed, "the system gives no random numbers; no key was made");
  std::string text;
  for (const unsigned char byte : drawn) text += fmt::format("{:02x}", byte);
  OPENSSL_cleanse(drawn.data(), drawn.size());
  return text;
}

bool is_utf8(const std::string& text) {
  try {
    return !Json(text).dump().empty();
  } catch (const Json::exception&) {
    return false;
  }
}

bool is_name(const std::string& text) {
  return is_utf8(text) && !text.empty() && text.size() <= 200 && !text.starts_with(' ') &&
         !text.ends_with(' ') &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 127; });
}

void check(const AccessKey& key) {
  if (!is_name(key.name)) usage("a key needs a printable name of at most 200 bytes: whose is it?");
  if (key.per_minute < 1 || key.per_minute > 1'000'000)
    usage("a key may ask between 1 and 1000000 times a minute, not {}", key.per_minute);
  if (key.role == Role::admin && !(key.graphs.empty() && key.seeds.empty() && key.recipient.empty()))
    usage("an admin sees all graphs and asks nothing: give it no graph, seed or recipient");
  if (key.role == Role::analyst && (key.graphs.empty() || !key.seeds.empty()))
    usage("an analyst needs the graphs that it may ask about, and has no seeds");
  if (key.role == Role::owner && (key.graphs.size() != 1 || (key.seeds.empty() && !key.every_seed)))
    usage("an owner needs one graph, and the seeds in it that are theirs");
  if (key.role == Role::owner && key.recipient.empty())
    usage("whoever owns several seeds needs a name: the recipient whose account pays");
  if (!std::ranges::all_of(key.seeds, is_utf8) || !std::ranges::all_of(key.graphs, is_utf8))
    usage("names of seeds and graphs are texts in UTF-8");
  if (key.role != Role::admin && !is_name(key.recipient))
    usage("the recipient's name must be printable, of at most 200 bytes");
}

void complete(AccessKey& key) {
  if (key.role == Role::owner && key.recipient.empty() && key.seeds.size() == 1) key.recipient = key.seeds[0];
  if (key.role == Role::analyst && key.recipient.empty()) key.recipient = key.name;
}

// A statement and its values, in order.
class Statement {
 public:
  Statement(sqlite3* database, const char* text) : database_(database) {
    if (sqlite3_prepare_v2(database, text, -1, &statement_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& text(const std::string& value) {
    sqlite3_bind_text(statement_, ++bound_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    return *this;
  }
  Statement& number(std::int64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, value);
    return *this;
  }
  Statement& blob(const KeyDigest& value) {
    sqlite3_bind_blob(statement_, ++bound_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    return *this;
  }
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
    return code == SQLITE_ROW;
  }
  std::string text_at(int column) const {
    const auto* const value = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return value ? std::string(value, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                 : "";
  }
  std::int64_t number_at(int column) const { return sqlite3_column_int64(statement_, column); }
  KeyDigest digest_at(int column) const {
    KeyDigest digest{};
    if (sqlite3_column_bytes(statement_, column) == static_cast<int>(digest.size()))
      std::copy_n(static_cast<const unsigned char*>(sqlite3_column_blob(statement_, column)), digest.size(),
                  digest.begin());
    return digest;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::failed,
                fmt::format("the file of keys cannot be used: {}", sqlite3_errmsg(database_)));
  }
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

constexpr const char* schema =
    "CREATE TABLE IF NOT EXISTS access_key (id TEXT PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, role TEXT NOT NULL, "
    "name TEXT NOT NULL, recipient TEXT NOT NULL, graphs TEXT NOT NULL, seeds TEXT NOT NULL, "
    "every_seed INTEGER NOT NULL, per_minute INTEGER NOT NULL, created TEXT NOT NULL, expires TEXT NOT NULL, "
    "revoked TEXT NOT NULL) STRICT";

}  // namespace

std::string name(Role role) {
  return role == Role::admin ? "admin" : role == Role::analyst ? "analyst" : "owner";
}

Role role_named(const std::string& text) {
  for (const Role role : {Role::admin, Role::analyst, Role::owner})
    if (name(role) == text) return role;
  usage("there is no role '{}'; choose from: admin analyst owner", text);
}

KeyDigest digest_of(std::string_view key) {
  KeyDigest digest;
  SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), digest.data());
  return digest;
}

std::string time_in_days(int days) {
  const auto then = std::chrono::system_clock::now() + std::chrono::days(days);
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(then)));
}

std::string expiry_in_days(std::int64_t days) {
  if (days < 1 || days > 3'650) usage("`days` must be from 1 to 3650");
  return time_in_days(static_cast<int>(days));
}

nlohmann::ordered_json key_json(const AccessKey& key) {
  return {{"id", key.id},
          {"name", key.name},
          {"role", name(key.role)},
          {"recipient", key.recipient},
          {"graphs", key.graphs},
          {"seeds", key.every_seed ? Json("all") : Json(key.seeds)},
          {"per_minute", key.per_minute},
          {"created", key.created},
          {"expires", key.expires},
          {"revoked", key.revoked.empty() ? Json(nullptr) : Json(key.revoked)}};
}

nlohmann::ordered_json new_key_json(const NewKey& made) {
  nlohmann::ordered_json document = key_json(made.made);
  document["key"] = made.key;
  return document;
}

void check_graphs(const AccessKey& key, const std::function<bool(const std::string&)>& has_graph) {
  for (const std::string& graph : key.graphs)
    if (!has_graph(graph)) usage("there is no graph '{}' in this service", graph);
}

bool AccessKey::opens(const std::string& graph) const {
  return role == Role::admin || std::ranges::count(graphs, graph) > 0;
}
bool AccessKey::owns(const std::string& seed) const {
  return role == Role::owner && (every_seed || std::ranges::count(seeds, seed) > 0);
}

struct KeyStore::Impl {
  sqlite3* database = nullptr;
  ~Impl() { sqlite3_close(database); }
};

KeyStore::KeyStore(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  const mode_t before = umask(0077);
  const int code =
      sqlite3_open_v2(path.c_str(), &impl_->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  if (code == SQLITE_OK) sqlite3_exec(impl_->database, "PRAGMA user_version", nullptr, nullptr, nullptr);
  umask(before);
  if (code != SQLITE_OK)
    throw Error(ErrorCode::failed,
                fmt::format("cannot open the file of keys '{}': {}", path.string(), sqlite3_errstr(code)));
  sqlite3_busy_timeout(impl_->database, 5'000);
  Statement(impl_->database, "PRAGMA synchronous=FULL").step();
  Statement(impl_->database, schema).step();
}
KeyStore::~KeyStore() = default;
KeyStore::KeyStore(KeyStore&&) noexcept = default;
KeyStore& KeyStore::operator=(KeyStore&&) noexcept = default;

NewKey KeyStore::add(AccessKey wanted) {
  complete(wanted);
  check(wanted);
  const std::string key = std::string(prefix) + random_hex(key_bytes);
  wanted.id = random_hex(id_bytes);
  wanted.created = time_now();
  wanted.sha256 = digest_of(key);
  Statement(impl_->database, "INSERT INTO access_key VALUES (?,?,?,?,?,?,?,?,?,?,?,'')")
      .text(wanted.id)
      .blob(wanted.sha256)
      .text(service::name(wanted.role))
      .text(wanted.name)
      .text(wanted.recipient)
      .text(Json(wanted.graphs).dump())
      .text(Json(wanted.seeds).dump())
      .number(wanted.every_seed ? 1 : 0)
      .number(wanted.per_minute)
      .text(wanted.created)
      .text(wanted.expires)
      .step();
  return {key, std::move(wanted)};
}

std::vector<AccessKey> KeyStore::all() const {
  std::vector<AccessKey> keys;
  Statement rows(impl_->database,
                 "SELECT id, name, role, recipient, graphs, seeds, every_seed, per_minute, created, expires, "
                 "revoked, sha256 FROM access_key ORDER BY created, id");
  try {
    while (rows.step())
      keys.push_back({rows.text_at(0), rows.text_at(1), role_named(rows.text_at(2)), rows.text_at(3),
                      Json::parse(rows.text_at(4)), Json::parse(rows.text_at(5)), rows.number_at(6) != 0,
                      rows.number_at(7), rows.text_at(8), rows.text_at(9), rows.text_at(10),
                      rows.digest_at(11)});
  } catch (const Json::exception&) {
    throw Error(ErrorCode::failed, "the file of keys cannot be used: a list in it is damaged");
  }
  return keys;
}

bool KeyStore::revoke(const std::string& id) {
  Statement(impl_->database, "UPDATE access_key SET revoked = ? WHERE id = ? AND revoked = ''")
      .text(time_now())
      .text(id)
      .step();
  return sqlite3_changes(impl_->database) == 1;
}

std::int64_t KeyStore::version() const {
  Statement pragma(impl_->database, "PRAGMA data_version");
  return pragma.step() ? pragma.number_at(0) : 0;
}

// All digests are compared, each in constant time, whichever fits.
std::shared_ptr<const AccessKey> KeyRing::find(std::string_view authorization, const std::string& now) const {
  const bool has_key = authorization.starts_with(bearer);
  const KeyDigest given = digest_of(has_key ? authorization.substr(bearer.size()) : std::string_view());
  const AccessKey* found = nullptr;
  for (const AccessKey& key : keys_)
    if (CRYPTO_memcmp(key.sha256.data(), given.data(), given.size()) == 0) found = &key;
  if (!has_key || !found || !found->revoked.empty() || found->expires <= now) return nullptr;
  return std::make_shared<const AccessKey>(*found);
}

}  // namespace hushwalk::service
