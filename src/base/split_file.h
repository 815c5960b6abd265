// A file that is cut into several: a folder with the files part-0, part-1, …, whose bytes one after another
// are those of the file. All but the last are equally long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"

namespace hushwalk {

// Parts are multiples of it, so that they can be mapped one behind the other whatever the pages of the
// system.
inline constexpr std::uint64_t part_unit = std::uint64_t{1} << 16;
inline constexpr std::size_t most_parts = 256;  // each is open as long as the file is

std::string part_name(std::size_t number);

// A folder that holds nothing but files that are called like parts, the first among them.
bool holds_only_parts(const std::filesystem::path& folder);

// All parts of a folder, to be read; a file is its own only part. Error{failed} when one is missing, is no
// file of its own (a link, a pipe, …) or has another size than it must, or when there is anything else.
std::vector<FilePart> open_parts(const std::filesystem::path& path);

// What everybody may do with the folder and with all of its parts, as permissions of a file; none where the
// folder is another user's.
std::optional<unsigned> permissions_of_parts(const std::filesystem::path& folder);

// Removes files that are called like parts, and the folder if nothing is left in it.
void remove_parts(const std::filesystem::path& folder) noexcept;

// Renames a file, or a folder of parts, to a name that may belong to either; what was there is removed. On
// file systems that cannot exchange names, nothing has the name for a moment. False, with the reason in
// errno.
bool put_in_place(const std::filesystem::path& from, const std::filesystem::path& to);

// A file that is written, in one part or in several. Errors name the part.
class SplitFile {
 public:
  // `path` is what messages call it; the parts are in it if `in_folder`.
  SplitFile(std::filesystem::path path, bool in_folder, std::vector<FileHandle> files,
            std::uint64_t part_size);

  std::size_t parts() const noexcept { return files_.size(); }
  int file(std::size_t part) const noexcept { return files_[part].get(); }
  std::uint64_t part_size() const noexcept { return part_size_; }
  std::filesystem::path path(std::size_t part) const;

  // The permissions that finish() gives; until then only the owner has any, who must be able to open it
  // again. Whether it is an error when they cannot be given.
  void set_permissions(unsigned bits, bool must);
  void finish() const;  // all bytes have reached the disk, too

  // Cuts it into parts of equal size; files that are not needed are closed.
  void set_size(std::uint64_t size);
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  void sync() const;

 private:
  std::filesystem::path path_;
  bool in_folder_;
  std::vector<FileHandle> files_;
  std::uint64_t part_size_;
  std::optional<unsigned> permissions_;
  bool must_have_permissions_ = false;
};

}  // namespace hushwalk
