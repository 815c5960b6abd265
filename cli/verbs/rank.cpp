#include <memory>

#include "answer_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

std::unique_ptr<RankingWriter> make_writer(const std::string& format, RankingHead head) {
  if (format == "json") return json_ranking_writer(std::move(head));
  return format == "csv" ? csv_ranking_writer(std::move(head)) : table_ranking_writer(std::move(head));
}

void write_beside(const AnswerFlags& flags, const std::filesystem::path& path, const std::string& text) {
  Output file(path.string(), flags.permissions);
  file.write(text + "\n");
  file.commit();
}

// The salt stands apart: whoever has the certificate alone must not be able to test guesses of the answer.
void put_certificate_beside(const AnswerFlags& flags, const IssuedCertificate& certificate,
                            const std::string& salt) {
  if (flags.output.value_or("-") == "-") return notice("{}", certificate.text);
  write_beside(flags, certificate_beside(*flags.output), certificate.json);
  if (!salt.empty()) write_beside(flags, salt_beside(*flags.output), salt);
  notice("the certificate is in '{}'", certificate_beside(*flags.output).string());
}

void run(const AnswerFlags& flags, const Common& common) {
  AnswerRequest request = flags.checked(common);
  const Progress progress = progress_bar();
  const Graph graph = flags.open(progress);
  request = flags.completed(std::move(request), graph);
  if (flags.exact)
    notice("exact answer, NOT private: it depends on secret edges and is for the custodian only");
  Output output(flags.output, flags.permissions);
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  std::optional<SigningKey> key;
  if (flags.signing_key && format == "table")
    notice("a table is not signed; --format json and csv are");
  else if (flags.signing_key)
    key.emplace(SigningKey::open(*flags.signing_key));
  request.to_be_signed = key.has_value();
  AnswerSource answers = ask(graph, request, progress);
  if (!flags.exact && !flags.shared && !flags.audience.ledger) notice("{}", no_ledger);
  say_charged(answers.charged());
  const auto writer = make_writer(format, {graph.node_list(), !flags.exact, answers.old_certificate(),
                                           request.release.diffusion, flags.seeds.seed_set.has_value()});
  bool begun = false, anew = false;  // nothing is printed before there is an answer
  std::string salt;
  answers.each(
      [&](const Ranking& ranking) {
        if (!std::exchange(begun, true)) {
          salt = ranking.salt;
          output.write(writer->begin());
        }
        anew = anew || ranking.estimated_anew;
        output.write(writer->ranking(ranking));
      },
      progress);
  if (anew)
    notice("estimated anew: the released numbers are those of the first time, their scores may differ");
  const auto certificate = answers.certificate(writer->shown(), key ? &*key : nullptr);
  output.write(writer->end(certificate));
  if (format == "csv" && certificate) put_certificate_beside(flags, *certificate, salt);
  output.commit();
}

}  // namespace

void add_rank(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<AnswerFlags>();
  flags->add_to(*add_verb(app, common, "rank", "Rank the nodes that matter most to a node",
                          "hushwalk rank friends.hwg --seed 17 --epsilon 1 --top 10",
                          [flags, &common] { run(*flags, common); }));
}

}  // namespace hushwalk::cli
