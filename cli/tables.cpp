#include "tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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
    constexpr std::size_t plain = 32, range = 14, least = 8;  // columns of numbers, and of a name
    ranges_ =
        std::ranges::any_of(ranking.nodes, [](const RankedNode& row) { return row.range.has_value(); }) &&
        style_.width.value_or(plain + range + least) >= plain + range + least;
    const std::size_t others = plain + (ranges_ ? range : 0);
    if (style_.width) width = std::min(width, std::max(*style_.width, others + least) - others);
    std::string text = fmt::format("{}seed {} ({})\n", first_ ? "" : "\n", seed_name(head_, ranking.seed),
                                   head_.is_private ? "private" : "exact, not private") +
                       style_.heading(fmt::format("  rank  {:<{}}  score{}", "node", width,
                                                  ranges_            ? "        noise      exact rank"
                                                  : head_.is_private ? "        noise"
                                                                     : "")) +
                       "\n";
    for (std::size_t i = 0; i < ranking.nodes.size(); ++i)
      text += fmt::format("{:>6}  {:<{}}  {}\n", i + 1, cut(head_.nodes.name(ranking.nodes[i].node), width),
                          width, numbers(ranking.nodes[i]));
    if (ranges_)
      text +=
          fmt::format("  exact rank: within this range about {:.0f} times of 100\n", 100 * rank_probability);
    first_ = false;
    return text;
  }

 private:
  std::string numbers(const RankedNode& row) const {
    if (!row.noise && !row.range) return fmt::format("{:.6g}", row.score);
    const std::string noise = row.noise ? fmt::format("±{:.2g}", *row.noise) : "";
    if (!ranges_ || !row.range) return fmt::format("{:<12.6g} {}", row.score, noise);
    return fmt::format("{:<12.6g} {:<9}  {}-{}", row.score, noise, row.range->low, row.range->high);
  }

  RankingHead head_;
  Style style_;
  bool first_ = true, ranges_ = false;
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
    return rest.empty() ? ""
                        : fitted(fmt::format("No room for {}: --format csv has them.\n", rest), style_.width);
  }

  std::string row(const EvaluationRow& row) override {
    const bool resolved = row.mechanism == "auto" && row.resolved;
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", resolved ? "auto: " + *row.resolved : row.mechanism,
                                   width_, number_or_dash(row.epsilon), number_or_dash(row.eta));
    if (row.refused) return fitted(text + " refused: " + with_flags(*row.refused) + "\n", style_.width);
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
    const int digits = std::abs(*measure.mean) < 10 ? 4 : 1;
    return measure.ci ? fmt::format("{:.{}f} ± {:.{}f}", *measure.mean, digits, *measure.ci, digits)
                      : fmt::format("{:.{}f}", *measure.mean, digits);
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

namespace {

using Cells = std::vector<std::string>;
constexpr std::size_t gap = 2;

std::size_t longest_word(const std::string& cell) {
  std::size_t longest = 0;
  for (const std::string& word : wrapped(cell, 1)) longest = std::max(longest, columns_of(word));
  return longest;
}

std::string stacked(const std::vector<Cells>& rows) {
  std::string text;
  std::size_t width = 0;
  for (const std::string& name : rows.front()) width = std::max(width, columns_of(name));
  for (const Cells& row : std::span(rows).subspan(1)) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("{:<{}}  {}\n", rows.front()[i], width, row[i]);
    text += "\n";
  }
  return text;
}

// How wide each column is; nothing where they do not fit.
std::optional<std::vector<std::size_t>> column_widths(const std::vector<Cells>& rows, std::size_t room) {
  std::vector<std::size_t> widths(rows.front().size()), least(widths.size());
  for (const Cells& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + 1 == row.size() && row.size() < widths.size()) continue;
      widths[i] = std::max(widths[i], columns_of(row[i]));
      least[i] = std::max(least[i], longest_word(row[i]));
    }
  const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1)); };
  while (total() > room) {
    std::optional<std::size_t> widest;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (widths[i] > least[i] && (!widest || widths[i] > widths[*widest])) widest = i;
    if (!widest) return {};
    --widths[*widest];
  }
  return widths;
}

std::string row_text(const Cells& row, const std::vector<std::size_t>& widths, std::size_t room) {
  std::vector<std::vector<std::string>> lines;
  std::size_t before = 0, height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool spans = i + 1 == row.size() && row.size() < widths.size();
    lines.push_back(wrapped(row[i], spans ? std::max(room, before + 1) - before : widths[i]));
    height = std::max(height, lines.back().size());
    before += widths[i] + gap;
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string joined;
    for (std::size_t i = 0; i < row.size(); ++i)
      joined += fmt::format("{:<{}}", line < lines[i].size() ? lines[i][line] : "", widths[i] + gap);
    text += joined.substr(0, joined.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string columns(const std::vector<std::vector<std::string>>& rows, std::optional<std::size_t> width) {
  const std::size_t room = width.value_or(std::numeric_limits<std::size_t>::max() / 2);
  const auto widths = column_widths(rows, room);
  if (!widths) return stacked(rows);
  std::string text;
  for (const auto& row : rows) text += row_text(row, *widths, room);
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

std::string bar(double spent, double limit, std::size_t width) {
  if (std::isinf(limit)) return "";
  std::string percent = fmt::format("{:.0f} %", 100 * spent / limit);
  if (width < 4) return percent;
  const auto most = static_cast<double>(width);
  const auto filled = static_cast<std::size_t>(std::clamp(std::ceil(spent / limit * most), 0.0, most));
  return fmt::format("[{:=<{}}{:<{}}] {:>5}", "", filled, "", width - filled, percent);
}

}  // namespace

std::string of_limit(const LedgerAccount& account) {
  return std::isinf(account.limit) ? "of no limit in all" : "of " + left_text(account.limit);
}

std::string ledger_table(const LedgerState& state, std::optional<std::size_t> width) {
  constexpr std::size_t numbers = 56, longest_bar = 30;  // columns beside the names and the bar
  std::vector<Cells> rows = {{"recipient", "spent", "left", "releases", ""}};
  std::size_t names = 11;
  for (const LedgerAccount& account : state.recipients)
    names = std::max(names, columns_of(account.recipient));
  const std::size_t all = width.value_or(names + numbers + longest_bar);
  const std::size_t bars = std::min(longest_bar, all > names + numbers ? all - names - numbers : 0);
  const auto add = [&](const std::string& name, const LedgerAccount& account) {
    rows.push_back({name, spent_text(account.spent),
                    std::isinf(account.limit) ? "-" : left_text(account.left),
                    fmt::format("{}", account.releases), bar(account.spent, account.limit, bars)});
  };
  for (const LedgerAccount& account : state.recipients)
    add(account.recipient.empty() ? "(anyone)" : account.recipient, account);
  if (state.published.releases > 0) add("(everybody)", state.published);
  if (state.recipients.size() < state.recipient_count)
    rows.push_back({fmt::format("({} recipients in all: --recipients)", state.recipient_count)});
  add("total", state.total);
  if (state.period) add("this period", state.period->account);
  std::string text = columns(rows, width);
  text += fmt::format(
      "\nbudget      {}{}\n",
      std::isinf(state.total.limit) ? "no limit in all" : "epsilon = " + left_text(state.total.limit),
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
