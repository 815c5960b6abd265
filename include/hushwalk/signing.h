// Keys that sign certificates: Ed25519 (RFC 8032), by OpenSSL. Such a key has nothing to do with the key of a
// ledger: it says who issued a certificate, and may be given to whoever may say so.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace hushwalk {

// Immutable: any number of threads may sign with one.
class SigningKey {
 public:
  // A new key for an issuer, whose name is shown in certificates. Error{usage} when the name is not
  // printable.
  static SigningKey make(const std::string& issuer);
  // Error{failed} when the file is no such key, or may be read by others than its owner.
  static SigningKey open(const std::filesystem::path& path);
  ~SigningKey();
  SigningKey(SigningKey&&) noexcept;

  // Makes the file, readable by its owner only. Error{failed} when there is one already.
  void save(const std::filesystem::path& path) const;
  const std::string& issuer() const noexcept;
  std::string public_key() const;                    // PEM
  std::string sign(std::string_view message) const;  // 128 hex digits
  // A secret for another purpose than signing, by HKDF: tells nothing of this key.
  std::array<unsigned char, 32> derive(std::string_view purpose) const;

  struct Impl;

 private:
  explicit SigningKey(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Whether the key, as PEM, signed it. Nothing in the arguments is trusted.
bool signed_by(const std::string& public_key, std::string_view message, const std::string& signature);

}  // namespace hushwalk
