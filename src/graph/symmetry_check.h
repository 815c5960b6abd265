// Whether every edge of a file stands in the rows of both its ends, in one pass over the rows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/csr.h"

namespace hushwalk {

// Draws random words x_a, y_a for every row a and adds x_a y_b for every entry b < a of row a, and -y_a x_b
// for every entry b >= a, modulo 2^64. When every edge stands in both rows and no row names itself, all terms
// cancel. Otherwise the sum is 0 with probability below 2^-48, whatever is in the file:
//
// x_a is the product of two words, one for the high and one for the low half of the bits of a, and so is y_a:
// tables of about the square root of the rows, which fit the fastest caches. So the sum is a polynomial in
// four tables of independent uniform words, linear in each of them. An entry stands at most once in a row, so
// an edge that stands in one row only, and a row that names itself, has a monomial of its own, with
// coefficient 1 or -1. For such a polynomial 2^t divides its value with probability at most C(t+d-1, d-1)
// 2^-t, d being the number of tables, by induction: it is a sum of words r_i of one table times polynomials
// Q_i in the others, plus one without them, hence uniform on a class modulo 2^s when 2^s is the largest power
// that divides all Q_i. For d = 4, t = 64: 47905 * 2^-64 < 2^-48.
//
// The words come fresh from the operating system for every check, so nobody can craft a file for them.
// Immutable: threads may share it.
class SymmetryCheck {
 public:
  explicit SymmetryCheck(std::uint64_t rows);

  // First those of y, then as many of x.
  struct Tables {
    unsigned low_bits;
    std::vector<std::uint64_t> low, high;
  };
  // With the words of another one: processes that check a file together add up their shares.
  explicit SymmetryCheck(Tables tables) : tables_(std::move(tables)) {}
  const Tables& tables() const noexcept { return tables_; }

  // What some entries of `row` add: ascending, each below the number of rows.
  std::uint64_t share(Row row, std::span<const Row> entries) const noexcept;
  // What the entries from place `first` on add, the first of them being one of `row`.
  std::uint64_t share(const Csr& csr, Row row, std::size_t first, std::size_t last) const noexcept;

 private:
  Tables tables_;
};

// How many of the entries from place `first` on are not above the one before them.
std::size_t descents(std::span<const Row> all, std::size_t first, std::size_t last) noexcept;

}  // namespace hushwalk
