// Answers into files: one text with all rankings, or a folder with a file for each; and long runs, which may
// be stopped at any moment and taken up again.
//
//   CheckedRequest question(graph, request);
//   const auto file = unfinished_file(question, "all.jsonl", {.resume = true});
//   AnswerSource answers = ask(std::move(question));
//   write_answers(answers, *json_lines_ranking_writer(answers.head()), *file);
//   file->commit();
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/answer.h"
#include "hushwalk/codec.h"
#include "hushwalk/output_file.h"

namespace hushwalk {

// What an earlier run left.
struct TakenUp {
  std::size_t rankings = 0;  // how many of it are kept
  bool altered = false;      // more was there, which is not what was written: it is computed again
};

// Where one text with all rankings goes. For one thread.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;

  // Once, before anything is written; the writer takes what an earlier run left for written by itself.
  virtual TakenUp take_up(RankingWriter&, std::span<const SeedVector>) { return {}; }
  // The salt of the file: given before anything is written, and known afterwards.
  virtual void begin(const std::string& salt) { salt_ = salt; }
  const std::string& salt() const noexcept { return salt_; }
  virtual void write(std::string_view text) = 0;
  // One ranking, as the writer wrote it.
  virtual void write_ranking(const Ranking&, std::string_view text) { write(text); }
  virtual void commit() = 0;

 protected:
  AnswerSink() = default;
  std::string salt_;
};

// F.unfinished, which becomes F in commit(). F.unfinished.json beside it says of which request it is, and has
// codes by which what stands in F.unfinished is known to be this request's: under a secret of the ledger, or
// of the signing key, so that nothing that somebody else put there is ever signed. Whatever stops the run,
// whole rankings stay good.
//
// Error{failed} when there is one already and it is not to be taken up, is of another request, or somebody
// else is writing it; Error{refused} as CheckedRequest::digest(). `key` must outlive the sink.
struct UnfinishedOptions {
  bool resume = false;
  Permissions permissions = {};
  const SigningKey* key = nullptr;  // that will sign
};
std::unique_ptr<AnswerSink> unfinished_file(const CheckedRequest& question, const std::filesystem::path& path,
                                            const UnfinishedOptions& options);

// All rankings as one text, begun when there is a first answer, and what the writer ends it with; does not
// commit. `taken_up` is told of an earlier run's, if there are any.
struct WrittenAnswers {
  std::optional<IssuedCertificate> certificate;
  bool estimated_anew = false;  // the scores of some; see LedgerAnswer
};
WrittenAnswers write_answers(AnswerSource& answers, RankingWriter& writer, AnswerSink& sink,
                             const SigningKey* key = nullptr,
                             const std::function<void(const TakenUp&)>& taken_up = {},
                             const Progress& progress = {});

// The certificate of a CSV file stands beside it (certificate_beside()), and so does the salt of its hash:
// whoever has the certificate alone must not be able to test guesses of the answer.
void write_beside(const std::filesystem::path& csv, const IssuedCertificate& certificate,
                  const std::string& salt, Permissions permissions);

// A name that every file system takes and, where capitals count, no two seeds share: letters, digits, '-',
// '_' and inner dots stay, all other bytes are written as %XX.
std::string file_name_of(std::string_view seed, Node node);

// A folder, made for its owner only where it is not there, with a JSON file for each seed, for its recipient
// alone. For one thread.
class AnswerFolder {
 public:
  // Error before there are answers when one of the files could not be written, or would take the place of one
  // of the inputs; else as unfinished_file(), where the request can be taken up again.
  AnswerFolder(std::filesystem::path folder, const CheckedRequest& question,
               const std::vector<std::string>& inputs, bool resume = false);
  ~AnswerFolder();
  // All rankings, in the order of the seeds.
  void write(AnswerSource& answers, const SigningKey* key = nullptr,
             const std::function<void(const TakenUp&)>& taken_up = {}, const Progress& progress = {});
  // Seed and file of each that is there.
  const std::vector<std::pair<std::string, std::string>>& files() const noexcept { return files_; }

 private:
  std::filesystem::path path_of(const SeedVector& seed) const;
  void add(const SeedVector& seed);

  std::filesystem::path folder_;
  RankingHead head_;
  std::vector<std::pair<std::string, std::string>> files_;
  class Log;
  std::unique_ptr<Log> log_;
};

}  // namespace hushwalk
