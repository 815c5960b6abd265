// What a given noise costs, and what noise a target needs. Pure functions of public parameters: nothing here
// sees a graph or a random number, and any thread may call any of it. Every result is on the safe side of the
// truth; docs/math/ has a note for each theorem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/step.h"

namespace hushwalk {

// Numbers that cannot hold nonsense: Error{usage} for NaN, infinity, zero, a negative, denormal or huge
// number.
class Epsilon {
 public:
  explicit Epsilon(double value);  // 1e-12 to 1e6
  double value() const noexcept { return value_; }
  friend bool operator==(const Epsilon&, const Epsilon&) = default;

 private:
  double value_;
};

class Delta {
 public:
  explicit Delta(double value);  // 1e-300 to below 1
  double value() const noexcept { return value_; }
  friend bool operator==(const Delta&, const Delta&) = default;

 private:
  double value_;
};

// What a node's value is clipped to, per degree.
class Eta {
 public:
  explicit Eta(double value);  // 1e-100 to 1e100
  double value() const noexcept { return value_; }
  friend bool operator==(const Eta&, const Eta&) = default;

 private:
  double value_;
};

// The b of the density exp(-|x|/b) / 2b: not the standard deviation, which is sqrt(2) b.
class LaplaceScale {
 public:
  explicit LaplaceScale(double value);  // 1e-100 to 1e100
  double value() const noexcept { return value_; }

 private:
  double value_;
};

// The order of a Rényi divergence, above 1; infinity is allowed and means pure.
class RenyiOrder {
 public:
  explicit RenyiOrder(double value);  // 1 + 1e-6 to 1e6, or infinity
  static RenyiOrder infinite() { return RenyiOrder(std::numeric_limits<double>::infinity()); }
  double value() const noexcept { return value_; }

 private:
  double value_;
};

enum class NoisePlacement {
  every_step,  // `paper`: after every step (personalized scope: from step 2, step 1 shows nothing secret)
  at_end,      // `output`: after the last step only
};

std::string name(NoisePlacement placement);

// A clipped diffusion with Laplace noise, as plain data: all that accounting needs to know of what ran.
struct NoiseDesign {
  std::vector<Step> steps;
  Eta eta;
  Scope scope = Scope::personalized;
  NoisePlacement placement = NoisePlacement::every_step;
  int draws = 2;  // independent draws per node where there is noise
};

// The design of a mechanism by its name, `paper` or `output`, with its own number of draws where none is
// given: two in every step, or one at the end. Error{usage} for another name.
NoiseDesign noise_design(const std::string& mechanism, std::span<const Step> steps, Eta eta, Scope scope,
                         std::optional<int> draws = {});

struct NoisyRun {
  NoiseDesign design;
  LaplaceScale laplace_scale;
};

// Four sound ways to price a run; the smallest price is the certificate.
//   pure         w_K in the noise of the last step, delta = 0; any number of draws
//   theorem      Theorem 1 and the corrected Theorem 2; needs two draws in every step
//   shift        the best shifts for the draws made; any number of draws
//   composition  every step paid for alone; noise in every step
enum class Accountant { pure, theorem, shift, composition };
inline constexpr Accountant all_accountants[] = {Accountant::pure, Accountant::theorem, Accountant::shift,
                                                 Accountant::composition};
std::string name(Accountant accountant);
// By its name; none for `best` and `all`, which leave the choice open. Error{usage} for another name.
std::optional<Accountant> accountant_named(const std::string& name);

// Empty when the accountant's proof covers the design, else the reason why not.
std::string unfit_reason(Accountant accountant, const NoiseDesign& design);

struct Guarantee {
  double epsilon = 0;
  std::optional<double> delta;     // as asked; a pure guarantee holds with delta = 0 all the same
  double rdp = 0;                  // the Rényi divergence at `order`
  double order = 0;                // as asked, else the best one
  std::optional<std::size_t> tau;  // where Theorem 1 changes its argument; no value where meaningless
  double pure_epsilon = 0;         // without any delta
  Accountant accountant = Accountant::pure;  // which found epsilon

  bool pure() const noexcept { return !delta || order == std::numeric_limits<double>::infinity(); }
  friend bool operator==(const Guarantee&, const Guarantee&) = default;
};

// The privacy of a run. Without an accountant the best of those that fit: a pure guarantee when it is within
// 0.1 % of the smallest epsilon, else that, from 0.1 to 0.2 % reported up to 0.1 % too large so that epsilon
// is a continuous function of the scale (docs/decisions/0008-preference-that-fades.md). With an accountant
// that does not fit Error{refused}. Without a delta the guarantee is pure. Without an order the best one,
// infinity included; with an order `rdp` is the smallest divergence there, and epsilon comes from it when
// there is a delta.
Guarantee account(const NoisyRun& run, std::optional<Delta> delta, std::optional<Accountant> accountant = {},
                  std::optional<RenyiOrder> order = {});

// Each accountant by itself: its guarantee, or why it does not fit.
struct AccountantVerdict {
  Accountant accountant;
  std::string unfit;
  std::optional<Guarantee> guarantee;
};
std::vector<AccountantVerdict> compare_accountants(const NoisyRun& run, std::optional<Delta> delta,
                                                   std::optional<RenyiOrder> order = {});

// Who is protected against whom, how well and by which theorem.
std::string guarantee_sentence(const NoiseDesign& design, const Guarantee& guarantee);

struct Calibration {
  LaplaceScale laplace_scale;
  Guarantee guarantee;
};

// The smallest laplace_scale, to 1e-10 relative, for which account() finds at most this epsilon; never too
// small. What account() finds falls short of epsilon by at most 1e-9 of it plus 1e-14 of pure_epsilon. The
// second matters where delta is much larger than epsilon: neighbouring scales are that far apart there
// (docs/math/10-conversion.md). Error{usage} when the design needs no noise at all (one step in personalized
// scope).
Calibration calibrate(const NoiseDesign& design, Epsilon epsilon, std::optional<Delta> delta);

// How far one edge can move the noiseless result (l1), and the smallest of the bounds with a complete proof.
struct Sensitivity {
  double value = 0;
  std::string bound;  // its name
};
Sensitivity proven_sensitivity(const NoiseDesign& design);

// The largest distortion of one step.
double distortion(const NoiseDesign& design);

class PrivacyCost;
namespace accounting {
class FittingChain;
PrivacyCost cost_of(const std::vector<FittingChain>& chains);
}  // namespace accounting

// What releases cost together: pure epsilons and Rényi divergences on a fixed grid of orders, added with
// upward rounding. It can be made from sound costs only.
class PrivacyCost {
 public:
  static std::span<const double> orders();  // ascending, from 1.01 to 1e6, then infinity

  PrivacyCost();  // nothing released
  static PrivacyCost of(const NoisyRun& run);
  static PrivacyCost of(Epsilon pure_epsilon);

  PrivacyCost& operator+=(const PrivacyCost& other);
  friend PrivacyCost operator+(PrivacyCost a, const PrivacyCost& b) { return a += b; }
  // The same release many times, each with fresh noise.
  PrivacyCost times(std::uint64_t count) const;

  std::span<const double> rdp() const noexcept { return rdp_; }  // one for each order
  double pure_epsilon() const noexcept { return rdp_.back(); }
  // The smallest epsilon for which the total is (epsilon, delta)-DP; pure when there is no delta.
  double epsilon(std::optional<Delta> delta) const;

 private:
  friend PrivacyCost accounting::cost_of(const std::vector<accounting::FittingChain>& chains);
  std::vector<double> rdp_;
};

// What a mechanism from outside releases, as data that accounting prices: columns of numbers with Laplace
// noise.
struct ReleasedColumn {
  std::string numbers;  // what they are, in words
  double noise = 1;     // its part of the noise: all are multiplied by what epsilon needs
};
struct EdgeEffect {
  std::string kind;           // of edges, for example "any edge"
  std::vector<double> moved;  // by how much the numbers of each column move together (l1), at most
};
struct ReleasedNumbers {
  std::vector<ReleasedColumn> columns;
  std::vector<EdgeEffect> effects;  // of every kind of edge that is protected
};

}  // namespace hushwalk
