#include "noise/discrete_laplace.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/fail.h"
#include "noise/exact_bernoulli.h"
#include "noise/rational.h"

namespace hushwalk {
namespace {

constexpr int first_bits_count = 16, first_bits_shift = 64 - first_bits_count;
constexpr std::size_t plane_count = 16, max_digits = plane_count - 1;
constexpr std::uint64_t digit_mask = (std::uint64_t{1} << max_digits) - 1;
constexpr std::size_t lanes = nodes_per_group;

using Planes = std::array<std::uint64_t, plane_count>;

// Sixteen bit-planes of 64 lanes become sixteen words of four lanes: bits 16 b ... 16 b + 15 of word r are
// the digits of lane 16 b + r. Blocks of 16 x 16 bits are transposed by exchanging their quarters, then those
// of the quarters, and so on (Warren, Hacker's Delight, 7-3), four blocks side by side.
void transpose(Planes& planes) {
  constexpr std::array<std::uint64_t, 4> masks = {0x00ff00ff00ff00ff, 0x0f0f0f0f0f0f0f0f, 0x3333333333333333,
                                                  0x5555555555555555};
  for (std::size_t step = 0, width = 8; width > 0; ++step, width /= 2) {
    for (std::size_t row = 0; row < plane_count; ++row) {
      if ((row & width) != 0) continue;
      std::uint64_t &upper = planes[row], &lower = planes[row + width];
      const std::uint64_t swapped = ((upper >> width) ^ lower) & masks[step];
      upper ^= swapped << width;
      lower ^= swapped;
    }
  }
}

// Words that were used are as secret as the noise made of them.
void wipe(std::span<std::uint64_t> words) { OPENSSL_cleanse(words.data(), words.size_bytes()); }

double checked(double scale) {
  if (!(scale >= DiscreteLaplace::min_scale && scale <= DiscreteLaplace::max_scale))
    fail_usage("the scale of discrete Laplace noise must be between 2^-4 and 2^50, not {}", scale);
  return scale;
}

}  // namespace

DiscreteLaplace::DiscreteLaplace(double scale, const LaplaceLayout& layout)
    : numerator_(exact_fraction(checked(scale)).numerator),
      denominator_(exact_fraction(scale).denominator),
      low_bits_(std::max(0, std::ilogb(scale) - layout.low_part)),
      tail_exponent_(std::max(0, std::ilogb(scale) + 1 + layout.tail)),
      magnitude_bits_(layout.magnitude_bits),
      low_mask_((std::uint64_t{1} << low_bits_) - 1),
      surely_accepted_(static_cast<std::uint64_t>(
          (Uint128{denominator_} << (low_bits_ + first_bits_count)) / numerator_ + 1)),
      tail_(bernoulli(tail_exponent_, false, layout)) {
  for (int i = low_bits_; i < tail_exponent_; ++i) digits_.push_back(bernoulli(i, true, layout));
  if (digits_.size() > max_digits || low_bits_ > first_bits_shift || tail_exponent_ > magnitude_bits_)
    fail_usage("this layout of discrete Laplace noise does not fit");
}

// e^(2^exponent / t), t = numerator / denominator.
LazyBernoulli DiscreteLaplace::bernoulli(int exponent, bool one, const LaplaceLayout& layout) const {
  return LazyBernoulli({denominator_ << exponent, numerator_, one}, layout.kept_digits);
}

// Eight planes for every digit and for the first coin of the tail, the signs, a word for every low part: an
// even number, because a block of the cipher is two words.
std::size_t DiscreteLaplace::words_per_group() const {
  const std::size_t words = LazyBernoulli::planes * (digits_.size() + 1) + 1 + (low_bits_ > 0 ? lanes : 0);
  return words + words % words_per_block;
}

// A sample, of which some coins may not be decided. Their bits of the magnitude are 0 so far.
struct DiscreteLaplace::Proposal {
  std::uint64_t magnitude = 0;
  std::uint64_t low_word =
      ~std::uint64_t{0};        // the low part, and on top the first bits of the coin that may reject it
  std::uint32_t place = 0;      // in the batch
  std::uint16_t undecided = 0;  // a bit for every digit, and one above them for the tail
  bool tail = false, negative = false;

  std::int64_t value() const {
    return negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  }
};

// The questions that a proposal left open, always in this order: the digits from the lowest, the low part,
// the tail, the sign of zero. False when it is rejected.
template <class Words>
bool DiscreteLaplace::finish(Words& words, Proposal& proposal) const {
  for (unsigned open = proposal.undecided & ((1U << digits_.size()) - 1); open != 0; open &= open - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(open));
    if (digits_[i].settle(words)) proposal.magnitude += digit(i);
  }
  const std::uint64_t first_bits = proposal.low_word >> first_bits_shift;
  if (low_bits_ > 0 && first_bits < surely_accepted_ &&
      !accept_low(words, proposal.low_word & low_mask_, first_bits))
    return false;
  if (proposal.tail || ((proposal.undecided >> digits_.size() & 1) != 0 && tail_.settle(words)))
    proposal.magnitude = add_tail(words, proposal.magnitude);
  return proposal.magnitude != 0 || !proposal.negative;
}

// A proposal from words of its own: the first eight digits of all coins, eight coins a word, from the lowest
// byte; the sign in the byte after them; the low part.
template <class Words>
DiscreteLaplace::Proposal DiscreteLaplace::propose(Words& words) const {
  Proposal proposal;
  std::uint64_t bytes = 0;
  const auto next_byte = [&](std::size_t i) {
    bytes = i % 8 == 0 ? words.next_word() : bytes >> 8;
    return static_cast<std::uint8_t>(bytes);
  };
  for (std::size_t i = 0; i <= digits_.size(); ++i) {
    const bool is_tail = i == digits_.size();
    const int order = (is_tail ? tail_ : digits_[i]).compare(next_byte(i));
    proposal.undecided |= static_cast<std::uint16_t>((order == 0) << i);
    if (order < 0 && is_tail) proposal.tail = true;
    if (order < 0 && !is_tail) proposal.magnitude += digit(i);
  }
  proposal.negative = (next_byte(digits_.size() + 1) & 1) != 0;
  if (low_bits_ > 0) proposal.low_word = words.next_word();
  if (low_bits_ > 0) proposal.magnitude |= proposal.low_word & low_mask_;
  return proposal;
}

// True with probability e^(-low / t), low / t = low * denominator / numerator. The first coin, of bias low /
// t, has already shown its first bits.
template <class Words>
bool DiscreteLaplace::accept_low(Words& words, std::uint64_t low, std::uint64_t first_bits) const {
  const Uint128 x = Uint128{low} * denominator_, whole = numerator_;
  const Uint128 digit = (x << first_bits_count) / whole, rest = (x << first_bits_count) % whole;
  const bool first = first_bits == digit ? draw_fraction(words, rest, whole) : first_bits < digit;
  return !first || draw_exp_after_first(words, x, whole);
}

// The first coin of bias e^(-2^m / t) has shown true. H stops where the sum would leave the range.
template <class Words>
std::uint64_t DiscreteLaplace::add_tail(Words& words, std::uint64_t magnitude) const {
  const auto again = [&] {
    const int order = tail_.compare(static_cast<std::uint8_t>(words.next_word()));
    return order == 0 ? tail_.settle(words) : order < 0;
  };
  const std::uint64_t end = std::uint64_t{1} << (magnitude_bits_ - tail_exponent_);
  std::uint64_t high = 1;
  while (high < end && again()) ++high;
  if (high == end) return (std::uint64_t{1} << magnitude_bits_) - 1;
  return magnitude + (high << tail_exponent_);
}

namespace {

// A node's own stream, of which some words have been fetched with those of others.
class OwnStream {
 public:
  // `fetched` are the words from number `first` on, whole blocks; `next` is the first that was not used yet.
  OwnStream(PieceWords& words, std::uint64_t node, std::span<const std::uint64_t> fetched,
            std::uint64_t first, std::uint64_t next)
      : words_(words), node_(node), fetched_(fetched), first_(first), next_(next) {}
  ~OwnStream() {
    if (fetched_.data() == more_.data()) wipe(more_);
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  std::uint64_t next_word() {
    if (next_ - first_ == fetched_.size()) fetch();
    return fetched_[next_++ - first_];
  }
  std::uint64_t next() const { return next_; }

 private:
  void fetch() {
    std::array<OwnBlock, blocks> wanted;
    for (std::size_t i = 0; i < blocks; ++i) wanted[i] = {node_, next_ / words_per_block + i};
    words_.own(wanted, more_);
    fetched_ = more_;
    first_ = next_;
  }

  static constexpr std::size_t blocks = 4;
  PieceWords& words_;
  std::uint64_t node_;
  std::span<const std::uint64_t> fetched_;
  std::uint64_t first_, next_;
  std::array<std::uint64_t, blocks * words_per_block> more_;
};

}  // namespace

// Some groups at once, so that the words of all of them, and then those of all open samples, are encrypted
// together.
class DiscreteLaplace::Batch {
 public:
  static constexpr std::size_t most_groups = 32;  // whose words fit into the second cache

  Batch(const DiscreteLaplace& noise, PieceWords& words, std::size_t groups)
      : noise_(noise), words_(words), per_group_(noise.words_per_group()), primary_(groups * per_group_) {}
  ~Batch() {
    wipe(primary_);
    wipe(own_);
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void draw(std::uint64_t first_group, std::span<std::int64_t> out) {
    const std::size_t groups = (out.size() + lanes - 1) / lanes;
    const auto used = std::span(primary_).first(groups * per_group_);
    words_.primary(first_group, per_group_, used);
    open_.clear();
    for (std::size_t group = 0; group < groups; ++group)
      draw_group(used.subspan(group * per_group_, per_group_), out, group * lanes);
    settle(first_group * lanes, out);
  }

 private:
  struct Group;

  void draw_group(std::span<const std::uint64_t> words, std::span<std::int64_t> out, std::size_t place);
  void settle(std::uint64_t first_node, std::span<std::int64_t> out);
  void fetch(std::uint64_t first_node, std::size_t blocks);

  const DiscreteLaplace& noise_;
  PieceWords& words_;
  std::size_t per_group_;
  std::vector<std::uint64_t> primary_, own_;
  struct Open {
    Proposal proposal;
    std::uint64_t used = 0;  // words of the own stream
  };
  std::vector<Open> open_;
  std::vector<OwnBlock> wanted_;
};

// Loops over lanes are written so that the compiler makes vectors of them: conditions are sign bits of
// differences, because SSE2 does not compare words.
struct DiscreteLaplace::Batch::Group {
  std::array<std::uint64_t, lanes> magnitude;
  std::array<std::uint64_t, lanes> sign;  // all ones for a negative sample
  std::array<std::uint64_t, plane_count> undecided{};
  std::uint64_t tail = 0, open = 0;  // a bit per lane

  // The sign is one more digit.
  void read_coins(const DiscreteLaplace& noise, std::span<const std::uint64_t> words) {
    constexpr std::size_t count = LazyBernoulli::planes;
    Planes planes{};
    for (std::size_t i = 0; i <= noise.digits_.size(); ++i) {
      const LazyBernoulli& coin = i < noise.digits_.size() ? noise.digits_[i] : noise.tail_;
      const auto [below, undecided_now] = coin.compare(words.subspan(i * count).template first<count>());
      (i < noise.digits_.size() ? planes[i] : tail) = below;
      undecided[i] = undecided_now;
      open |= undecided_now;
    }
    open |= tail;
    planes[max_digits] = words[count * (noise.digits_.size() + 1)];
    put_together(planes, noise.low_bits_);
  }

  void put_together(Planes& planes, int low_bits) {
    transpose(planes);
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      for (std::size_t i = 0; i < plane_count; ++i) {
        const std::uint64_t row = planes[i] >> (plane_count * quarter);
        magnitude[plane_count * quarter + i] = (row & digit_mask) << low_bits;
        sign[plane_count * quarter + i] = -(row >> max_digits & 1);
      }
    }
  }

  // One word holds the low part of a lane and the first bits of the coin that may reject it.
  void add_low_parts(std::span<const std::uint64_t> low, std::uint64_t low_mask, std::uint64_t surely) {
    std::uint64_t doubtful = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      magnitude[lane] |= low[lane] & low_mask;
      doubtful |= (low[lane] >> first_bits_shift) - surely;
    }
    if (doubtful >> 63 == 0) return;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      open |= ((low[lane] >> first_bits_shift) - surely) >> 63 << lane;
  }

  std::uint64_t minus_zero_bit(std::size_t lane) const noexcept {
    return ((magnitude[lane] - 1) & sign[lane]) >> 63;
  }

  void write(std::span<std::int64_t, lanes> out) {
    std::uint64_t minus_zero = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      minus_zero |= minus_zero_bit(lane);
      out[lane] = static_cast<std::int64_t>((magnitude[lane] ^ sign[lane]) - sign[lane]);
    }
    if (minus_zero == 0) return;
    for (std::size_t lane = 0; lane < lanes; ++lane) open |= minus_zero_bit(lane) << lane;
  }

  Proposal proposal(std::size_t lane, std::size_t coins) const {
    Proposal proposal{.magnitude = magnitude[lane]};
    proposal.negative = sign[lane] != 0;
    proposal.tail = (tail >> lane & 1) != 0;
    for (std::size_t i = 0; i < coins; ++i)
      proposal.undecided |= static_cast<std::uint16_t>((undecided[i] >> lane & 1) << i);
    return proposal;
  }
};

void DiscreteLaplace::Batch::draw_group(std::span<const std::uint64_t> words, std::span<std::int64_t> out,
                                        std::size_t place) {
  Group group;
  group.read_coins(noise_, words);
  const auto low = words.subspan(LazyBernoulli::planes * (noise_.digits_.size() + 1) + 1);
  if (noise_.low_bits_ > 0) group.add_low_parts(low, noise_.low_mask_, noise_.surely_accepted_);
  const std::size_t count = std::min(lanes, out.size() - place);
  if (count == lanes) {
    group.write(out.subspan(place).first<lanes>());
  } else {
    std::array<std::int64_t, lanes> whole;
    group.write(whole);
    std::copy_n(whole.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(place));
    group.open &= (std::uint64_t{1} << count) - 1;
  }
  for (; group.open != 0; group.open &= group.open - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(group.open));
    Proposal proposal = group.proposal(lane, noise_.digits_.size() + 1);
    proposal.place = static_cast<std::uint32_t>(place + lane);
    if (noise_.low_bits_ > 0) proposal.low_word = low[lane];
    open_.push_back({proposal});
  }
}

// The next blocks of the own stream of every open sample.
void DiscreteLaplace::Batch::fetch(std::uint64_t first_node, std::size_t blocks) {
  wanted_.clear();
  for (const Open& open : open_)
    for (std::size_t i = 0; i < blocks; ++i)
      wanted_.push_back({first_node + open.proposal.place, open.used / words_per_block + i});
  own_.resize(wanted_.size() * words_per_block);
  if (!wanted_.empty()) words_.own(wanted_, own_);
}

// One word is mostly enough for a coin that is open, two to four for another proposal.
void DiscreteLaplace::Batch::settle(std::uint64_t first_node, std::span<std::int64_t> out) {
  const auto own = [&](std::size_t i, std::size_t blocks) {
    const std::size_t count = blocks * words_per_block;
    const std::uint64_t used = open_[i].used;
    return OwnStream(words_, first_node + open_[i].proposal.place, std::span(own_).subspan(i * count, count),
                     used - used % words_per_block, used);
  };
  fetch(first_node, 1);
  std::size_t rejected = 0;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    OwnStream words = own(i, 1);
    Proposal proposal = open_[i].proposal;
    if (noise_.finish(words, proposal))
      out[proposal.place] = proposal.value();
    else
      open_[rejected++] = {proposal, words.next()};
  }
  open_.resize(rejected);
  constexpr std::size_t blocks = 3;
  fetch(first_node, blocks);
  for (std::size_t i = 0; i < open_.size(); ++i) {
    OwnStream words = own(i, blocks);
    Proposal proposal = noise_.propose(words);
    while (!noise_.finish(words, proposal)) proposal = noise_.propose(words);
    out[open_[i].proposal.place] = proposal.value();
  }
}

void DiscreteLaplace::fill(PieceWords& words, std::uint64_t first_group, std::span<std::int64_t> out) const {
  constexpr std::size_t most = Batch::most_groups * lanes;
  Batch batch(*this, words, (std::min(out.size(), most) + lanes - 1) / lanes);
  for (; !out.empty(); first_group += Batch::most_groups) {
    const std::size_t count = std::min(out.size(), most);
    batch.draw(first_group, out.first(count));
    out = out.subspan(count);
  }
}

void DiscreteLaplace::fill(RandomStream& stream, std::span<std::int64_t> out) const {
  StreamWords words(stream);
  fill(words, 0, out);
}

void draw_by_address(NoiseSource& source, NoiseKind kind, std::uint64_t step, const DiscreteLaplace& noise,
                     std::uint64_t first, std::span<std::int64_t> out) {
  if (first % nodes_per_group != 0) fail_usage("noise is drawn from a multiple of 64 on, not from {}", first);
  while (!out.empty()) {
    const std::uint64_t within = first % nodes_per_piece;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), nodes_per_piece - within));
    noise.fill(*source.piece({kind, step, first / nodes_per_piece}), within / nodes_per_group,
               out.first(count));
    first += count;
    out = out.subspan(count);
  }
}

}  // namespace hushwalk
