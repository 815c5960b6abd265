// A counting sort deals the runs of all rows out to their segments, in the order of rows; rows are cut into
// parts for threads. Then each window is put in order by itself. The layout does not depend on the threads.
#include "diffusion/segments.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace hushwalk {
namespace {

using Run = Window::Run;

constexpr Row narrowest = 1 << 13, widest = 1 << 16;
static_assert(widest - 1 <= std::numeric_limits<std::uint16_t>::max());
constexpr std::uint64_t before_wider = 4;  // the width doubles where so many times itself has passed
constexpr std::size_t runs_per_window = 1024;

class Cuts {
 public:
  explicit Cuts(std::uint64_t columns) {
    for (std::uint64_t cut = 0, width = narrowest; cut < columns; cut += width) {
      if (width < widest && cut >= width * before_wider) width *= 2;
      for (std::uint64_t i = 0; i < width / narrowest; ++i)
        segment_of_.push_back(static_cast<std::uint32_t>(cuts_.size()));
      cuts_.push_back(static_cast<Row>(cut));
    }
    cuts_.push_back(static_cast<Row>(columns));
  }
  std::size_t segments() const { return cuts_.size() - 1; }
  Row first(std::size_t segment) const { return cuts_[segment]; }
  std::size_t segment_of(Row column) const { return segment_of_[column / narrowest]; }

  // f(segment, row, neighbours) for every run of rows first <= r < last, row by row.
  template <class F>
  void for_runs(const Csr& csr, Row first, Row last, const F& f) const {
    for (Row row = first; row < last; ++row)
      for (std::span<const Row> left = csr.row(row); !left.empty();) {
        const std::size_t segment = segment_of(left.front());
        const Row end = cuts_[segment + 1];
        std::size_t length = 1;
        while (length + 8 < left.size() && left[length + 8] < end) length += 8;
        while (length < left.size() && left[length] < end) ++length;
        f(segment, row, left.first(length));
        left = left.subspan(length);
      }
  }

 private:
  std::vector<Row> cuts_;                  // where segments begin, and where the last one ends
  std::vector<std::uint32_t> segment_of_;  // of every `narrowest` columns
};

// Parts of consecutive rows with about as many links each: where they begin, and where the last one ends.
std::vector<Row> cut_rows(const Csr& csr, std::size_t parts) {
  std::vector<Row> cuts;
  for (std::size_t part = 0; part <= parts; ++part) {
    const auto cut = std::ranges::lower_bound(csr.offsets, csr.neighbors.size() * part / parts);
    cuts.push_back(part == 0 ? 0 : static_cast<Row>(cut - csr.offsets.begin()));
  }
  return cuts;
}

// f(part, segment, row, neighbours) for every run, the parts at once.
template <class F>
void for_runs_of_parts(const Csr& csr, const std::vector<Row>& parts, const Cuts& cuts, const F& f) {
  parallel_for(parts.size() - 1, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part)
      cuts.for_runs(
          csr, parts[part], parts[part + 1],
          [&](std::size_t segment, Row row, std::span<const Row> run) { f(part, segment, row, run); });
  });
}

// Puts windows in order (see Window), keeping the memory it needs.
class Arranger {
 public:
  // How many columns these are.
  std::size_t arrange(std::span<Run> runs, std::uint16_t* columns) {
    take(runs, columns);
    sort_by<0>();
    if (longest_ > 256) sort_by<8>();
    std::ranges::transform(items_, runs.begin(), &Item::run);
    std::span<const Item> left(items_);
    for (; left.size() >= 8; left = left.subspan(8)) {
      columns = put_abreast(left.first<8>(), columns);
      for (const Item& item : left.first<8>()) columns = put_left(item, left[7].run.length, columns);
    }
    for (const Item& item : left) columns = put_left(item, 0, columns);
    return copy_.size();
  }

 private:
  struct Item {
    Run run;
    std::uint32_t begin;  // of its columns in copy_
  };

  void take(std::span<const Run> runs, const std::uint16_t* columns) {
    items_.clear();
    longest_ = 0;
    std::uint32_t total = 0;
    for (const Run& run : runs) {
      items_.push_back({run, total});
      total += run.length;
      longest_ = std::max(longest_, run.length);
    }
    copy_.assign(columns, columns + total);
  }

  // A stable sort by eight bits of the length, which is 1 to 65,536, longest first.
  template <int shift>
  void sort_by() {
    const auto digit = [](const Item& item) { return 255 - ((item.run.length - 1) >> shift & 255); };
    std::array<std::uint32_t, 257> place{};
    for (const Item& item : items_) ++place[digit(item) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    sorted_.resize(items_.size());
    for (const Item& item : items_) sorted_[place[digit(item)]++] = item;
    items_.swap(sorted_);
  }

  // As many columns of each as the last, the shortest, has.
  std::uint16_t* put_abreast(std::span<const Item, 8> items, std::uint16_t* to) const {
    std::array<const std::uint16_t*, 8> from;
    for (std::size_t r = 0; r < 8; ++r) from[r] = copy_.data() + items[r].begin;
    for (std::uint32_t i = 0; i < items[7].run.length; ++i)
      for (std::size_t r = 0; r < 8; ++r) *to++ = from[r][i];
    return to;
  }

  std::uint16_t* put_left(const Item& item, std::uint32_t done, std::uint16_t* to) const {
    return std::copy_n(copy_.data() + item.begin + done, item.run.length - done, to);
  }

  std::vector<Item> items_, sorted_;
  std::uint32_t longest_ = 0;
  std::vector<std::uint16_t> copy_;
};

}  // namespace

Segments::Segments(const Csr& csr) : rows_(csr.rows()) {
  const Cuts cuts(csr.rows());
  const std::vector<Row> parts = cut_rows(csr, thread_count());
  std::vector<std::vector<Place>> next(parts.size() - 1, std::vector<Place>(cuts.segments()));
  for_runs_of_parts(csr, parts, cuts, [&](std::size_t part, std::size_t s, Row, std::span<const Row> run) {
    ++next[part][s].run;
    next[part][s].column += run.size();
  });
  for (std::size_t s = 0; s <= cuts.segments(); ++s) segments_.push_back({cuts.first(s)});
  lay_out(next);
  for_runs_of_parts(csr, parts, cuts,
                    [&](std::size_t part, std::size_t s, Row row, std::span<const Row> run) {
                      Place& to = next[part][s];
                      runs_[to.run++] = {row, static_cast<std::uint32_t>(run.size())};
                      for (const Row u : run)
                        columns_[to.column++] = static_cast<std::uint16_t>(u - cuts.first(s));
                    });
  arrange();
}

// Counts become the places of what they counted, segment by segment and in a segment part by part.
void Segments::lay_out(std::vector<std::vector<Place>>& counts) {
  Place total{0, 0};
  for (std::size_t s = 0; s + 1 < segments_.size(); ++s) {
    segments_[s].window = windows_.size();
    segments_[s].begin = total;
    for (std::vector<Place>& of_part : counts) {
      const Place count = std::exchange(of_part[s], total);
      total.run += count.run;
      total.column += count.column;
    }
    for (std::uint64_t run = segments_[s].begin.run; run < total.run; run += runs_per_window)
      windows_.push_back({run, 0});
  }
  segments_.back().window = windows_.size();
  windows_.push_back(total);
  runs_ = Buffer<Run>(total.run);
  columns_ = Buffer<std::uint16_t>(total.column);
}

// Only now it is known where the columns of each window begin.
void Segments::arrange() {
  parallel_for(segments_.size() - 1, 1, [&](std::size_t first, std::size_t last) {
    Arranger arranger;
    for (std::size_t s = first; s < last; ++s) {
      std::uint64_t column = segments_[s].begin.column;
      for (std::size_t w = segments_[s].window; w < segments_[s + 1].window; ++w) {
        windows_[w].column = column;
        const std::span<Run> runs(runs_.data() + windows_[w].run, windows_[w + 1].run - windows_[w].run);
        column += arranger.arrange(runs, columns_.data() + column);
      }
    }
  });
}

std::size_t Segments::bytes() const noexcept {
  return runs_.size() * sizeof(Run) + columns_.size() * sizeof(std::uint16_t) +
         windows_.size() * sizeof(Place);
}

}  // namespace hushwalk
