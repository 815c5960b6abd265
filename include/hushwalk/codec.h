// Structs as JSON and CSV, in one number format: every number reads back exactly, every infinity is "inf".
// Documents are indented by two; lines (of JSON lines and CSV) end with a line feed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/accounting.h"
#include "hushwalk/advice.h"
#include "hushwalk/certificate.h"
#include "hushwalk/error.h"
#include "hushwalk/graph_notes.h"
#include "hushwalk/import.h"
#include "hushwalk/ledger.h"
#include "hushwalk/plan.h"
#include "hushwalk/ranking.h"
#include "hushwalk/signing.h"
#include "hushwalk/statistics.h"

namespace hushwalk {

// Rankings, written one by one: begin(), ranking() for each, end(). For one thread; keeps nothing of its
// arguments but the head.
class RankingWriter {
 public:
  virtual ~RankingWriter() = default;
  RankingWriter(const RankingWriter&) = delete;
  RankingWriter& operator=(const RankingWriter&) = delete;

  virtual std::string begin() { return ""; }
  virtual std::string ranking(const Ranking& ranking) = 0;
  // How much of `text`, which an earlier run wrote, is whole rankings of these seeds, in their order; that is
  // taken for written by this one. `salt` is that of the file. Nothing, where the format is
  // none of lines.
  struct Taken {
    std::size_t bytes = 0, rankings = 0;
  };
  virtual Taken take_up(std::string_view text, std::span<const SeedVector> seeds, const std::string& salt) {
    static_cast<void>(text), static_cast<void>(seeds), static_cast<void>(salt);
    return {};
  }
  // What was written so far, for the certificate; none where it has no hashes.
  virtual std::optional<ShownAnswer> shown() { return std::nullopt; }
  virtual std::string end(const std::optional<IssuedCertificate>&) { return ""; }

 protected:
  RankingWriter() = default;
};

struct RankingHead {
  NodeList nodes;
  bool is_private = false;
  // As an older version showed it: before the rankings. Others follow them, and have their hashes.
  std::optional<IssuedCertificate> old_certificate = {};
  Diffusion diffusion = Diffusion::ppr();  // of exact answers
  bool seed_sets = false;                  // seeds are sets, even if of one node
};
std::unique_ptr<RankingWriter> json_ranking_writer(RankingHead head);
// A ranking in each line, then a line with `private`, `certificate` and, of exact answers, `diffusion`.
std::unique_ptr<RankingWriter> json_lines_ranking_writer(RankingHead head);
// Has no place for the certificate, nor for the salt of its hash: Ranking::salt_of_file().
std::unique_ptr<RankingWriter> csv_ranking_writer(RankingHead head);
// The one seed, or how many the set has.
std::string seed_name(const RankingHead& head, const SeedVector& seed);
// A folder with a file for each ranking: seed and file of each.
std::string folder_json(const std::string& directory,
                        std::span<const std::pair<std::string, std::string>> files);

std::string planned_json(const PlannedAnswer& planned);
std::string certificate_only_json(const IssuedCertificate& certificate);
std::string verdict_json(bool valid, const std::string& reason);
std::string verification_json(const Verification& found);
std::string signing_key_json(const SigningKey& key);  // its public part
std::string error_json(const Error& error);           // a line, for the custodian

std::string graph_json(const Graph& graph);
std::string nodes_json(const NodeList& nodes, std::span<const Node> some);  // {"nodes": […]}
std::string import_json(const Graph& graph, const ImportReport& report);
std::string statistics_json(const Graph& graph, const GraphStatistics& statistics,
                            std::optional<std::uintmax_t> file_size,
                            const std::optional<GraphNotes>& notes = {});

// The design's steps are those of the diffusion.
std::string account_json(const Diffusion& diffusion, const NoisyRun& run, const Guarantee& guarantee,
                         const std::vector<AccountantVerdict>& all);
std::string calibration_json(const Diffusion& diffusion, const NoiseDesign& design, const Calibration& found);

std::string new_ledger_json(const LedgerState& state);
std::string ledger_json(const LedgerState& state);
std::string quote_json(const LedgerQuote& quote);  // all of it: for the custodian
// For one recipient: an account of their own, and what was quoted to them.
std::string own_account_json(const LedgerAccount& account);
std::string own_quote_json(const LedgerQuote& quote, const LedgerAccount& account);
std::string refusal_in_full(const LedgerQuote& quote);
std::string entry_json_line(const LedgerEntry& entry);
std::string entries_csv_head();
std::string entry_csv_line(const LedgerEntry& entry);
// Entries as one document: the head, each of them, the end.
std::string entries_json_head();
std::string entries_json_entry(const LedgerEntry& entry, bool first);
std::string entries_json_end();
std::string compacted_json(std::uintmax_t bytes_before, std::uintmax_t bytes);

}  // namespace hushwalk
