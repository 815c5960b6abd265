#include "hushwalk/signing.h"

#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/among_parts.h"
#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/keyed_hash.h"
#include "plan/certificate.h"

namespace hushwalk {
namespace {

constexpr std::string_view issuer_line = "issuer: ";  // before the PEM text, which readers of PEM skip
constexpr std::size_t signature_size = 64;

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

Bio bio_of(std::string_view text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

std::string text_of(const Bio& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

bool is_ed25519(const Key& key) { return key && EVP_PKEY_get_id(key.get()) == EVP_PKEY_ED25519; }

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

void check_issuer(const std::string& issuer) {
  if (issuer.empty() || !is_recipient_name(issuer))
    fail_usage("the name of an issuer is printable text of at most {} bytes, with no blank at its ends",
               longest_recipient_name);
}

}  // namespace

struct SigningKey::Impl {
  Key key;
  std::string issuer;
};

SigningKey::SigningKey(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SigningKey::~SigningKey() = default;
SigningKey::SigningKey(SigningKey&&) noexcept = default;
namespace {

// Keys that are encrypted are not read: OpenSSL would ask whoever is at the terminal.
int no_pass_phrase(char*, int, int, void*) { return -1; }

}  // namespace

const std::string& SigningKey::issuer() const noexcept { return impl_->issuer; }

SigningKey SigningKey::make(const std::string& issuer) {
  check_issuer(issuer);
  Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  if (!is_ed25519(key)) fail("OpenSSL makes no Ed25519 key");
  return SigningKey(std::make_unique<Impl>(Impl{std::move(key), issuer}));
}

SigningKey SigningKey::open(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) fail_system("cannot read", path);
  if ((status.st_mode & 077) != 0)
    fail("the signing key '{}' may be read by others than its owner; make it private (mode 600)",
         path.string());
  const std::string text = read_whole_file(path);
  Key key(PEM_read_bio_PrivateKey(bio_of(text).get(), nullptr, no_pass_phrase, nullptr), EVP_PKEY_free);
  const std::size_t line_end = text.find('\n');
  if (!is_ed25519(key) || !text.starts_with(issuer_line) || line_end == text.npos)
    fail("'{}' is not a signing key; keys new makes one", path.string());
  std::string issuer = text.substr(issuer_line.size(), line_end - issuer_line.size());
  check_issuer(issuer);
  return SigningKey(std::make_unique<Impl>(Impl{std::move(key), std::move(issuer)}));
}

void SigningKey::save(const std::filesystem::path& path) const {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (PEM_write_bio_PrivateKey(bio.get(), impl_->key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    fail("OpenSSL writes no key");
  const std::string text = fmt::format("{}{}\n{}", issuer_line, impl_->issuer, text_of(bio));
  check_not_of_database(path);
  check_not_among_parts(path);
  const FileHandle file(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  if (file.get() < 0 && errno == EEXIST) fail("'{}' exists; a key is never replaced", path.string());
  if (file.get() < 0) fail_system("cannot write", path);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fsync(file.get()) != 0) {
    const int reason = errno;
    ::unlink(path.c_str());  // half a key
    errno = reason;
    fail_system("cannot write", path);
  }
}

std::string SigningKey::public_key() const {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (PEM_write_bio_PUBKEY(bio.get(), impl_->key.get()) != 1) fail("OpenSSL writes no key");
  return text_of(bio);
}

std::string SigningKey::sign(std::string_view message) const {
  std::array<unsigned char, signature_size> signature{};
  std::size_t size = signature.size();
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, impl_->key.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, raw(message), message.size()) != 1 ||
      size != signature.size())
    fail("OpenSSL signs nothing");
  return to_hex(signature);
}

std::array<unsigned char, 32> SigningKey::derive(std::string_view purpose) const {
  constexpr std::string_view salt = "hushwalk signing key 1";
  std::array<unsigned char, 32> secret{};
  std::size_t size = secret.size();
  if (EVP_PKEY_get_raw_private_key(impl_->key.get(), secret.data(), &size) != 1 || size != secret.size())
    fail("OpenSSL gives no key");
  const Sha256 derived =
      hkdf_sha256(std::as_bytes(std::span(secret)), std::as_bytes(std::span(salt)), purpose);
  OPENSSL_cleanse(secret.data(), secret.size());
  return derived;
}

bool signed_by(const std::string& public_key, std::string_view message, const std::string& signature) {
  std::array<unsigned char, signature_size> bytes{};
  from_hex(signature, bytes, "a signature");
  const Key key(PEM_read_bio_PUBKEY(bio_of(public_key).get(), nullptr, no_pass_phrase, nullptr),
                EVP_PKEY_free);
  if (!is_ed25519(key)) fail("the public key is not an Ed25519 key in PEM");
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes.data(), bytes.size(), raw(message), message.size()) == 1;
}

}  // namespace hushwalk
