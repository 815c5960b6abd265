// The secret from which all randomness of one release comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hushwalk {

// 256 bits, wiped when no longer needed. The same key, plan and graph give the same release, so whoever has
// it can take the noise away again: it is neither copied nor printed, and a forked child, which would draw
// the noise of its parent once more, may not use it. Threads may share one.
class ReleaseKey {
 public:
  static constexpr std::size_t size = 32;
  using Bytes = std::span<const std::byte, size>;

  // From the operating system; Error{failed} when it gives none.
  static ReleaseKey fresh();

  // A key that is known already: derived by a ledger, or received from another process of the same job.
  explicit ReleaseKey(Bytes bytes);

  ~ReleaseKey();
  ReleaseKey(ReleaseKey&& other) noexcept;
  ReleaseKey& operator=(ReleaseKey&& other) noexcept;
  ReleaseKey(const ReleaseKey&) = delete;
  ReleaseKey& operator=(const ReleaseKey&) = delete;

  // Another key for each label (at most 16 characters) and numbers, by HKDF with SHA-256 (RFC 5869). Like
  // secret_bytes(), Error{failed} in a forked child.
  ReleaseKey derive(std::string_view label, const std::array<std::uint64_t, 3>& numbers) const;

  // For ciphers and for the other processes of one job; never for any output.
  Bytes secret_bytes() const;

 private:
  ReleaseKey();

  std::array<std::byte, size> bytes_;
  std::uint64_t generation_;  // of forks, in which it was made
};

}  // namespace hushwalk
