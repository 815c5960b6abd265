#include "noise/coarsening.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>

#include "base/fail.h"

namespace hushwalk {
namespace {

double checked(double fine, double coarse) {
  if (!(fine >= DiscreteLaplace::min_scale && fine < coarse))
    fail_usage("noise of scale {} cannot be made into noise of scale {}", fine, coarse);
  return fine;
}

}  // namespace

Coarsening::Coarsening(double fine, double coarse)
    : coarse_(coarse),
      bias_{exact_fraction(checked(fine, coarse)), exact_fraction(coarse)},
      first_digits_(bias_.digits(0)) {}

// A uniform real below the bias. The first 64 digits mostly decide; on a tie the node's own stream goes on.
bool Coarsening::shows_true(PieceWords& words, std::uint64_t node, std::uint64_t word) const {
  std::uint64_t digits = first_digits_;
  std::array<std::uint64_t, words_per_block> own;
  for (std::uint64_t used = 0; word == digits; ++used) {
    const OwnBlock block{node, used / words_per_block};
    if (used % words_per_block == 0) words.own(std::span(&block, 1), own);
    word = own[used % words_per_block];
    digits = bias_.digits(64 * (used + 1));
  }
  return word < digits;
}

void Coarsening::cancel_where_true(PieceWords& words, std::uint64_t first_group,
                                   std::span<std::int64_t> out) const {
  std::array<std::uint64_t, nodes_per_group> coins;
  for (std::size_t done = 0; done < out.size(); done += nodes_per_group, ++first_group) {
    words.primary(first_group, nodes_per_group, coins);
    const std::size_t count = std::min<std::size_t>(nodes_per_group, out.size() - done);
    for (std::size_t i = 0; i < count; ++i)
      if (shows_true(words, first_group * nodes_per_group + i, coins[i])) out[done + i] = 0;
  }
  OPENSSL_cleanse(coins.data(), sizeof coins);
}

void Coarsening::draw(NoiseSource& source, NoiseKind coins, NoiseKind draws, std::uint64_t first,
                      std::span<std::int64_t> out) const {
  draw_by_address(source, draws, 0, coarse_, first, out);
  while (!out.empty()) {
    const std::uint64_t within = first % nodes_per_piece;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), nodes_per_piece - within));
    cancel_where_true(*source.piece({coins, 0, first / nodes_per_piece}), within / nodes_per_group,
                      out.first(count));
    first += count;
    out = out.subspan(count);
  }
}

}  // namespace hushwalk
