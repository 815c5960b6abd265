// Bytes of a file or of standard input, decompressed when their first bytes say they are compressed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace hushwalk {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `buffer` from the front and returns how much; less than its size only at the end.
  // Error{failed} when the input cannot be read or its compression is damaged or cut short.
  virtual std::size_t read(std::span<char> buffer) = 0;

  // The part of the (compressed) input that has been consumed, in [0, 1], or negative when unknown.
  virtual double fraction() const = 0;
};

// gzip, zstd and xz by content. "-" is standard input. A graph file and formats we do not read are refused.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path);

// How messages call the input.
std::string display_name(const std::filesystem::path& path);

}  // namespace hushwalk
