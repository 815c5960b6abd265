#include <memory>

#include "answer_flags.h"
#include "answer_folder.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

std::unique_ptr<RankingWriter> make_writer(const std::string& format, RankingHead head, Style style) {
  if (format == "json") return json_ranking_writer(std::move(head));
  if (format == "jsonl") return json_lines_ranking_writer(std::move(head));
  return format == "csv" ? csv_ranking_writer(std::move(head)) : table_ranking_writer(std::move(head), style);
}

struct Flags : AnswerFlags {
  const CLI::App *rank = nullptr, *plan = nullptr;  // the verbs
};

// Where the whole certificate can be seen without spending anything.
std::string where_the_rest_is(const Flags& flags) {
  if (flags.shared || flags.audience.ledger) return "the same command with --certificate, at no cost";
  return "hushwalk plan" + shared_words(*flags.rank, *flags.plan) + " (spends nothing)";
}

std::string certificate_shown(const Flags& flags, const IssuedCertificate& certificate) {
  const bool whole_anyway = certificate.summary == certificate.text;  // as an older version stored it
  if (flags.certificate || whole_anyway) return certificate.text;
  return fmt::format("{}{:<12}{}\n", certificate.summary, "The rest:", where_the_rest_is(flags));
}

void write_beside(const AnswerFlags& flags, const std::filesystem::path& path, const std::string& text) {
  Output file(path.string(), flags.permissions);
  file.write(text + "\n");
  file.commit();
}

// The salt stands apart: whoever has the certificate alone must not be able to test guesses of the answer.
void put_certificate_beside(const Flags& flags, const IssuedCertificate& certificate,
                            const std::string& salt) {
  if (flags.output.value_or("-") == "-") return notice("{}", certificate_shown(flags, certificate));
  write_beside(flags, certificate_beside(*flags.output), certificate.json);
  if (!salt.empty()) write_beside(flags, salt_beside(*flags.output), salt);
  notice("the certificate is in '{}'", certificate_beside(*flags.output).string());
}

// What the one who asks should know. Requests that cannot be planned are refused by ask(), in better words.
void advise(const PublicFacts& facts, const AnswerRequest& request) {
  if (request.exact || request.artefact) return;
  try {
    const Plan plan = plan_answer(facts, request);
    if (const auto other = alternative_to(plan, request.release)) notice("{}", other->words);
    for (const std::string& point : weak_points(plan)) notice("{}", point);
  } catch (const Error&) {
    return;
  }
}

void write_all(const Flags& flags, const std::string& format, AnswerSource& answers, RankingWriter& writer,
               const SigningKey* key, const Progress& progress) {
  Output output(flags.output, flags.permissions);
  bool begun = false, anew = false;  // nothing is printed before there is an answer
  std::string salt;
  answers.each(
      [&](const Ranking& ranking) {
        if (!std::exchange(begun, true)) {
          salt = ranking.salt;
          output.write(writer.begin());
        }
        anew = anew || ranking.estimated_anew;
        output.write(writer.ranking(ranking));
      },
      progress);
  if (anew)
    notice("estimated anew: the released numbers are those of the first time, their scores may differ");
  const auto certificate = answers.certificate(writer.shown(), key);
  output.write(writer.end(certificate));
  if (format == "table" && certificate) output.write("\n" + certificate_shown(flags, *certificate));
  if (format == "csv" && certificate) put_certificate_beside(flags, *certificate, salt);
  output.commit();
}

// Says why not.
bool may_be_signed(const Flags& flags, const std::string& format) {
  if (flags.output_dir) return true;
  if (format == "table") notice("a table is not signed; --format json and csv are");
  const bool no_file = flags.output.value_or("-") == "-";
  if (format == "csv" && no_file)
    notice("CSV on standard output is not signed: its certificate stands beside a file; give -o FILE");
  return format != "table" && !(format == "csv" && no_file);
}

void run(const Flags& flags, const Common& common) {
  AnswerRequest request = flags.checked(common);
  const Progress progress = progress_bar();
  const Graph graph = flags.open(progress);
  request = flags.completed(std::move(request), graph);
  if (flags.exact)
    notice("exact answer, NOT private: it depends on secret edges and is for the custodian only");
  RankingHead head{
      graph.node_list(), !flags.exact, {}, request.release.diffusion, flags.seeds.seed_set.has_value()};
  std::optional<AnswerFolder> folder;
  if (flags.output_dir) folder.emplace(*flags.output_dir, head, request.seeds, flags.inputs());
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  std::optional<SigningKey> signing;
  if (flags.signing_key && may_be_signed(flags, format))
    signing.emplace(SigningKey::open(*flags.signing_key));
  const SigningKey* const key = signing ? &*signing : nullptr;
  request.to_be_signed = key != nullptr;
  advise(graph.facts(), request);
  AnswerSource answers = ask(graph, request, progress);
  if (!flags.exact && !flags.shared && !flags.audience.ledger) notice("{}", no_ledger);
  say_charged(answers.charged());
  if (folder) {
    answers.each([&](const Ranking& ranking) { folder->write(ranking, answers, key); }, progress);
    return folder->say(common);
  }
  head.old_certificate = answers.old_certificate();
  write_all(flags, format, answers, *make_writer(format, std::move(head), style_of(flags.output)), key,
            progress);
}

}  // namespace

void add_rank(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "rank", "Rank the nodes that matter most to a node",
               "hushwalk rank friends.hwg --seed 17 --epsilon 1 --top 10", [flags, &app, &common] {
                 flags->plan = app.get_subcommand("plan");
                 run(*flags, common);
               });
  flags->rank = verb;
  flags->add_to(*verb);
}

}  // namespace hushwalk::cli
