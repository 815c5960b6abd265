#include "hushwalk/answer_files.h"

#include <utility>

#include "base/fail.h"
#include "base/phase.h"
#include "hushwalk/verify.h"

namespace hushwalk {

WrittenAnswers write_answers(AnswerSource& answers, RankingWriter& writer, AnswerSink& sink,
                             const SigningKey* key, const std::function<void(const TakenUp&)>& taken_up,
                             const Progress& progress) {
  const TakenUp taken = sink.take_up(writer, answers.seeds());
  if (taken_up && (taken.rankings > 0 || taken.altered)) taken_up(taken);
  WrittenAnswers written;
  bool begun = taken.rankings > 0;  // nothing is written before there is an answer
  answers.each(
      [&](const Ranking& ranking) {
        if (!std::exchange(begun, true)) {
          sink.begin(ranking.salt_of_file());
          sink.write(writer.begin());
        }
        const Phase phase("writing");
        written.estimated_anew = written.estimated_anew || ranking.estimated_anew;
        sink.write_ranking(ranking, writer.ranking(ranking));
      },
      progress, taken.rankings);
  written.certificate = answers.certificate(writer.shown(), key);
  sink.write(writer.end(written.certificate));
  return written;
}

void write_beside(const std::filesystem::path& csv, const IssuedCertificate& certificate,
                  const std::string& salt, Permissions permissions) {
  const auto write = [&](const std::filesystem::path& path, const std::string& text) {
    OutputFile file(path, FileKind::text, permissions);
    file.write(text + "\n");
    file.commit();
  };
  write(certificate_beside(csv), certificate.json);
  if (!salt.empty()) write(salt_beside(csv), salt);
}

}  // namespace hushwalk
