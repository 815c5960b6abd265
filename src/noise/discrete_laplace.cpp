#include "noise/discrete_laplace.h"

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

double checked(double scale) {
  if (!(scale >= DiscreteLaplace::min_scale && scale <= DiscreteLaplace::max_scale))
    fail_usage("the scale of discrete Laplace noise must be between 1 and 2^50, not {}", scale);
  return scale;
}

}  // namespace

DiscreteLaplace::DiscreteLaplace(double scale, const LaplaceLayout& layout)
    : numerator_(exact_fraction(checked(scale)).numerator),
      denominator_(exact_fraction(scale).denominator),
      low_bits_(std::max(0, std::ilogb(scale) - layout.low_part)),
      tail_exponent_(std::ilogb(scale) + 1 + layout.tail),
      magnitude_bits_(layout.magnitude_bits),
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

void DiscreteLaplace::fill(RandomStream& stream, std::span<std::int64_t> out) const {
  WordReader words(stream);
  std::array<std::int64_t, lanes> samples;
  while (!out.empty()) {
    const std::size_t count = std::min(draw_block(words, samples), out.size());
    std::copy_n(samples.begin(), count, out.begin());
    out = out.subspan(count);
  }
}

// Loops over lanes are written so that the compiler makes vectors of them: conditions are sign bits of
// differences, because SSE2 does not compare words.
struct DiscreteLaplace::Block {
  std::array<std::uint64_t, lanes> magnitude;
  std::array<std::uint64_t, lanes> sign;  // all ones for a negative sample
  std::uint64_t rejected = 0;             // a bit per lane

  std::uint64_t minus_zero_bit(std::size_t lane) const noexcept {
    return ((magnitude[lane] - 1) & sign[lane]) >> 63;
  }

  // The samples that are neither rejected nor -0; returns how many.
  std::size_t write(std::span<std::int64_t, lanes> out) const {
    std::uint64_t minus_zero = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      minus_zero |= minus_zero_bit(lane);
      out[lane] = static_cast<std::int64_t>((magnitude[lane] ^ sign[lane]) - sign[lane]);
    }
    if (rejected == 0 && minus_zero == 0) return lanes;
    std::size_t count = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      out[count] = out[lane];
      count += static_cast<std::size_t>((rejected >> lane & 1) == 0) &
               static_cast<std::size_t>(minus_zero_bit(lane) == 0);
    }
    return count;
  }
};

std::size_t DiscreteLaplace::draw_block(WordReader& words, std::span<std::int64_t, lanes> out) const {
  Block block;
  draw_digits(words, block);
  if (low_bits_ > 0) add_low_parts(words, block);
  for (std::uint64_t rest = tail_.draw(words); rest != 0; rest &= rest - 1) {
    std::uint64_t& magnitude = block.magnitude[static_cast<std::size_t>(std::countr_zero(rest))];
    magnitude = add_tail(words, magnitude);
  }
  return block.write(out);
}

// The sign is one more digit.
void DiscreteLaplace::draw_digits(WordReader& words, Block& block) const {
  Planes planes;
  planes.fill(0);
  for (std::size_t i = 0; i < digits_.size(); ++i) planes[i] = digits_[i].draw(words);
  planes[max_digits] = words.next_word();
  transpose(planes);
  for (std::size_t group = 0; group < 4; ++group) {
    for (std::size_t i = 0; i < plane_count; ++i) {
      const std::uint64_t row = planes[i] >> (plane_count * group);
      block.magnitude[plane_count * group + i] = (row & digit_mask) << low_bits_;
      block.sign[plane_count * group + i] = -(row >> max_digits & 1);
    }
  }
}

// One word holds the low part of a lane and the first bits of the coin that may reject it.
void DiscreteLaplace::add_low_parts(WordReader& words, Block& block) const {
  const std::uint64_t low_mask = (std::uint64_t{1} << low_bits_) - 1, surely = surely_accepted_;
  std::array<std::uint64_t, lanes> drawn;
  words.fill(drawn);
  std::uint64_t doubtful = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    block.magnitude[lane] |= drawn[lane] & low_mask;
    doubtful |= (drawn[lane] >> first_bits_shift) - surely;
  }
  if (doubtful >> 63 == 0) return;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t first_bits = drawn[lane] >> first_bits_shift;
    if (first_bits < surely && !accept_low(words, drawn[lane] & low_mask, first_bits))
      block.rejected |= std::uint64_t{1} << lane;
  }
}

// True with probability e^(-low / t), low / t = low * denominator / numerator. The first coin, of bias low /
// t, has already shown its first bits.
bool DiscreteLaplace::accept_low(WordReader& words, std::uint64_t low, std::uint64_t first_bits) const {
  const Uint128 x = Uint128{low} * denominator_, whole = numerator_;
  const Uint128 digit = (x << first_bits_count) / whole, rest = (x << first_bits_count) % whole;
  const bool first = first_bits == digit ? draw_fraction(words, rest, whole) : first_bits < digit;
  return !first || draw_exp_after_first(words, x, whole);
}

// The lane's first coin of bias e^(-2^m / t) has shown true. H stops where the sum would leave the range.
std::uint64_t DiscreteLaplace::add_tail(WordReader& words, std::uint64_t magnitude) const {
  const std::uint64_t end = std::uint64_t{1} << (magnitude_bits_ - tail_exponent_);
  std::uint64_t high = 1;
  while (high < end && (tail_.draw(words) & 1) != 0) ++high;
  if (high == end) return (std::uint64_t{1} << magnitude_bits_) - 1;
  return magnitude + (high << tail_exponent_);
}

DiscreteLaplaceSet::DiscreteLaplaceSet(std::span<const double> scales)
    : scales_(scales.begin(), scales.end()) {
  std::for_each(scales_.begin(), scales_.end(), checked);  // a NaN has no place in an order
  std::sort(scales_.begin(), scales_.end());
  scales_.erase(std::unique(scales_.begin(), scales_.end()), scales_.end());
  for (const double scale : scales_) samplers_.emplace_back(scale);
}

void DiscreteLaplaceSet::fill(RandomStream& stream, std::span<const double> scales,
                              std::span<std::int64_t> out) const {
  if (scales.size() != out.size()) fail_usage("{} scales for {} samples", scales.size(), out.size());
  std::vector<std::vector<std::size_t>> places(scales_.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto found = std::lower_bound(scales_.begin(), scales_.end(), scales[i]);
    if (found == scales_.end() || *found != scales[i])
      fail_usage("no sampler was made for scale {}", scales[i]);
    places[static_cast<std::size_t>(found - scales_.begin())].push_back(i);
  }
  std::vector<std::int64_t> samples;
  for (std::size_t s = 0; s < places.size(); ++s) {
    samples.resize(places[s].size());
    samplers_[s].fill(stream, samples);
    for (std::size_t i = 0; i < samples.size(); ++i) out[places[s][i]] = samples[i];
  }
}

}  // namespace hushwalk
