#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "answer_flags.h"
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

  bool to_a_file() const { return output.value_or("-") != "-"; }
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

// What the one who asks should know, before anything is charged.
void advise(CheckedRequest& question) {
  if (const auto& artefact = question.request().artefact) return say_weak_points(artefact->plan());
  const std::optional<Plan>& plan = question.plan();
  if (!plan) return;
  if (const auto other = alternative_for_few(*plan, question.request().release)) notice("{}", other->words);
  say_weak_points(*plan);
}

// Standard output, or a file that appears when it is complete.
class PlainSink final : public AnswerSink {
 public:
  explicit PlainSink(const Flags& flags) : output_(flags.output, flags.permissions) {}
  void write(std::string_view text) override { output_.write(text); }
  void commit() override { output_.commit(); }

 private:
  Output output_;
};

std::unique_ptr<AnswerSink> open_sink(const Flags& flags, const std::string& format,
                                      const CheckedRequest& question, const SigningKey* key) {
  const bool lines = flags.to_a_file() && (format == "jsonl" || format == "csv");
  if (flags.resume || (lines && question.can_be_taken_up() && question.request().seeds.size() > 1))
    return unfinished_file(question, *flags.output,
                           {.resume = flags.resume, .permissions = flags.permissions, .key = key});
  return std::make_unique<PlainSink>(flags);
}

void say_taken_up(const TakenUp& taken, std::size_t all) {
  if (taken.altered)
    notice("what follows the first {} rankings is not what was written there: it is computed again",
           taken.rankings);
  if (taken.rankings > 0) notice("going on after {} of {} rankings", taken.rankings, all);
}

void write_all(const Flags& flags, const std::string& format, AnswerSink& sink, AnswerSource& answers,
               RankingWriter& writer, const SigningKey* key, const Progress& progress) {
  const auto taken_up = [&](const TakenUp& taken) { say_taken_up(taken, answers.seeds().size()); };
  const auto [certificate, anew] = write_answers(answers, writer, sink, key, taken_up, progress);
  if (anew)
    notice("estimated anew: the released numbers are those of the first time, their scores may differ");
  if (format == "table" && certificate)
    sink.write("\n" + fitted(certificate_shown(flags, *certificate), style_of(flags.output).width));
  if (format == "csv" && certificate && !flags.to_a_file())
    say_of_answer(certificate_shown(flags, *certificate));
  else if (format == "csv" && certificate) {
    write_beside(*flags.output, *certificate, sink.salt(), flags.permissions);
    notice("the certificate is in '{}'", certificate_beside(*flags.output).string());
  }
  sink.commit();
}

// Says why not.
bool may_be_signed(const Flags& flags, const std::string& format) {
  if (flags.output_dir) return true;
  if (format == "table") notice("a table is not signed; --format json and csv are");
  if (format == "csv" && !flags.to_a_file())
    notice("CSV on standard output is not signed: its certificate stands beside a file; give -o FILE");
  return format != "table" && !(format == "csv" && !flags.to_a_file());
}

void say_files(const AnswerFolder& folder, const Flags& flags, const Common& common) {
  const auto& files = folder.files();
  if (!common.json)
    return print_out(fmt::format("{} file{} in '{}'{}\n", files.size(), files.size() == 1 ? "" : "s",
                                 *flags.output_dir,
                                 flags.exact ? ""
                                             : ", each with its certificate: hushwalk verify-certificate " +
                                                   shell_word(files.front().second)));
  print_json(folder_json(*flags.output_dir, files));
}

void run(const Flags& flags, const Common& common) {
  AnswerRequest request = flags.checked(common);
  const Progress progress = progress_bar();
  const Graph graph = flags.open(progress);
  request = flags.completed(std::move(request), graph);
  if (flags.exact)
    notice("exact answer, NOT private: it depends on secret edges and is for the custodian only");
  const std::string format = common.json ? "json" : flags.format.value_or("table");
  std::optional<SigningKey> signing;
  if (flags.signing_key && may_be_signed(flags, format))
    signing.emplace(SigningKey::open(*flags.signing_key));
  const SigningKey* const key = signing ? &*signing : nullptr;
  request.to_be_signed = key != nullptr;
  CheckedRequest question(graph, std::move(request));
  std::optional<AnswerFolder> folder;
  std::unique_ptr<AnswerSink> sink;
  if (flags.output_dir)
    folder.emplace(*flags.output_dir, question, flags.inputs(), flags.resume);
  else
    sink = open_sink(flags, format, question, key);
  advise(question);
  AnswerSource answers = ask(std::move(question), progress);
  if (!flags.exact && !flags.shared && !flags.audience.ledger) notice("{}", no_ledger);
  say_charged(answers.quote());
  if (folder) {
    folder->write(
        answers, key, [&](const TakenUp& taken) { say_taken_up(taken, answers.seeds().size()); }, progress);
    return say_files(*folder, flags, common);
  }
  write_all(flags, format, *sink, answers, *make_writer(format, answers.head(), style_of(flags.output)), key,
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
