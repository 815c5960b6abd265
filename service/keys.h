// Who may ask: keys with a role each. What is kept of a key is its SHA-256; the key is shown once.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hushwalk::service {

enum class Role {
  admin,    // sees graphs, ledgers and keys, and asks nothing
  analyst,  // asks in edge scope, on the account of its recipient
  owner,    // asks in personalized scope, for its own seeds
};
std::string name(Role role);
Role role_named(const std::string& name);  // Error{usage}

using KeyDigest = std::array<unsigned char, 32>;
KeyDigest digest_of(std::string_view key);

struct AccessKey {
  std::string id = {};    // 16 hex digits, no secret
  std::string name = {};  // whose it is, for people
  Role role = Role::owner;
  std::string recipient = {};              // whose account of a ledger pays; none for an admin
  std::vector<std::string> graphs = {};    // that it opens; an admin opens all
  std::vector<std::string> seeds = {};     // of an owner
  bool every_seed = false;                 // of the demonstration's owner
  std::int64_t per_minute = 120;           // requests
  std::string created = {}, expires = {};  // as in 2026-01-31T12:00:00Z
  std::string revoked = {};                // when; empty: it is not
  KeyDigest sha256 = {};

  bool opens(const std::string& graph) const;
  bool owns(const std::string& seed) const;
};

// All that may be shown of it.
nlohmann::ordered_json key_json(const AccessKey& key);

// Times as in an AccessKey compare as texts do.
std::string time_in_days(int days);
// When a key ends that is made now. Error{usage} unless it is 1 to 3650 days.
std::string expiry_in_days(std::int64_t days);
inline constexpr std::int64_t default_days = 90;

// Error{usage} when it opens a graph that the service does not have.
void check_graphs(const AccessKey& key, const std::function<bool(const std::string&)>& has_graph);

struct NewKey {
  std::string key;  // to be shown once
  AccessKey made;
};
nlohmann::ordered_json new_key_json(const NewKey& made);  // with the key

// A file of keys, on SQLite. One thread at a time may use an object, any number of processes the file.
class KeyStore {
 public:
  // Makes the file where there is none, for its owner only. Error{failed} when it cannot be used.
  explicit KeyStore(const std::filesystem::path& path);
  ~KeyStore();
  KeyStore(KeyStore&&) noexcept;
  KeyStore& operator=(KeyStore&&) noexcept;

  // Takes role, names, graphs, seeds, rate and expiry; completes the recipient of an owner of one seed.
  // Error{usage} when they do not fit together.
  NewKey add(AccessKey wanted);
  std::vector<AccessKey> all() const;
  bool revoke(const std::string& id);  // false when there is no such key that is not revoked
  // A number that differs whenever another process has changed the file.
  std::int64_t version() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// All keys that are valid, in memory, found in a time that says nothing about them.
class KeyRing {
 public:
  explicit KeyRing(std::vector<AccessKey> keys = {}) : keys_(std::move(keys)) {}
  // Of a header "Bearer KEY"; none when it is no key, or one that has ended.
  std::shared_ptr<const AccessKey> find(std::string_view authorization, const std::string& now) const;

 private:
  std::vector<AccessKey> keys_;
};

}  // namespace hushwalk::service
