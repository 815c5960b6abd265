// A text that may be stopped at any moment and taken up again. It is written in blocks; after each the note
// beside it gets a line with the size so far and a code: HMAC of the code before and the block, under a
// secret. What follows the last block whose code fits is computed again.
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "answer/unfinished.h"
#include "base/fail.h"
#include "base/files.h"
#include "base/json.h"
#include "base/keyed_hash.h"
#include "hushwalk/answer_files.h"
#include "hushwalk/signing.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t block_size = std::size_t{1} << 20;
constexpr std::size_t longest_block = block_size << 10;  // a ranking may be long
constexpr const char* label = "unfinished 1";

// By whose secret codes are made; whoever lacks it cannot make any. Where there is neither a ledger nor a
// signing key nobody vouches for what is written, and codes tell only what a power cut left.
struct Vouching {
  std::shared_ptr<Ledger> ledger;
  const SigningKey* key;
  std::string artefact;

  Sha256 secret() const {
    if (!ledger) return key ? key->derive(label) : sha256(std::as_bytes(std::span(artefact)));
    Ledger::Impl& impl = ledger->impl();
    const std::scoped_lock lock(impl.mutex);
    return ledger::readable([&] {
      const ledger::UsedKey used = impl.use_key();
      return used.master->derive(used.terms.salt, label);
    });
  }
};

class UnfinishedFile final : public AnswerSink {
 public:
  UnfinishedFile(const CheckedRequest& question, const fs::path& path, const UnfinishedOptions& options)
      : path_(path),
        note_path_(path.string() + ".unfinished.json"),
        request_(question.digest()),
        vouching_{question.request().audience.ledger, options.key,
                  question.request().artefact ? question.request().artefact->context().artefact : ""},
        body_(open_unfinished(path.string() + ".unfinished", options.permissions, options.resume)) {}

  ~UnfinishedFile() override {
    try {
      flush();
      if (!committed_ && body_.size() == 0) ::unlink(body_.path().c_str());  // refused before there was any
    } catch (...) {                                                          // what is lost is computed again
      buffer_.clear();
    }
  }

  TakenUp take_up(RankingWriter& writer, std::span<const SeedVector> seeds) override;

  void begin(const std::string& salt) override {
    AnswerSink::begin(salt);
    kept_.assign(1, {0, code({}, request_ + "\n" + salt)});
    write_note();
  }

  void write(std::string_view text) override {
    buffer_ += text;
    if (buffer_.size() >= block_size) flush();
  }

  void commit() override {
    flush();
    body_.sync();
    OutputFile::check(path_, FileKind::text);  // the work may have taken hours
    if (::rename(body_.path().c_str(), path_.c_str()) != 0)
      fail_system("cannot rename the finished file to", path_);
    committed_ = true;
    sync_folder_of(path_);  // some file systems cannot
    ::unlink(note_path_.c_str());
  }

 private:
  struct Block {
    std::uint64_t end = 0;
    Sha256 code = {};
  };

  Sha256 code(std::span<const unsigned char> before, std::string_view text) {
    if (!secret_) secret_ = vouching_.secret();
    HmacSha256 hash(std::as_bytes(std::span(*secret_)));
    hash.add(std::as_bytes(before));
    hash.add(std::as_bytes(std::span(text)));
    return hash.finish();
  }

  static std::string line_of(const Block& block) {
    return Json{{"bytes", block.end}, {"code", to_hex(block.code)}}.dump() + "\n";
  }

  // Anew, with the blocks that are kept.
  void write_note() {
    {
      OutputFile note(note_path_, FileKind::text, {0600, /*exact=*/true}, Links::refuse);
      note.write(Json{{"request", request_}, {"salt", salt_}}.dump() + "\n");
      for (const Block& block : std::span(kept_).subspan(1)) note.write(line_of(block));
      note.commit();
    }
    note_.emplace(note_path_, Permissions{0600, /*exact=*/true}, Links::refuse);
  }

  void add_block(std::uint64_t end, std::string_view text) {
    kept_.push_back({end, code(kept_.back().code, text)});
  }

  void flush() {
    if (buffer_.empty()) return;
    const std::string text = std::exchange(buffer_, {});
    body_.append(text);
    add_block(kept_.back().end + text.size(), text);
    note_->append(line_of(kept_.back()));
  }

  // The blocks of an earlier run that stand as they were written; whether there are others.
  bool find_blocks();

  fs::path path_, note_path_;
  std::string request_, buffer_;
  Vouching vouching_;
  std::optional<Sha256> secret_ = {};  // when it is needed, after the charge
  std::vector<Block> kept_ = {};
  GrowingFile body_;
  std::optional<GrowingFile> note_ = {};
  bool committed_ = false;
};

bool UnfinishedFile::find_blocks() {
  std::string note;
  try {
    note = GrowingFile(note_path_, {0600, true}, Links::refuse).read_all();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::failed) throw;
    fail_another_request(note_path_);
  }
  std::size_t at = 0;
  const auto next_line = [&] {
    const std::size_t end = note.find('\n', at);
    if (end == note.npos) return Json();
    const Json line = Json::parse(note.substr(at, end - at), nullptr, false);
    at = end + 1;
    return line.is_object() ? line : Json();
  };
  const Json head = next_line();
  if (head.is_null() || head.value("request", Json()) != request_) fail_another_request(note_path_);
  const Json salt = head.value("salt", Json());
  salt_ = salt.is_string() ? salt.get<std::string>() : "";
  kept_.assign(1, {0, code({}, request_ + "\n" + salt_)});
  const std::uint64_t size = body_.size();
  for (Json line = next_line(); !line.is_null(); line = next_line()) {
    const Json end = line.value("bytes", Json());
    const std::uint64_t begin = kept_.back().end;
    if (!end.is_number_unsigned() || end <= begin || end > size || end > begin + longest_block) return true;
    const std::string text = body_.read(begin, end.get<std::uint64_t>() - begin);
    add_block(end, text);
    if (line.value("code", Json()) != to_hex(kept_.back().code)) {
      kept_.pop_back();
      return true;
    }
  }
  return false;
}

TakenUp UnfinishedFile::take_up(RankingWriter& writer, std::span<const SeedVector> seeds) {
  TakenUp taken;
  if (body_.size() == 0) return taken;
  std::error_code none;
  // There is a note before there is a text: what stands there without one is somebody else's.
  if (!fs::exists(fs::symlink_status(note_path_, none))) fail_another_request(body_.path());
  taken.altered = find_blocks();
  const std::uint64_t end = kept_.empty() ? 0 : kept_.back().end;
  const std::string begin = writer.begin();
  std::uint64_t at = begin.size();
  std::size_t window = block_size;
  while (at < end && window <= longest_block) {
    const std::string text = body_.read(at, std::min<std::uint64_t>(window, end - at));
    const auto found = writer.take_up(text, seeds.subspan(taken.rankings), salt_);
    at += found.bytes;
    taken.rankings += found.rankings;
    if (found.rankings > 0) continue;
    if (text.size() < window) break;
    window *= 2;
  }
  if (taken.rankings == 0) {
    body_.cut(0);
    return taken;
  }
  while (kept_.back().end > at) kept_.pop_back();
  if (const std::uint64_t from = kept_.back().end; from < at) add_block(at, body_.read(from, at - from));
  body_.cut(at);
  write_note();
  return taken;
}

}  // namespace

GrowingFile open_unfinished(const fs::path& path, Permissions permissions, bool resume) {
  // Never through a link, which somebody else may have put there.
  GrowingFile file(path, permissions, Links::refuse);
  if (!file.mine()) fail("cannot write '{}': another run is writing it", path.string());
  if (!resume && file.size() > 0)
    fail("cannot write '{}': it is of a run that was stopped: go on with `resume`, or remove it",
         path.string());
  return file;
}

void fail_another_request(const fs::path& path) {
  fail(
      "'{}' is of another request (of other seeds or parameters, another graph, ledger or epoch of it, artefact or version): go on with that one, or remove the file",
      path.string());
}

std::unique_ptr<AnswerSink> unfinished_file(const CheckedRequest& question, const fs::path& path,
                                            const UnfinishedOptions& options) {
  return std::make_unique<UnfinishedFile>(question, path, options);
}

}  // namespace hushwalk
