#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer_flags.h"
#include "answer_folder.h"
#include "tables.h"
#include "unfinished.h"
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

// Where rankings go, one after the other: to standard output or a file that appears when it is complete, or,
// of a run that can be taken up again, to one that is there all the time.
class RankingOutput {
 public:
  RankingOutput(const Flags& flags, const std::string& format, const Graph& graph,
                const AnswerRequest& request)
      : seeds_(request.seeds) {
    const bool lines = flags.output.value_or("-") != "-" && (format == "jsonl" || format == "csv");
    if (lines && (flags.shared || flags.audience.ledger) && (flags.resume || seeds_.size() > 1))
      unfinished_.emplace(*flags.output, request_digest(graph, request), flags.resume, flags.permissions);
    else
      output_.emplace(flags.output, flags.permissions);
  }

  // Writes all, and returns the salt of the first.
  std::string write(AnswerSource& answers, RankingWriter& writer, const Progress& progress) {
    const std::size_t first = unfinished_ ? unfinished_->take_up(writer, seeds_) : 0;
    if (first > 0) notice("going on after {} of {} rankings", first, seeds_.size());
    bool begun = first > 0, anew = false;  // nothing is printed before there is an answer
    std::string salt = begun ? unfinished_->salt() : "";
    answers.each(
        [&](const Ranking& ranking) {
          if (!std::exchange(begun, true)) {
            salt = ranking.salt;
            unfinished_ ? unfinished_->begin(salt, writer.begin()) : output_->write(writer.begin());
          }
          anew = anew || ranking.estimated_anew;
          write(writer.ranking(ranking));
        },
        progress, first);
    if (anew)
      notice("estimated anew: the released numbers are those of the first time, their scores may differ");
    return salt;
  }

  void write(const std::string& text) { unfinished_ ? unfinished_->write(text) : output_->write(text); }
  void commit() { unfinished_ ? unfinished_->commit() : output_->commit(); }

 private:
  const std::vector<SeedVector>& seeds_;
  std::optional<UnfinishedFile> unfinished_;
  std::optional<Output> output_;
};

void write_all(const Flags& flags, const std::string& format, RankingOutput& output, AnswerSource& answers,
               RankingWriter& writer, const SigningKey* key, const Progress& progress) {
  const std::string salt = output.write(answers, writer, progress);
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

// One file for each; what can be taken up again keeps a list of those that are there.
void write_folder(const Flags& flags, AnswerFolder& folder, const Graph& graph, const AnswerRequest& request,
                  AnswerSource& answers, const SigningKey* key, const Progress& progress) {
  std::optional<UnfinishedFolder> unfinished;
  if (flags.resume || (request.seeds.size() > 1 && (flags.shared || flags.audience.ledger)))
    unfinished.emplace(*flags.output_dir, request_digest(graph, request), flags.resume);
  const std::size_t first = unfinished ? std::min(unfinished->done(), request.seeds.size()) : 0;
  if (first > 0) notice("going on after {} of {} rankings", first, request.seeds.size());
  for (std::size_t i = 0; i < first; ++i) folder.note(request.seeds[i]);
  answers.each(
      [&](const Ranking& ranking) {
        const std::string name = folder.write(ranking, answers, key);
        if (unfinished) unfinished->add(name);
      },
      progress, first);
  if (unfinished) unfinished->commit();
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
  std::optional<RankingOutput> output;
  if (!folder) output.emplace(flags, format, graph, request);
  AnswerSource answers = ask(graph, request, progress);
  if (!flags.exact && !flags.shared && !flags.audience.ledger) notice("{}", no_ledger);
  say_charged(answers.charged());
  if (folder) {
    write_folder(flags, *folder, graph, request, answers, key, progress);
    return folder->say(common);
  }
  head.old_certificate = answers.old_certificate();
  write_all(flags, format, *output, answers, *make_writer(format, std::move(head), style_of(flags.output)),
            key, progress);
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
