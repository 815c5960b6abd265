#include "tables.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace hushwalk::cli {
namespace {

// The start of a name that is longer than there is room for. Bytes of one character stay together.
std::string cut(const std::string& name, std::size_t width) {
  if (name.size() <= width) return name;
  std::size_t end = width - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "…";
}

class RankingTable final : public RankingWriter {
 public:
  RankingTable(RankingHead head, Style style) : head_(std::move(head)), style_(style) {}

  std::string ranking(const Ranking& ranking) override {
    std::size_t width = 4;
    for (const RankedNode& row : ranking.nodes) width = std::max(width, head_.nodes.name(row.node).size());
    constexpr std::size_t others = 32, least = 8;  // columns of numbers, and of a name
    if (style_.width) width = std::min(width, std::max(*style_.width, others + least) - others);
    std::string text = fmt::format("{}seed {} ({})\n", first_ ? "" : "\n", seed_name(head_, ranking.seed),
                                   head_.is_private ? "private" : "exact, not private") +
                       style_.heading(fmt::format("  rank  {:<{}}  score{}", "node", width,
                                                  head_.is_private ? "        noise" : "")) +
                       "\n";
    for (std::size_t i = 0; i < ranking.nodes.size(); ++i)
      text += fmt::format("{:>6}  {:<{}}  {}\n", i + 1, cut(head_.nodes.name(ranking.nodes[i].node), width),
                          width, numbers(ranking.nodes[i]));
    first_ = false;
    return text;
  }

 private:
  static std::string numbers(const RankedNode& row) {
    return row.noise ? fmt::format("{:<12.6g} ±{:.2g}", row.score, *row.noise)
                     : fmt::format("{:.6g}", row.score);
  }

  RankingHead head_;
  Style style_;
  bool first_ = true;
};

class EvaluationTable final : public EvaluationWriter {
 public:
  EvaluationTable(std::size_t name_width, Style style)
      : width_(std::max<std::size_t>(name_width, 9)), style_(style), shown_(std::size(evaluation_columns)) {
    constexpr std::size_t of_a_measure = 17, others = 27;
    if (style.width)
      shown_ = std::clamp<std::size_t>(
          (std::max(*style.width, width_ + others) - width_ - others) / of_a_measure, 1, shown_);
  }

  std::string begin() override {
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", "mechanism", width_, "epsilon", "eta");
    for (const EvaluationColumn& column : shown()) text += fmt::format("  {:<15}", column.name);
    return style_.heading(text + "  seconds") + "\n";
  }

  std::string end() override {
    std::string rest;
    for (const EvaluationColumn& column : std::span(evaluation_columns).subspan(shown_))
      rest += fmt::format("{}{}", rest.empty() ? "" : ", ", column.name);
    return rest.empty() ? "" : fmt::format("No room for {}: --format csv has them.\n", rest);
  }

  std::string row(const EvaluationRow& row) override {
    const bool resolved = row.mechanism == "auto" && row.resolved;
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", resolved ? "auto: " + *row.resolved : row.mechanism,
                                   width_, number_or_dash(row.epsilon), number_or_dash(row.eta));
    if (row.refused) return text + "  refused: " + with_flags(*row.refused) + "\n";
    for (const EvaluationColumn& column : shown()) text += fmt::format("  {:<15}", cell(row.*column.measure));
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
  std::span<const EvaluationColumn> shown() const { return std::span(evaluation_columns).first(shown_); }
  std::size_t width_;
  Style style_;
  std::size_t shown_;  // how many columns
};

}  // namespace

std::unique_ptr<RankingWriter> table_ranking_writer(RankingHead head, Style style) {
  return std::make_unique<RankingTable>(std::move(head), style);
}

std::unique_ptr<EvaluationWriter> table_evaluation_writer(const std::vector<std::string>& names,
                                                          Style style) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name == "auto" ? 13 : name.size());
  return std::make_unique<EvaluationTable>(width, style);
}

std::string number_text(double value) {
  if (std::isinf(value)) return "inf";
  std::string text = fmt::format("{:.7g}", value);
  if (std::stod(text) >= value) return text;
  const double last_digit = std::pow(10, std::floor(std::log10(std::abs(value))) - 6);
  return fmt::format("{:.7g}", value + last_digit / 2);
}

std::string time_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.2g} ms", 1e3 * seconds);
  if (seconds < 1) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds < 100) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.2g} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

std::string bytes_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.3g} kB", bytes * 1e-3);
  return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes * 1e-6) : fmt::format("{:.3g} GB", bytes * 1e-9);
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

std::string paragraph(std::string_view name, std::string_view text) {
  constexpr std::size_t margin = 12, width = 100;
  std::string lines = fmt::format("{:<{}}", name, margin);
  while (text.size() > width - margin) {
    const std::size_t end = std::min(text.rfind(' ', width - margin), text.size());
    lines += fmt::format("{}\n{:{}}", text.substr(0, end), "", margin);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return fmt::format("{}{}\n", lines, text);
}

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("{:<16}{}\n", name, value);
}

namespace {

std::string bar(double spent, double limit) {
  constexpr int width = 30;
  if (std::isinf(limit)) return "";
  const int filled = std::clamp(static_cast<int>(std::ceil(spent / limit * width)), 0, width);
  return fmt::format("[{:=<{}}{:<{}}] {:3.0f} %", "", filled, "", width - filled, 100 * spent / limit);
}

}  // namespace

std::string of_limit(const LedgerAccount& account) {
  return std::isinf(account.limit) ? "of no limit in all" : fmt::format("of {:.9g}", account.limit);
}

std::string ledger_table(const LedgerState& state) {
  std::size_t width = 11;
  const auto shown = [](const LedgerAccount& account) {
    return account.recipient.empty() ? std::string("(anyone)") : account.recipient;
  };
  for (const LedgerAccount& account : state.recipients) width = std::max(width, shown(account).size());
  const auto row = [&](const std::string& name, const LedgerAccount& account) {
    return fmt::format("{:<{}}  {:>11.9g}  {:>11}  {:>8}  {}\n", name, width, account.spent,
                       std::isinf(account.limit) ? "-" : fmt::format("{:.9g}", account.left),
                       account.releases, bar(account.spent, account.limit));
  };
  std::string text =
      fmt::format("{:<{}}  {:>11}  {:>11}  {:>8}\n", "recipient", width, "spent", "left", "releases");
  for (const LedgerAccount& account : state.recipients) text += row(shown(account), account);
  if (state.published.releases > 0) text += row("(everybody)", state.published);
  if (state.recipients.size() < state.recipient_count)
    text += fmt::format("({} recipients in all: --recipients)\n", state.recipient_count);
  text += row("total", state.total);
  if (state.period) text += row("this period", state.period->account);
  text += fmt::format(
      "\nbudget      {}{}\n",
      std::isinf(state.total.limit) ? "no limit in all" : fmt::format("epsilon = {:.9g}", state.total.limit),
      state.delta ? fmt::format(", delta = {}, Rényi sums of order {:.4g}", *state.delta, *state.order)
                  : "; epsilons are added");
  if (state.period)
    text += fmt::format("period      {}, from {} to {}\n", state.period->index + 1, state.period->begins,
                        state.period->ends);
  text += fmt::format("promise     {}\n", state.promise);
  text +=
      fmt::format("answers     {} stored{}\n", state.stored,
                  state.unfinished > 0
                      ? fmt::format(", {} charged and not finished: ask again, at no cost", state.unfinished)
                      : "");
  return text + fmt::format("entries     {}, the last of {}\nhead        {}\n", state.entries, state.updated,
                            state.head);
}

}  // namespace hushwalk::cli
