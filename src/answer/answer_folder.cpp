// A folder with a file for each answer.
#include <unistd.h>

#include <cctype>
#include <utility>

#include "answer/unfinished.h"
#include "base/fail.h"
#include "hushwalk/answer_files.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 200;  // most file systems take 255 bytes, with the ending

}  // namespace

std::string file_name_of(std::string_view seed, Node node) {
  std::string name;
  for (const unsigned char c : seed) {
    const bool plain =
        c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || (c == '.' && !name.empty()));
    name += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  // No other name has a tilde.
  return name.size() <= longest_name ? name : fmt::format("{}~{}", name.substr(0, longest_name), node);
}

// .hushwalk-unfinished: the request, and a line for each file that is there.
class AnswerFolder::Log {
 public:
  Log(const fs::path& folder, const std::string& request, bool resume)
      : folder_(folder),
        file_(open_unfinished(folder / ".hushwalk-unfinished", {0600, true}, resume)),
        head_(request + "\n"),
        text_(file_.read_all()),
        end_(text_.empty() ? 0 : head_.size()) {
    if (!text_.empty() && !text_.starts_with(head_)) fail_another_request(file_.path());
  }
  ~Log() {
    if (!begun_ && text_.empty()) remove();  // refused before there was anything
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Whether this one comes next in the list, and is there.
  bool has_next(const std::string& name) {
    std::error_code none;
    if (!std::string_view(text_).substr(end_).starts_with(name + "\n") ||
        !fs::is_regular_file(fs::symlink_status(folder_ / name, none)))
      return false;
    end_ += name.size() + 1;
    return true;
  }
  // Drops the rest of the list; whether it had any.
  bool begin() {
    begun_ = true;
    text_.empty() ? file_.append(head_) : file_.cut(end_);
    return text_.find('\n', end_) != text_.npos;
  }
  void add(const std::string& name) { file_.append(name + "\n"); }
  void remove() { ::unlink(file_.path().c_str()); }

 private:
  fs::path folder_;
  GrowingFile file_;
  std::string head_, text_;
  std::size_t end_;
  bool begun_ = false;
};

AnswerFolder::AnswerFolder(fs::path folder, const CheckedRequest& question,
                           const std::vector<std::string>& inputs, bool resume)
    : folder_(std::move(folder)), head_(question.head()) {
  const std::vector<SeedVector>& seeds = question.request().seeds;
  const std::string request =
      resume || (question.can_be_taken_up() && seeds.size() > 1) ? question.digest() : "";
  make_folder(folder_, /*for_owner_only=*/true);
  for (const SeedVector& seed : seeds) {
    const fs::path path = path_of(seed);
    check_not_replaced(inputs, path);
    OutputFile::check(path, FileKind::text, Links::refuse);
  }
  if (!request.empty()) log_ = std::make_unique<Log>(folder_, request, resume);
}

AnswerFolder::~AnswerFolder() = default;

fs::path AnswerFolder::path_of(const SeedVector& seed) const {
  if (head_.seed_sets) return folder_ / "seed-set.json";
  const Node node = seed.entries()[0].first;
  return folder_ / (file_name_of(head_.nodes.name(node), node) + ".json");
}

void AnswerFolder::add(const SeedVector& seed) {
  files_.emplace_back(seed_name(head_, seed), path_of(seed).string());
}

void AnswerFolder::write(AnswerSource& answers, const SigningKey* key,
                         const std::function<void(const TakenUp&)>& taken_up, const Progress& progress) {
  TakenUp taken;
  if (log_) {
    for (const SeedVector& seed : answers.seeds()) {
      if (!log_->has_next(path_of(seed).filename().string())) break;
      add(seed);
    }
    taken = {files_.size(), log_->begin()};
  }
  if (taken_up && (taken.rankings > 0 || taken.altered)) taken_up(taken);
  answers.each(
      [&](const Ranking& ranking) {
        const auto writer = json_ranking_writer(head_);
        const std::string start = writer->begin() + writer->ranking(ranking);
        const fs::path path = path_of(ranking.seed);
        OutputFile file(path, FileKind::text, {0600, /*exact=*/true}, Links::refuse);
        file.write(start + writer->end(answers.certificate(writer->shown(), key, files_.size())));
        file.commit();
        add(ranking.seed);
        if (log_) log_->add(path.filename().string());
      },
      progress, taken.rankings);
  if (log_) log_->remove();
}

}  // namespace hushwalk
