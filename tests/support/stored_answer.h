// Answers as versions before 3 of the ledger stored them.
#pragma once

#include <cstring>
#include <limits>

#include "base/checksum.h"
#include "ledger/documents.h"

namespace hushwalk::testing {

inline ledger::Bytes encode(const ledger::StoredAnswer& answer) {
  struct Head {
    char format[8] = {'h', 'w', ' ', 'a', 'n', 's', ' ', '1'};
    char plan_digest[64] = {};
    std::uint64_t near = 0, scores = 0;
    double near_error = 0, far_error = 0;
    std::uint64_t checksum = 0;
  } head;
  static_assert(sizeof head == 112);
  const PrivateScores& scores = answer.scores;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(head.plan_digest, answer.plan_digest.data(), sizeof head.plan_digest);
  head.near = scores.near.size();
  head.scores = scores.scores.size();
  head.near_error = scores.near_error.value_or(none);
  head.far_error = scores.far_error.value_or(none);
  ledger::Bytes bytes(sizeof head);
  const auto add = [&](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  add(std::as_bytes(std::span(scores.near)));
  add(std::as_bytes(std::span(scores.scores)));
  head.checksum =
      checksum(std::span(bytes).subspan(sizeof head), checksum(std::as_bytes(std::span(&head, 1))));
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

}  // namespace hushwalk::testing
