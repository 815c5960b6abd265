// Where edges meet the noise of `circles`. What is counted, and when, estimate/circles_run.cpp says.
#include <algorithm>
#include <array>
#include <limits>

#include "base/fail.h"
#include "base/parallel.h"
#include "base/phase.h"
#include "mechanism/circles.h"
#include "mechanism/node_noise.h"

namespace hushwalk {
namespace {

std::int64_t within(std::int64_t number, std::int64_t limit) { return std::clamp(number, -limit, limit); }

// Links by the blocks and labels of neighbours.
class LinkCounts {
 public:
  explicit LinkCounts(const Rows& rows) : rows_(rows), mark_(rows.with_others()) {}

  const Rows& of() const { return rows_; }
  bool is_mine(Node v) const { return rows_.find(v).has_value(); }
  std::int64_t degree(Node v) const { return static_cast<std::int64_t>(rows_.degree(row(v))); }

  void start(const CirclesOrder& order) {
    for (const Node v : order.nodes)
      if (const auto at = rows_.place(v)) mark_[*at] = std::uint64_t{order.block_of[v]} << label_bits;
  }
  void label(Node v, std::uint8_t label) {
    const auto at = rows_.place(v);
    if (at) mark_[*at] = (mark_[*at] >> label_bits << label_bits) | label;
  }

  // Adds the links of v to nodes of earlier (later) blocks to the cells of their labels.
  void add(Sweep sweep, std::uint32_t block, Node v, std::span<std::int64_t> cells) const {
    for (const Row neighbor : rows_.neighbors(row(v))) {
      const std::uint64_t mark = mark_[neighbor], other = mark >> label_bits;
      if (sweep == Sweep::forward ? other < block : other > block) ++cells[mark & label_mask];
    }
  }
  // Links of v to nodes from this block on.
  std::int64_t from_block_on(std::uint32_t block, Node v) const {
    return std::ranges::count_if(rows_.neighbors(row(v)),
                                 [&](Row neighbor) { return mark_[neighbor] >> label_bits >= block; });
  }

 private:
  static constexpr int label_bits = 8;
  static constexpr std::uint64_t label_mask = (1 << label_bits) - 1;
  Row row(Node v) const { return *rows_.find(v); }

  const Rows& rows_;
  std::vector<std::uint64_t> mark_;  // block and label, by row
};

// By column: coarse, fine, leaving, cells forward and back for as many clusters as there can be, then the
// branch and how many clusters there are, at every node.
std::size_t columns_in(const CirclesDesign& design) { return 5 + 2 * std::size_t{design.clusters}; }

using Cells = std::array<std::int64_t, accounting::most_clusters>;

// Counts and draws for nodes of mine; what is released is put together from all parts before anything is
// decided by it.
class Counted final : public CirclesSource {
 public:
  Counted(const CirclesNoise& noise, const Rows& rows, NoiseSource& source, const Progress& progress)
      : samplers_(noise),
        design_(noise.design),
        source_(source),
        progress_(progress),
        links_(rows),
        fine_noise_(rows.mine()) {
    draw_noise({source, NoiseKind::circle_degrees}, noise.fine, fine_noise_, rows.first_node());
  }

  void coarse_degrees(std::span<std::int32_t> out) override {
    std::vector<std::int64_t> more(part().mine());
    samplers_.coarsening.draw(source_, NoiseKind::circle_coins, NoiseKind::circle_coarsening,
                              part().first_node(), more);
    release(out, [&](Node v) { return fine(v) + within(more[part().entry(v)], enough); });
  }
  void fine_degrees(const CirclesOrder* order, std::uint32_t first_block,
                    std::span<std::int32_t> out) override {
    release(out, [&](Node v) { return order != nullptr && order->block_of[v] < first_block ? 0 : fine(v); });
  }
  void start_sweeps(const CirclesOrder& order, std::uint32_t clusters) override {
    links_.start(order);
    design_.clusters = clusters;
  }

  void rows(Sweep sweep, std::uint32_t block, std::span<const Node> nodes,
            std::span<std::int16_t> all_rows) override {
    if (!drawn_ || *drawn_ != sweep) draw(sweep);
    const std::size_t clusters = design_.clusters;
    std::vector<std::int64_t> released(nodes.size() * clusters);
    const auto one = [&](std::size_t i) {
      if (!links_.is_mine(nodes[i])) return;
      Cells cells{};
      links_.add(sweep, block, nodes[i], cells);
      const std::size_t first = part().entry(nodes[i]) * clusters;
      for (std::size_t c = 0; c < clusters; ++c)
        released[i * clusters + c] = within(cells[c] + noise_[first + c], most_stored_cell);
    };
    constexpr std::size_t worth_a_thread = 64;
    if (nodes.size() < worth_a_thread)
      for (std::size_t i = 0; i < nodes.size(); ++i) one(i);
    else
      parallel_for(nodes.size(), worth_a_thread / 4, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) one(i);
      });
    part().add_up(released);
    for (std::size_t i = 0; i < released.size(); ++i)
      all_rows[std::size_t{nodes[i / clusters]} * clusters + i % clusters] =
          static_cast<std::int16_t>(released[i]);
    did(released.size());
  }
  void labelled(std::span<const Node> nodes, std::span<const std::uint8_t> label_of) override {
    for (const Node v : nodes) links_.label(v, label_of[v]);
  }
  void leaving_links(const CirclesOrder& order, std::span<const Node> core,
                     std::span<std::int32_t> out) override {
    std::vector<std::int64_t> noise(part().mine()), leaving(part().mine());
    draw_noise({source_, NoiseKind::circle_leaving}, samplers_.leaving, noise, part().first_node());
    for (const Node v : core)
      if (links_.is_mine(v))
        leaving[part().entry(v)] =
            within(noise[part().entry(v)], enough) + links_.from_block_on(order.core_blocks, v);
    release(out, [&](Node v) { return leaving[part().entry(v)]; });
  }

 private:
  // Sums fit. What is cut off cannot be seen behind the bound of what is stored (note 20), but for two draws
  // of this size that cancel, which the price of coarse degrees covers (note 26).
  static constexpr std::int64_t enough = std::int64_t{1} << 61;

  const Rows& part() const { return links_.of(); }
  // What both degrees of a node are made of, so that they are a function of it and of noise that sees no
  // graph.
  std::int64_t fine(Node v) const {
    return within(within(fine_noise_[part().entry(v)], enough) + links_.degree(v), enough / 2);
  }
  static std::int32_t stored(std::int64_t number) {
    return static_cast<std::int32_t>(within(number, most_stored_degree));
  }

  // number(node) of all nodes, each from whoever has it.
  template <class Number>
  void release(std::span<std::int32_t> out, const Number& number) const {
    std::vector<std::int64_t> of_mine(part().mine());
    for (std::size_t i = 0; i < of_mine.size(); ++i)
      of_mine[i] = number(static_cast<Node>(part().first_node() + i));
    std::ranges::transform(part().whole(std::move(of_mine)), out.begin(), stored);
  }

  // The noise of a whole sweep, in 32 bits: links and the bound of a cell are far below what is cut off.
  void draw(Sweep sweep) {
    const bool forward = sweep == Sweep::forward;
    const DiscreteLaplace& noise = forward ? samplers_.forward : samplers_.backward;
    std::vector<std::int64_t> column(part().mine());
    noise_.resize(column.size() * design_.clusters);
    for (std::uint32_t c = 0; c < design_.clusters; ++c) {
      draw_noise({source_, forward ? NoiseKind::circle_forward : NoiseKind::circle_backward, c}, noise,
                 column, part().first_node());
      for (std::size_t v = 0; v < column.size(); ++v)
        noise_[v * design_.clusters + c] =
            static_cast<std::int32_t>(within(column[v], std::numeric_limits<std::int32_t>::max()));
      did(design_.nodes);
    }
    drawn_ = sweep;
  }

  // So many cells were drawn, or counted: each sweep does both, once for every cell.
  void did(std::uint64_t cells) {
    const std::uint64_t all = 4 * design_.nodes * design_.clusters;
    done_ += cells;
    if (!progress_ || done_ - told_ < all / 1024) return;
    told_ = done_;
    progress_("releasing", static_cast<double>(done_) / static_cast<double>(all));
  }

  const CirclesNoise& samplers_;
  CirclesDesign design_;  // with the clusters that there are, once that is known
  NoiseSource& source_;
  const Progress& progress_;
  LinkCounts links_;
  std::vector<std::int64_t> fine_noise_;  // by node of mine
  std::vector<std::int32_t> noise_;
  std::optional<Sweep> drawn_;
  std::uint64_t done_ = 0, told_ = 0;
};

// Hands out what was released, and notes what this graph would have counted there.
class Compared final : public CirclesSource {
 public:
  Compared(const CirclesDesign& design, const Rows& rows, const CirclesNumbers& released)
      : design_(design), links_(rows), released_(released) {
    const std::size_t columns = columns_in(design);
    found_.centre.assign(columns, Column(design.nodes));
    found_.scale.assign(columns, std::vector<double>(design.nodes));
  }

  void coarse_degrees(std::span<std::int32_t> out) override {
    copy(released_.coarse, out);
    for (Node v = 0; v < out.size(); ++v) note(0, v, links_.degree(v), design_.coarse);
  }
  // Where the finer number is known the coarser one is noise on it.
  void fine_degrees(const CirclesOrder* order, std::uint32_t first_block,
                    std::span<std::int32_t> out) override {
    copy(released_.fine, out);
    for (Node v = 0; v < out.size(); ++v) {
      if (order != nullptr && order->block_of[v] < first_block) continue;
      note(0, v, 0, 0);
      note(1, v, links_.degree(v), design_.fine);
    }
  }
  void start_sweeps(const CirclesOrder& order, std::uint32_t clusters) override {
    links_.start(order);
    clusters_ = clusters;
  }
  void rows(Sweep sweep, std::uint32_t block, std::span<const Node> nodes,
            std::span<std::int16_t> all_rows) override {
    const bool forward = sweep == Sweep::forward;
    const std::vector<std::int16_t>& rows = forward ? released_.forward : released_.backward;
    for (const Node v : nodes) {
      Cells cells{};
      links_.add(sweep, block, v, cells);
      const std::size_t first = std::size_t{v} * clusters_;
      for (std::size_t c = 0; c < clusters_; ++c) {
        all_rows[first + c] = first + c < rows.size() ? rows[first + c] : std::int16_t{0};
        note(3 + c + (forward ? 0 : design_.clusters), v, cells[c],
             forward ? design_.forward : design_.backward);
      }
    }
  }
  void labelled(std::span<const Node> nodes, std::span<const std::uint8_t> label_of) override {
    for (const Node v : nodes) links_.label(v, label_of[v]);
  }
  void leaving_links(const CirclesOrder& order, std::span<const Node> core,
                     std::span<std::int32_t> out) override {
    copy(released_.leaving, out);
    for (const Node v : core) note(2, v, links_.from_block_on(order.core_blocks, v), design_.leaving);
  }

  CirclesCentres take() && { return std::move(found_); }

 private:
  void note(std::size_t column, Node v, std::int64_t centre, double scale) {
    found_.centre[column][v] = centre;
    found_.scale[column][v] = scale;
  }
  static void copy(const std::vector<std::int32_t>& from, std::span<std::int32_t> out) {
    if (from.size() == out.size()) std::ranges::copy(from, out.begin());
  }

  const CirclesDesign& design_;
  LinkCounts links_;
  std::uint32_t clusters_ = 0;
  const CirclesNumbers& released_;
  CirclesCentres found_;
};

}  // namespace

CirclesNumbers release_circles(const CirclesNoise& noise, const Rows& rows, NoiseSource& source,
                               const Progress& progress) {
  const Phase phase("sweeping for an artefact");
  rows.check_reach();  // before anything is drawn
  Counted counted(noise, rows, source, progress);
  return run_circles(noise.design, counted);
}

CirclesCentres circles_centres(const CirclesDesign& design, const Rows& rows,
                               const CirclesNumbers& released) {
  if (rows.mine() != rows.nodes()) fail_usage("what was counted is compared where all rows are in one place");
  Compared compared(design, rows, released);
  run_circles(design, compared);
  return std::move(compared).take();
}

namespace {

// visit(part, first column, numbers a node) for the parts that a branch has, one after the other.
template <class Numbers, class Visit>
void each_part(Numbers& numbers, const CirclesDesign& design, const Visit& visit) {
  const std::size_t each = numbers.clusters;
  visit(numbers.coarse, 0, 1);
  if (numbers.branch != CirclesBranch::rows) visit(numbers.fine, 1, 1);
  if (numbers.branch == CirclesBranch::stopped) visit(numbers.leaving, 2, 1);
  if (numbers.branch != CirclesBranch::degrees) visit(numbers.forward, 3, each);
  if (numbers.branch == CirclesBranch::rows) visit(numbers.backward, 3 + design.clusters, each);
}

// So many that the parts are as long as the values.
std::uint32_t clusters_in(const CirclesDesign& design, CirclesBranch branch, std::size_t values) {
  const std::size_t degrees = branch == CirclesBranch::rows ? 1 : 3,
                    sweeps = branch == CirclesBranch::rows ? 2 : 1;
  if (branch == CirclesBranch::degrees || design.nodes == 0 || values / design.nodes <= degrees) return 0;
  const std::size_t clusters = (values / design.nodes - degrees) / sweeps;
  return static_cast<std::uint32_t>(std::min<std::size_t>(clusters, accounting::most_clusters));
}

}  // namespace

Columns circles_columns(const CirclesDesign& design, const CirclesNumbers& numbers) {
  Columns columns(columns_in(design), Column(design.nodes));
  columns.rbegin()[1].assign(design.nodes, static_cast<std::int64_t>(numbers.branch));
  columns.back().assign(design.nodes, numbers.clusters);
  each_part(numbers, design, [&](const auto& part, std::size_t first, std::size_t each) {
    auto number = part.begin();
    for (std::size_t v = 0; number != part.end(); ++v)
      for (std::size_t c = first; c < first + each; ++c) columns[c][v] = *number++;
  });
  return columns;
}

CirclesNumbers circles_numbers_in(const CirclesDesign& design, const Columns& columns) {
  CirclesNumbers numbers;
  numbers.branch = static_cast<CirclesBranch>(columns.rbegin()[1].front());
  numbers.clusters = static_cast<std::uint32_t>(columns.back().front());
  each_part(numbers, design, [&](auto& part, std::size_t first, std::size_t each) {
    using Number = typename std::remove_reference_t<decltype(part)>::value_type;
    for (std::size_t v = 0; v < design.nodes; ++v)
      for (std::size_t c = first; c < first + each; ++c) part.push_back(static_cast<Number>(columns[c][v]));
  });
  return numbers;
}

std::vector<std::int64_t> circles_values(const CirclesDesign& design, const CirclesNumbers& numbers) {
  std::vector<std::int64_t> values = {static_cast<std::int64_t>(numbers.branch)};
  each_part(numbers, design, [&](const auto& part, std::size_t, std::size_t) {
    values.insert(values.end(), part.begin(), part.end());
  });
  return values;
}

CirclesNumbers circles_numbers(const CirclesDesign& design, std::span<const std::int64_t> values) {
  const auto check = [](bool right) {
    if (!right)
      fail("the numbers of circles are damaged: there are too few or too many, or one is too large");
  };
  check(!values.empty() && values.front() >= 0 && values.front() <= 2);
  CirclesNumbers numbers;
  numbers.branch = static_cast<CirclesBranch>(values.front());
  values = values.subspan(1);
  numbers.clusters = clusters_in(design, numbers.branch, values.size());
  each_part(numbers, design, [&](auto& part, std::size_t, std::size_t each) {
    using Number = typename std::remove_reference_t<decltype(part)>::value_type;
    const std::size_t count = design.nodes * each;
    check(values.size() >= count);
    for (const std::int64_t value : values.first(count)) {
      check(std::abs(value) <= std::int64_t{std::numeric_limits<Number>::max()});
      part.push_back(static_cast<Number>(value));
    }
    values = values.subspan(count);
  });
  check(values.empty());
  return numbers;
}

}  // namespace hushwalk
