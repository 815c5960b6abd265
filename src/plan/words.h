// The promise of a plan in words. One place, so that JSON, table and certificate say the same.
#pragma once

#include <string>
#include <vector>

#include "hushwalk/certificate.h"

namespace hushwalk {

struct PromiseWords {
  std::string unit;        // what neighbouring graphs are
  std::string protects;    // which edges
  std::string audience;    // who may see the answer
  std::string pooling;     // what recipients learn together
  std::string meaning;     // what epsilon means for one edge and for several
  std::string randomness;  // what the noise rests on
  std::string counted;     // by which ledger
  std::string issued;      // when, and by whom
  std::vector<std::string> assumptions;
};
// What the noise of a release rests on that no ledger charged.
std::string randomness_without_a_ledger();
PromiseWords words_of(const Plan& plan, const CertificateContext& context);

// They and what the plan says in numbers, for people.
std::string text_of(const Plan& plan, const PromiseWords& words);
// The three lines that everybody should read.
std::string summary_of(const Plan& plan, const PromiseWords& words);

}  // namespace hushwalk
