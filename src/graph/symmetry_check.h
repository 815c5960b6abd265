// Whether every edge of a file stands in the rows of both its ends, in one pass over the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/csr.h"

namespace hushwalk {

// Draws random words x_a, y_a for every row a and adds x_a y_b - y_a x_b over all entries b of all rows a,
// modulo 2^64. When every edge stands in both rows, all terms cancel. Otherwise the sum is 0 with probability
// below 2^-48, whatever is in the file:
//
// Each x_a is the product of two words, one for the high and one for the low half of the bits of a, and so is
// y_a: tables of about the square root of the rows, which fit the fastest cache. So the sum is a polynomial
// of degree 4, linear in each of four tables of independent uniform words. An entry stands at most once in a
// row, so a pair that stands in one row only has a monomial of its own with coefficient 1 or -1. For such a
// polynomial in d tables, 2^t divides its value with probability at most C(t+d-1, d-1) 2^-t, by induction:
// it is a sum of words r_i of one table times polynomials Q_i in the others, hence uniform on the multiples
// of 2^s when 2^s is the largest power that divides all Q_i. For d = 4, t = 64: 47905 * 2^-64 < 2^-48.
//
// The words come fresh from the operating system for every check, so nobody can craft a file for them.
// Immutable: threads may share it.
class SymmetryCheck {
 public:
  explicit SymmetryCheck(std::uint64_t rows);

  // What some entries of `row` add, each below the number of rows.
  std::uint64_t share(Row row, std::span<const Row> entries) const noexcept;

 private:
  struct Tag {
    std::uint64_t x, y;
  };
  static std::vector<Tag> random_tags(std::size_t count);
  Tag at(Row row) const noexcept;

  unsigned low_bits_;
  std::vector<Tag> low_, high_;
};

}  // namespace hushwalk
