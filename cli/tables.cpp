#include "tables.h"

#include <algorithm>
#include <cmath>

namespace hushwalk::cli {
namespace {

class RankingTable final : public RankingWriter {
 public:
  explicit RankingTable(RankingHead head) : head_(std::move(head)) {}

  std::string ranking(const Ranking& ranking) override {
    std::size_t width = 4;
    for (const RankedNode& row : ranking.nodes) width = std::max(width, head_.nodes.name(row.node).size());
    std::string text =
        fmt::format("{}seed {} ({})\n  rank  {:<{}}  score{}\n", first_ ? "" : "\n",
                    seed_name(head_, ranking.seed), head_.is_private ? "private" : "exact, not private",
                    "node", width, head_.is_private ? "        noise" : "");
    for (std::size_t i = 0; i < ranking.nodes.size(); ++i)
      text += fmt::format("{:>6}  {:<{}}  {}\n", i + 1, head_.nodes.name(ranking.nodes[i].node), width,
                          numbers(ranking.nodes[i]));
    first_ = false;
    return text;
  }

  std::string end(const std::optional<IssuedCertificate>& certificate) override {
    return certificate ? "\n" + certificate->text : "";
  }

 private:
  static std::string numbers(const RankedNode& row) {
    return row.noise ? fmt::format("{:<12.6g} ±{:.2g}", row.score, *row.noise)
                     : fmt::format("{:.6g}", row.score);
  }

  RankingHead head_;
  bool first_ = true;
};

class EvaluationTable final : public EvaluationWriter {
 public:
  explicit EvaluationTable(std::size_t name_width) : width_(std::max<std::size_t>(name_width, 9)) {}

  std::string begin() override {
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", "mechanism", width_, "epsilon", "eta");
    for (const EvaluationColumn& column : evaluation_columns) text += fmt::format("  {:<15}", column.name);
    return text + "  seconds\n";
  }

  std::string row(const EvaluationRow& row) override {
    const bool resolved = row.mechanism == "auto" && row.resolved;
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", resolved ? "auto: " + *row.resolved : row.mechanism,
                                   width_, number_or_dash(row.epsilon), number_or_dash(row.eta));
    if (row.refused) return text + "  refused: " + with_flags(*row.refused) + "\n";
    for (const EvaluationColumn& column : evaluation_columns)
      text += fmt::format("  {:<15}", cell(row.*column.measure));
    return text + fmt::format("  {:>7.2f}\n", row.seconds);
  }

 private:
  static std::string number_or_dash(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "-";
  }
  // "±" is two bytes and one column, which fmt knows.
  static std::string cell(const Measure& measure) {
    if (!measure.mean) return "-";
    return measure.ci ? fmt::format("{:.4f} ± {:.4f}", *measure.mean, *measure.ci)
                      : fmt::format("{:.4f}", *measure.mean);
  }
  std::size_t width_;
};

}  // namespace

std::unique_ptr<RankingWriter> table_ranking_writer(RankingHead head) {
  return std::make_unique<RankingTable>(std::move(head));
}

std::unique_ptr<EvaluationWriter> table_evaluation_writer(const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name == "auto" ? 12 : name.size());
  return std::make_unique<EvaluationTable>(width);
}

std::string number_text(double value) {
  if (std::isinf(value)) return "inf";
  std::string text = fmt::format("{:.7g}", value);
  if (std::stod(text) >= value) return text;
  const double last_digit = std::pow(10, std::floor(std::log10(std::abs(value))) - 6);
  return fmt::format("{:.7g}", value + last_digit / 2);
}

std::string time_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.2g} ms", 1e3 * seconds);
  if (seconds < 100) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.2g} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += row.back() + "\n";
  }
  return text;
}

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("{:<16}{}\n", name, value);
}

}  // namespace hushwalk::cli
