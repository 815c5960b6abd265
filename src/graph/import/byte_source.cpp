#include "graph/import/byte_source.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/files.h"
#include "graph/graph_file.h"

namespace hushwalk {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t input_size = std::size_t{1} << 18;
constexpr std::uint64_t xz_memory_limit = std::uint64_t{1} << 30;  // far above what `xz -9` needs

// The bytes as they lie on the disk, with a look ahead.
class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::filesystem::path& path)
      : name_(display_name(path)),
        file_(path == "-" ? FileHandle(dup(STDIN_FILENO)) : open_for_reading(path)) {
    struct stat status{};
    if (fstat(file_.get(), &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::uint64_t>(status.st_size);
    ahead_.resize(16);
    ahead_.resize(read_file(ahead_));
  }

  std::string_view start() const { return {ahead_.data(), ahead_.size()}; }
  const std::string& name() const { return name_; }

  std::size_t read(std::span<char> buffer) override {
    const std::size_t early = std::min(buffer.size(), ahead_.size());
    std::copy_n(ahead_.begin(), early, buffer.begin());
    ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(early));
    return early + read_file(buffer.subspan(early));
  }

  double fraction() const override {
    return size_ == 0 ? -1 : std::min(1.0, static_cast<double>(consumed_) / static_cast<double>(size_));
  }

 private:
  std::size_t read_file(std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      const ssize_t got = ::read(file_.get(), buffer.data() + filled, buffer.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read {}: {}", name_, std::strerror(errno));
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    consumed_ += filled;
    return filled;
  }

  std::string name_;
  FileHandle file_;
  std::uint64_t size_ = 0;
  std::uint64_t consumed_ = 0;
  std::vector<char> ahead_;
};

// What the three decompressors share: an input buffer, and the loop that fills the caller's.
class Decompressor : public ByteSource {
 public:
  explicit Decompressor(std::unique_ptr<PlainSource> source)
      : source_(std::move(source)), buffer_(input_size) {}

  std::size_t read(std::span<char> out) override {
    std::size_t filled = 0;
    while (filled < out.size() && !done_) {
      if (input_.empty() && !at_end_) {
        input_ = std::span(buffer_).first(source_->read(buffer_));
        at_end_ = input_.empty();
      }
      filled += decode(out.subspan(filled));
    }
    return filled;
  }

  double fraction() const override { return source_->fraction(); }

 protected:
  // Consumes some of input_, returns how much of `out` was filled, sets done_ at the end of the data.
  // With at_end_ and no progress possible it must throw.
  virtual std::size_t decode(std::span<char> out) = 0;

  [[noreturn]] void truncated() const {
    fail("{} is truncated: its compressed data end too early", source_->name());
  }
  [[noreturn]] void damaged(std::string_view why) const {
    fail("{} is damaged: its compressed data cannot be read ({})", source_->name(), why);
  }

  std::span<char> input_;
  bool at_end_ = false;
  bool done_ = false;

 private:
  std::unique_ptr<PlainSource> source_;
  std::vector<char> buffer_;
};

class GzipSource : public Decompressor {
 public:
  explicit GzipSource(std::unique_ptr<PlainSource> source) : Decompressor(std::move(source)) {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) fail("cannot start zlib");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  std::size_t decode(std::span<char> out) override {
    if (at_end_) {
      if (!between_members_) truncated();
      done_ = true;
      return 0;
    }
    if (std::exchange(between_members_, false)) inflateReset(&stream_);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(input_.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    const auto room = static_cast<uInt>(std::min(out.size(), std::size_t{1} << 30));
    stream_.avail_out = room;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) damaged(stream_.msg != nullptr ? stream_.msg : "gzip");
    input_ = input_.last(stream_.avail_in);
    between_members_ = status == Z_STREAM_END;
    return room - stream_.avail_out;
  }

  z_stream stream_{};
  bool between_members_ = false;
};

class ZstdSource : public Decompressor {
 public:
  explicit ZstdSource(std::unique_ptr<PlainSource> source)
      : Decompressor(std::move(source)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (!stream_) fail("cannot start zstd");
  }

 private:
  std::size_t decode(std::span<char> out) override {
    ZSTD_inBuffer in{input_.data(), input_.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(stream_.get(), &to, &in);
    if (ZSTD_isError(hint) != 0) damaged(ZSTD_getErrorName(hint));
    const bool progress = in.pos > 0 || to.pos > 0;
    if (progress) between_frames_ = hint == 0;
    if (at_end_ && to.pos == 0) {
      if (!between_frames_) truncated();
      done_ = true;
    }
    input_ = input_.subspan(in.pos);
    return to.pos;
  }

  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool between_frames_ = false;
};

class XzSource : public Decompressor {
 public:
  explicit XzSource(std::unique_ptr<PlainSource> source) : Decompressor(std::move(source)) {
    if (lzma_stream_decoder(&stream_, xz_memory_limit, LZMA_CONCATENATED) != LZMA_OK)
      fail("cannot start liblzma");
  }
  ~XzSource() override { lzma_end(&stream_); }

 private:
  std::size_t decode(std::span<char> out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
    stream_.avail_in = input_.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, at_end_ ? LZMA_FINISH : LZMA_RUN);
    if (status == LZMA_BUF_ERROR) truncated();
    if (status == LZMA_MEMLIMIT_ERROR) damaged("it needs more than 1 GiB to decompress");
    if (status != LZMA_OK && status != LZMA_STREAM_END) damaged("xz");
    input_ = input_.last(stream_.avail_in);
    done_ = status == LZMA_STREAM_END;
    return out.size() - stream_.avail_out;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

void refuse_unreadable(const PlainSource& source) {
  const std::string_view start = source.start();
  if (looks_like_graph_file(std::as_bytes(std::span(start))))
    fail_usage(
        "{} is a graph file already, not a text; give its name where a graph is wanted (it cannot come "
        "through a pipe)",
        source.name());
  if (start.starts_with("BZh"))
    fail("{} is compressed with bzip2, which is not read; try: bzcat FILE, and import what it prints",
         source.name());
  if (start.starts_with("PK\x03\x04"))
    fail("{} is a zip archive; try: unzip -p FILE, and import what it prints", source.name());
  if (start.starts_with("\xFF\xFE"sv) || start.starts_with("\xFE\xFF"sv))
    fail("{} is UTF-16 text; try: iconv -f UTF-16 -t UTF-8 FILE, and import what it prints", source.name());
}

}  // namespace

std::string display_name(const std::filesystem::path& path) {
  return path == "-" ? "standard input" : fmt::format("'{}'", path.string());
}

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path) {
  auto plain = std::make_unique<PlainSource>(path);
  refuse_unreadable(*plain);
  const std::string_view start = plain->start();
  if (start.starts_with("\x1F\x8B"sv)) return std::make_unique<GzipSource>(std::move(plain));
  if (start.starts_with("\x28\xB5\x2F\xFD"sv)) return std::make_unique<ZstdSource>(std::move(plain));
  if (start.starts_with("\xFD"
                        "7zXZ\0"sv))
    return std::make_unique<XzSource>(std::move(plain));
  return plain;
}

}  // namespace hushwalk
