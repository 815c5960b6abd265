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

void put_certificate_beside(const AnswerFlags& flags, const IssuedCertificate& certificate) {
  if (!flags.output) return notice("{}", certificate.text);
  const std::string path = certificate_beside(*flags.output);
  Output file(path, flags.permissions);
  file.write(certificate.json + "\n");
  file.commit();
  notice("the certificate is in '{}'", path);
}

void run(const AnswerFlags& flags, const Common& common) {
  AnswerRequest request = flags.checked(common);
  const Progress progress = progress_bar();
  const Graph graph = flags.open(progress);
  request = flags.completed(std::move(request), graph);
  if (flags.exact)
    notice("exact answer, NOT private: it depends on secret edges and is for the custodian only");
  Output output(flags.output, flags.permissions);
  AnswerSource answers = ask(graph, request, progress);
  if (!flags.exact && !flags.shared && !flags.audience.ledger) notice("{}", no_ledger);
  say_charged(answers.charged());
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  const auto writer = make_writer(format, {graph.node_list(), answers.certificate(),
                                           request.release.diffusion, flags.seeds.seed_set.has_value()});
  bool begun = false;  // nothing is printed before there is an answer
  answers.each(
      [&](const Ranking& ranking) {
        if (!std::exchange(begun, true)) output.write(writer->begin());
        output.write(writer->ranking(ranking));
      },
      progress);
  output.write(writer->end());
  if (format == "csv" && answers.certificate()) put_certificate_beside(flags, *answers.certificate());
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
