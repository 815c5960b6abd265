// Coins whose bias is exactly a rational number, or exactly e to minus one: no rounding, no floating point.
// docs/math/20-discrete-sampler.md, 5. `Words` has next_word().
#pragma once

#include <cstdint>

namespace hushwalk {

__extension__ typedef unsigned __int128 Uint128;

// True with probability numerator / denominator, 0 <= numerator <= denominator. A uniform real, of which 64
// bits are drawn at a time, is compared with the fraction by long division in base 2^64; equal digits
// (probability 2^-64) just go on. `Wide` holds denominator * 2^64: Uint128, or an integer without limit.
template <class Wide, class Words>
bool draw_fraction(Words& words, Wide numerator, const Wide& denominator) {
  while (numerator != 0) {
    numerator <<= 64;
    const Wide digit = numerator / denominator, word = words.next_word();
    if (word != digit) return word < digit;
    numerator %= denominator;
  }
  return false;
}

// What is left of draw_exp when the first coin fell on its rare side: coins of bias x/2, x/3, ... as long as
// they show true; the answer is whether the first false one is odd.
template <class Wide, class Words>
bool draw_exp_after_first(Words& words, const Wide& numerator, const Wide& denominator) {
  for (Wide k = 2;; ++k) {
    const bool next = draw_fraction<Wide>(words, 1, k) && draw_fraction(words, numerator, denominator);
    if (!next) return k % 2 == 1;
  }
}

// True with probability e^-x for x = numerator / denominator in [0, 1]: coin k of bias x/k is thrown until
// one shows false; P(K > k) = x^k / k!, so K is odd with probability 1 - x + x^2/2! - ... (von Neumann 1951;
// Algorithm 1 of Canonne, Kamath and Steinke, "The discrete Gaussian for differential privacy", NeurIPS
// 2020).
template <class Wide, class Words>
bool draw_exp_of_fraction(Words& words, const Wide& numerator, const Wide& denominator) {
  if (!draw_fraction(words, numerator, denominator)) return true;
  return draw_exp_after_first(words, numerator, denominator);
}

// True with probability e^-x for any x = numerator / denominator >= 0.
template <class Wide, class Words>
bool draw_exp(Words& words, const Wide& numerator, const Wide& denominator) {
  const Wide whole = numerator / denominator;
  for (Wide i = 0; i < whole; ++i)
    if (!draw_exp_of_fraction<Wide>(words, 1, 1)) return false;
  return draw_exp_of_fraction<Wide>(words, numerator % denominator, denominator);
}

}  // namespace hushwalk
