// How a file becomes parts. Every byte is read by one process: it checks an equal share of the pieces, reads
// an equal share of the rows, and sends these to their owners. Then rows of others get places behind mine,
// and a star forest (PetscSF: McInnes et al., "PetscSF", IEEE TPDS 2022) learns who needs what from whom.
#include "distributed/part.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/fail.h"
#include "distributed/exchange.h"
#include "noise/noise_source.h"

namespace hushwalk {
namespace {

// PETSc has printed why by then; whoever calls runs in Job::together, and the job ends.
void petsc(PetscErrorCode code) {
  if (code != 0) fail("PETSc failed (error {})", static_cast<int>(code));
}

// A set of rows that knows the position of each member: a bit for every row, and half a bit more.
class RowSet {
 public:
  explicit RowSet(std::uint64_t rows) : words_(rows / 64 + 1), before_(words_.size()) {}

  void insert(Row row) { words_[row / 64] |= bit(row); }
  bool contains(Row row) const { return (words_[row / 64] & bit(row)) != 0; }
  void count() {
    Row sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      before_[i] = sum;
      sum += static_cast<Row>(std::popcount(words_[i]));
    }
  }
  // Among the members, after count().
  Row position(Row row) const {
    return before_[row / 64] + static_cast<Row>(std::popcount(words_[row / 64] & (bit(row) - 1)));
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        visit(static_cast<Row>(i * 64 + static_cast<std::size_t>(std::countr_zero(left))));
  }

 private:
  static std::uint64_t bit(Row row) { return std::uint64_t{1} << row % 64; }
  std::vector<std::uint64_t> words_;
  std::vector<Row> before_;
};

// A header of the first process that differs from mine means another file under the same name.
void check_same_file(const Job& job, const SpreadFile& file, const std::filesystem::path& path) {
  graph_file::Header first = file.header();
  job.share(std::span(&first, 1));
  job.each([&] {
    if (std::memcmp(&first, &file.header(), sizeof first) != 0)
      fail("process {} finds another file at '{}' than the first process: give all of them the same",
           job.number(), path.string());
  });
}

SymmetryCheck common_symmetry(const Job& job, std::uint64_t rows) {
  SymmetryCheck::Tables tables = SymmetryCheck(rows).tables();
  job.share(std::span(tables.low));
  job.share(std::span(tables.high));
  return SymmetryCheck(std::move(tables));
}

// The rows that this process reads: an equal share of all links and rows.
std::pair<std::uint64_t, std::uint64_t> rows_to_read(const SpreadFile& file) {
  const auto offsets = file.rows().offsets;
  const std::uint64_t rows = offsets.size() - 1, all = offsets[rows] + rows;
  const auto row_at = [&](const CheckShare& share) {
    const std::uint64_t wanted = share.first(all);
    std::uint64_t low = 0, high = rows;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (offsets[middle] + middle < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return share.number == share.of ? rows : low;
  };
  const CheckShare& share = file.share();
  return {row_at(share), row_at({share.number + 1, share.of})};
}

}  // namespace

GraphPart::GraphPart(const Job& job, const std::filesystem::path& path) : job_(job) {
  const CheckShare share{static_cast<std::size_t>(job.number()), static_cast<std::size_t>(job.size())};
  job.each([&] { file_ = std::make_unique<const SpreadFile>(path, share); });
  check_same_file(job, *file_, path);
  check();
  job.together([&] {
    cut();
    receive_rows();
    name_others();
    link_up();
    take_room();
  });
  job.usage() = {.links = offsets_.back(), .inner_links = offsets_[inner_], .others = others_.size()};
}

GraphPart::~GraphPart() { PetscSFDestroy(&forest_); }

void GraphPart::check() const {
  job_.each([&] { file_->check_offsets(); });
  const SymmetryCheck symmetry = common_symmetry(job_, file_->header().nodes);
  std::uint64_t balance = 0;
  job_.each([&] { balance = file_->check_neighbors(symmetry); });
  balance = job_.sum(balance);
  job_.each([&] { file_->check_balance(balance); });
  job_.each([&] { file_->check_order(); });
}

// Ranges of groups of nodes of about equal weight, which may be empty.
void GraphPart::cut() {
  const Csr& csr = file_->rows();
  const std::uint64_t nodes = csr.rows();
  std::vector<std::int64_t> weights(nodes / nodes_per_group + 1);
  const auto [first, last] = rows_to_read(*file_);
  for (std::uint64_t row = first; row < last; ++row)
    weights[csr.node_of_row[row] / nodes_per_group] +=
        static_cast<std::int64_t>(csr.degree(static_cast<Row>(row)) + links_per_node);
  job_.add_up(weights);
  const auto all =
      static_cast<std::uint64_t>(std::accumulate(weights.begin(), weights.end(), std::int64_t{0}));
  const auto size = static_cast<std::uint64_t>(job_.size());
  cuts_.assign(1, 0);
  std::uint64_t sum = 0;
  for (std::uint64_t group = 0; group < weights.size(); ++group) {
    sum += static_cast<std::uint64_t>(weights[group]);
    while (cuts_.size() < size && sum >= CheckShare{cuts_.size(), size}.first(all))
      cuts_.push_back(std::min(nodes, (group + 1) * nodes_per_group));
  }
  cuts_.resize(size + 1, nodes);
}

std::uint64_t GraphPart::owner_of(Node node) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(cuts_, node) - cuts_.begin() - 1);
}

bool GraphPart::has_links_elsewhere(std::uint64_t row, std::uint64_t owner) const {
  const Csr& csr = file_->rows();
  return std::ranges::any_of(csr.row(static_cast<Row>(row)), [&](Row neighbor) {
    const Node node = csr.node_of_row[neighbor];
    return node < cuts_[owner] || node >= cuts_[owner + 1];
  });
}

std::size_t GraphPart::place_of(Row row) const {
  const auto outer = rows_.begin() + inner_, found = std::lower_bound(rows_.begin(), outer, row);
  const bool is_inner = found != outer && *found == row;
  return static_cast<std::size_t>((is_inner ? found : std::lower_bound(outer, rows_.end(), row)) -
                                  rows_.begin());
}

void GraphPart::receive_rows() {
  const Csr& csr = file_->rows();
  const auto range = rows_to_read(*file_);
  const std::uint64_t first = range.first,
                      last = range.second;  // by name: the analyzer loses bindings in lambdas
  const auto owner = [&](std::uint64_t row) { return owner_of(csr.node_of_row[row]); };
  const auto me = static_cast<std::size_t>(job_.number());
  const auto first_node = static_cast<Node>(cuts_[me]);

  // Degrees first, so that every row knows its place: whether others are needed, row, node, degree.
  struct Head {
    std::uint32_t outer;
    Row row;
    Node node;
    std::uint32_t degree;
  };
  std::vector<Head> heads;
  heads.reserve(cuts_[me + 1] - cuts_[me]);
  std::uint64_t row = first;
  exchange_in_turns(
      job_,
      [&](std::vector<Message>& to) {
        const std::uint64_t end = std::min(last, row + words_in_a_turn(job_) / 4);
        for (; row < end; ++row) {
          const std::uint64_t process = owner(row);
          const std::uint32_t outer = has_links_elsewhere(row, process) ? 1 : 0;
          for (const std::uint32_t word : {outer, static_cast<Row>(row), csr.node_of_row[row],
                                           static_cast<std::uint32_t>(csr.degree(static_cast<Row>(row)))})
            to[process].push_back(word);
        }
        return row < last;
      },
      [&](std::size_t, Words words) {
        for (std::size_t i = 0; i < words.size(); i += 4)
          heads.push_back({words[i], words[i + 1], words[i + 2], words[i + 3]});
      });
  std::ranges::sort(heads, {}, [](const Head& head) { return std::pair(head.outer, head.row); });
  inner_ = static_cast<Row>(std::ranges::count(heads, 0U, &Head::outer));
  rows_.reserve(heads.size()), node_of_row_.reserve(heads.size()), offsets_.assign(1, 0);
  offsets_.reserve(heads.size() + 1), row_of_node_.resize(heads.size());
  for (const Head& head : heads) {
    row_of_node_[head.node - first_node] = static_cast<Row>(rows_.size());
    rows_.push_back(head.row);
    node_of_row_.push_back(head.node - first_node);
    offsets_.push_back(offsets_.back() + head.degree);
  }
  heads = {};

  // Then links, some of a row at a time: row, where they begin in it, how many, they.
  neighbors_.resize(offsets_.back());
  row = first;
  std::uint64_t at = csr.offsets[first];
  exchange_in_turns(
      job_,
      [&](std::vector<Message>& to) {
        for (std::size_t room = words_in_a_turn(job_); row < last && room > 0;) {
          const std::uint64_t end = csr.offsets[row + 1];
          const auto links = csr.neighbors.subspan(at, std::min<std::uint64_t>(end - at, room));
          Message& words = to[owner(row)];
          words.insert(words.end(), {static_cast<Row>(row), static_cast<std::uint32_t>(at - csr.offsets[row]),
                                     static_cast<std::uint32_t>(links.size())});
          words.insert(words.end(), links.begin(), links.end());
          room -= std::min(room, links.size() + 3);
          at += links.size();
          if (at == end) ++row;
        }
        return row < last;
      },
      [&](std::size_t, Words words) {
        for (std::size_t i = 0; i < words.size();) {
          const std::size_t count = words[i + 2];
          std::copy_n(
              words.begin() + static_cast<std::ptrdiff_t>(i + 3), count,
              neighbors_.begin() + static_cast<std::ptrdiff_t>(offsets_[place_of(words[i])] + words[i + 1]));
          i += 3 + count;
        }
      });
}

// Links to rows of the whole graph become links to places.
void GraphPart::name_others() {
  const Csr& csr = file_->rows();
  RowSet mine(csr.rows()), foreign(csr.rows());
  for (const Row row : rows_) mine.insert(row);
  for (const Row row : neighbors_)
    if (!mine.contains(row)) foreign.insert(row);
  mine.count(), foreign.count();
  std::vector<Row> my_place(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) my_place[mine.position(rows_[i])] = static_cast<Row>(i);
  std::vector<Row> others;
  foreign.each([&](Row row) { others.push_back(row); });
  std::ranges::sort(others, {}, [&](Row row) { return csr.node_of_row[row]; });
  std::vector<Row> place(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    place[foreign.position(others[i])] = static_cast<Row>(rows_.size() + i);
    others_.push_back(csr.node_of_row[others[i]]);
  }
  parallel_for(neighbors_.size(), 1 << 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      neighbors_[i] = mine.contains(neighbors_[i]) ? my_place[mine.position(neighbors_[i])]
                                                   : place[foreign.position(neighbors_[i])];
  });
}

void GraphPart::link_up() {
  constexpr std::size_t most = std::size_t{1} << 31;  // PETSc's messages count in int
  if (rows_.size() >= most || others_.size() >= most)
    fail(
        for_custodian("it has {} rows and is linked to {} others", rows_.size(), others_.size()),
        "a process has too many rows, or is linked to too many others; use more processes, so that both are below 2^31");
  const auto first = static_cast<PetscInt>(cuts_[static_cast<std::size_t>(job_.number())]);
  std::vector<PetscInt> roots(rows_.size());
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = first + node_of_row_[i];
  const std::vector<PetscInt> leaves(others_.begin(), others_.end());
  PetscLayout layout = nullptr;
  petsc(
      PetscLayoutCreateFromSizes(Job::all(), PETSC_DECIDE, static_cast<PetscInt>(cuts_.back()), 1, &layout));
  petsc(PetscSFCreateByMatchingIndices(layout, static_cast<PetscInt>(roots.size()), roots.data(), nullptr, 0,
                                       static_cast<PetscInt>(leaves.size()), leaves.data(), nullptr, 0,
                                       nullptr, &forest_));
  petsc(PetscSFSetUp(forest_));
  petsc(PetscLayoutDestroy(&layout));
}

// How much memory messages take is secret: PETSc takes it now, for both ways, not after some noise was drawn.
void GraphPart::take_room() const {
  std::vector<std::int64_t> nothing(rows_.size() + others_.size());
  bring(nothing.data(), 1)();
  send_back(nothing.data());
}

Rows GraphPart::rows() const {
  return Rows({.csr = {offsets_, neighbors_, node_of_row_, row_of_node_, nullptr},
               .others = others_.size(),
               .inner = inner_,
               .other_nodes = others_,
               .first_node = rows_.empty()
                                 ? Node{0}
                                 : static_cast<Node>(cuts_[static_cast<std::size_t>(job_.number())]),
               .nodes = cuts_.back(),
               .exchange = this});
}

Sha256 GraphPart::digest() const {
  Sha256 found{};
  std::vector<Sha256> mine, all;
  job_.each([&] { mine = file_->digests(); });
  job_.together([&] {
    for (int from = 0; from < job_.size(); ++from) {
      std::uint64_t count = mine.size();
      job_.share(std::span(&count, 1), from);
      std::vector<Sha256> theirs = from == job_.number() ? mine : std::vector<Sha256>(count);
      job_.share(std::span(theirs), from);
      all.insert(all.end(), theirs.begin(), theirs.end());
    }
    found = file_->digest(all);
  });
  return found;
}

namespace {

// So many numbers that travel together.
class Lanes {
 public:
  Lanes(MPI_Datatype one, std::size_t lanes) : type_(one) {
    if (lanes == 1) return;
    MPI_Type_contiguous(static_cast<int>(lanes), one, &type_);
    MPI_Type_commit(&type_);
    made_ = true;
  }
  ~Lanes() {
    if (made_) MPI_Type_free(&type_);
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_;
  bool made_ = false;
};

}  // namespace

// Doubles travel as whole numbers, so that PETSc's memory for messages serves both.
template <class Word>
Exchange::Wait GraphPart::bring_words(Word* values, std::size_t lanes) const {
  static_assert(sizeof(Word) == sizeof(std::int64_t));
  job_.exchanging();
  const auto words = std::make_shared<const Lanes>(MPI_INT64_T, lanes);
  Word* const others = values + rows_.size() * lanes;
  petsc(PetscSFBcastBegin(forest_, words->type(), values, others, MPI_REPLACE));
  job_.usage().brought += others_.size() * lanes * sizeof(Word);
  ++job_.usage().times;
  return [this, words, values, others] {
    petsc(PetscSFBcastEnd(forest_, words->type(), values, others, MPI_REPLACE));
  };
}
template Exchange::Wait GraphPart::bring_words(double* values, std::size_t lanes) const;
template Exchange::Wait GraphPart::bring_words(std::int64_t* values, std::size_t lanes) const;

void GraphPart::send_back(std::int64_t* values) const {
  job_.exchanging();
  petsc(PetscSFReduceBegin(forest_, MPI_INT64_T, values + rows_.size(), values, MPI_SUM));
  petsc(PetscSFReduceEnd(forest_, MPI_INT64_T, values + rows_.size(), values, MPI_SUM));
}

void GraphPart::collect(std::span<const std::int64_t> mine, std::span<std::int64_t> all) const {
  std::ranges::copy(
      mine, all.begin() + static_cast<std::ptrdiff_t>(cuts_[static_cast<std::size_t>(job_.number())]));
  for (int from = 0; from < job_.size(); ++from) {
    const auto p = static_cast<std::size_t>(from);
    job_.share(all.subspan(cuts_[p], cuts_[p + 1] - cuts_[p]), from);
  }
}

}  // namespace hushwalk
