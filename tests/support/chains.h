// Sums over rows in the plainest form, for all that is quicker.
#pragma once

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "graph/csr.h"

namespace hushwalk::testing {

// A cheap mixer: values of many magnitudes, so that another order of summation would give other bytes.
template <class T>
T value_at(std::uint64_t i) {
  const std::uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15;
  if constexpr (std::is_same_v<T, double>)
    return std::ldexp(static_cast<double>(bits >> 12) - 0x1p51, static_cast<int>(i % 40) - 70);
  return static_cast<T>(bits >> 24) - (std::int64_t{1} << 39);
}

template <class T>
std::vector<T> values(std::size_t count) {
  std::vector<T> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = value_at<T>(i);
  return x;
}

// The contract of gather_sum.h: one chain, from +0, neighbours in their order.
template <class T>
T chain(const Csr& csr, Row row, const T* x, std::size_t lanes, std::size_t lane) {
  T sum = 0;
  for (const Row neighbor : csr.row(row)) sum += x[std::size_t{neighbor} * lanes + lane];
  return sum;
}

template <class T>
std::vector<T> all_chains(const Csr& csr, const std::vector<T>& x, std::size_t lanes) {
  std::vector<T> sums;
  for (Row row = 0; row < csr.rows(); ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums.push_back(chain(csr, row, x.data(), lanes, lane));
  return sums;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// check(name) with the instructions of every SIMD target of this machine in turn.
template <class Check>
void on_every_target(const Check& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace hushwalk::testing
