// Cells for numbers from 0 on: 2^bits of width 1, as many of width 2, then of width 4, and so on, so that few
// cells reach far, and a large number is known to a fixed part of itself. A number's cell is found without a
// logarithm, since floating point keeps numbers in just this form.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hushwalk {

template <int bits>
struct WideningCells {
  struct Place {
    std::size_t cell;
    double within;  // from 0 where the cell begins to 1 where the next one does
  };
  // Of a number from 0 to 2^1000.
  static Place place(double number) {
    const auto word = std::bit_cast<std::uint64_t>(number + first_width);
    return {static_cast<std::size_t>((word >> rest_bits) - first_cell),
            static_cast<double>(static_cast<std::int64_t>(word & rest_mask)) * part_of_rest};
  }
  static double begin(std::size_t cell) {
    return std::bit_cast<double>((std::uint64_t{cell} + first_cell) << rest_bits) - first_width;
  }

 private:
  static constexpr double first_width = 1 << bits;  // of the cells of width 1 together
  static constexpr int rest_bits = 52 - bits;
  static constexpr std::uint64_t rest_mask = (std::uint64_t{1} << rest_bits) - 1;
  static constexpr double part_of_rest = 1.0 / (std::uint64_t{1} << rest_bits);
  static constexpr std::uint64_t first_cell = std::bit_cast<std::uint64_t>(first_width) >> rest_bits;
};

}  // namespace hushwalk
