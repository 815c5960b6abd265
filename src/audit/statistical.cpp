#include "audit/statistical.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "base/parallel.h"

namespace hushwalk::auditing {
namespace {

// Of the values at one place, `moved` being taken off.
void collect(const Sample& from, std::size_t place, std::int64_t moved, std::vector<std::int64_t>& values) {
  for (std::size_t t = 0; t < from.trials(); ++t) values.push_back(from.trial(t)[place] - moved);
}

std::int64_t median(std::vector<std::int64_t>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// ln of the density of one draw or of the sum of two, up to a constant.
double log_density(double x, int kind) { return kind == 0 ? -x : std::log1p(x) - x; }

std::vector<double> statistics(const WorldStatistic& statistic, const Sample& sample, int kind) {
  std::vector<double> values(sample.trials());
  parallel_for(values.size(), 1 << 12, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) values[t] = statistic(sample.trial(t), kind);
  });
  return values;
}

// An event: the statistic is at least, or at most, a threshold.
struct Attack {
  int kind = 0;
  bool at_least = true;  // which is likelier without the edge; else it is likelier with it
  double threshold = 0;

  bool hit(double value) const { return at_least ? value >= threshold : value <= threshold; }
  std::uint64_t hits(const std::vector<double>& values) const {
    return static_cast<std::uint64_t>(std::ranges::count_if(values, [&](double v) { return hit(v); }));
  }
};

double bound(const Attack& attack, const std::vector<double>& without, const std::vector<double>& with,
             double delta, double alpha) {
  const std::uint64_t here = attack.hits(without), there = attack.hits(with);
  return attack.at_least ? epsilon_bound(here, there, without.size(), delta, alpha)
                         : epsilon_bound(there, here, without.size(), delta, alpha);
}

// Quantiles of both worlds. The ratio of Laplace densities is constant beyond both centres, so that its
// values pile up at the ends: a threshold is moved outwards by more than rounding can move them.
std::vector<double> thresholds(const std::vector<double>& without, const std::vector<double>& with) {
  constexpr std::size_t quantiles = 60;
  std::vector<double> all = without, chosen;
  all.insert(all.end(), with.begin(), with.end());
  std::ranges::sort(all);
  for (std::size_t i = 0; i <= quantiles; ++i) chosen.push_back(all[i * (all.size() - 1) / quantiles]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// How far the sum of `draws` Laplace draws of scale 1 goes with probability 1/2: 1 - e^-x, 1 - e^-x (1 +
// x/2).
double half_width(int draws) { return draws == 1 ? 0.6931471805599453 : 1.1461932206205825; }

int draws_of(const Plan& plan, double scale) {
  for (const NoiseUse& use : plan.noise)
    if (std::abs(use.lattice_scale - scale) <= 1e-9 * scale) return use.draws;
  return 1;
}

// Whatever else is added to symmetric unimodal noise, it comes within a distance of any one point no more
// often than the noise alone comes within it of zero (Anderson 1955). So, more than half of the numbers
// within the distance that holds half of the noise: there is less noise.
std::vector<Place> quiet_places(const Plan& plan, const WorldStatistic& statistic, const Comparison& known,
                                const Sample& fresh, double alpha) {
  using Binomial = boost::math::binomial_distribution<double>;
  std::vector<Place> quiet;
  if (plan.noise.front().flip_probability > 0) return quiet;  // bits have no noise to measure
  for (std::size_t place = 0; place < known.moved.size(); ++place) {
    const double scale = known.scale[place];
    // One unit less than the distance: the draws are whole numbers.
    const double width = half_width(draws_of(plan, scale)) * scale - 1;
    double hits = 0;
    for (std::size_t t = 0; t < fresh.trials(); ++t)
      hits += std::abs(static_cast<double>(fresh.trial(t)[place] - statistic.center_without(place))) <= width;
    const double share = Binomial::find_lower_bound_on_p(static_cast<double>(fresh.trials()), hits,
                                                         alpha / static_cast<double>(known.moved.size()));
    if (share > 0.5) quiet.push_back(known.moved[place]);
  }
  return quiet;
}

// The best attack so far.
struct Choice {
  Attack best;
  double highest = -1;

  void look_at(int kind, const std::vector<double>& here, const std::vector<double>& there, double delta,
               double alpha) {
    constexpr double rounding = 1e-6;
    for (const double value : thresholds(here, there))
      for (const bool at_least : {true, false}) {
        const Attack attack{kind, at_least, value + (at_least ? -rounding : rounding)};
        const double found = bound(attack, here, there, delta, alpha);
        if (found > highest) highest = found, best = attack;
      }
  }
};

Attack choose(const WorldStatistic& statistic, const Sample& without, const Sample& with, double delta,
              double alpha) {
  Choice choice;
  for (int kind = 0; kind < WorldStatistic::kinds; ++kind)
    choice.look_at(kind, statistics(statistic, without, kind), statistics(statistic, with, kind), delta,
                   alpha);
  return choice.best;
}

// A release in blocks: the likelihood ratio of everything that was released, whichever way it went.
Sampled attack_blocks(const Subject& subject, const AdjacentPair& pair, std::uint64_t trials, double alpha,
                      const std::function<void(double)>& done) {
  const std::uint64_t half = trials / 2;
  const double delta = subject.plan.certified_delta();
  double part = 0;
  const auto draw = [&](bool with_edge) {
    auto losses = sample_losses(subject, pair, with_edge, half, [&](std::uint64_t count) {
      if (done) done(part + 0.25 * static_cast<double>(count) / static_cast<double>(half));
    });
    part += 0.25;
    return losses;
  };
  Choice choice;
  std::vector<double> here = draw(false), there = draw(true);
  choice.look_at(0, here, there, delta, alpha / 2);
  here = draw(false), there = draw(true);
  return {bound(choice.best, here, there, delta, alpha / 2), {}};
}

}  // namespace

double epsilon_bound(std::uint64_t hits, std::uint64_t other_hits, std::uint64_t trials, double delta,
                     double alpha) {
  using Binomial = boost::math::binomial_distribution<double>;
  const auto n = static_cast<double>(trials);
  // The default interval is that of Clopper and Pearson.
  const double p = Binomial::find_lower_bound_on_p(n, static_cast<double>(hits), alpha),
               q = Binomial::find_upper_bound_on_p(n, static_cast<double>(other_hits), alpha);
  return p - delta <= q ? 0 : std::log((p - delta) / q);
}

WorldStatistic::WorldStatistic(const Sample& without, const Sample& with, const Comparison& known)
    : scale_(known.scale) {
  std::vector<std::int64_t> values;
  for (std::size_t place = 0; place < known.moved.size(); ++place) {
    values.clear();
    collect(without, place, 0, values);
    if (known.noise_comes_last) collect(with, place, known.change[place], values);
    center_without_.push_back(median(values));
    if (known.noise_comes_last) {
      center_with_.push_back(center_without_.back() + known.change[place]);
      continue;
    }
    values.clear();
    collect(with, place, 0, values);
    center_with_.push_back(median(values));
  }
}

double WorldStatistic::operator()(std::span<const std::int64_t> numbers, int kind) const {
  double sum = 0;
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const double here = std::abs(static_cast<double>(numbers[place] - center_without_[place])),
                 there = std::abs(static_cast<double>(numbers[place] - center_with_[place]));
    sum += log_density(here / scale_[place], kind) - log_density(there / scale_[place], kind);
  }
  return sum;
}

Sampled sampled_attack(const Subject& subject, const AdjacentPair& pair, const Comparison& known,
                       std::uint64_t trials, double alpha, const std::function<void(double)>& done) {
  if (known.moved.empty() || trials < 2) return {};
  if (known.in_blocks) return attack_blocks(subject, pair, trials, alpha, done);
  const Graph without = pair.without(), with = pair.with();
  const std::uint64_t half = trials / 2;
  const double delta = subject.plan.certified_delta();
  double part = 0;
  const auto draw = [&](const Graph& graph) {
    Sample drawn = sample(subject, graph, pair.seed, known.moved, half, [&](std::uint64_t count) {
      if (done) done(part + 0.25 * static_cast<double>(count) / static_cast<double>(half));
    });
    part += 0.25;
    return drawn;
  };
  Sample here = draw(without), there = draw(with);
  const WorldStatistic statistic(here, there, known);
  const Attack attack = choose(statistic, here, there, delta, alpha / 4);
  here = draw(without), there = draw(with);
  return {bound(attack, statistics(statistic, here, attack.kind), statistics(statistic, there, attack.kind),
                delta, alpha / 4),
          quiet_places(subject.plan, statistic, known, here, alpha / 2)};
}

}  // namespace hushwalk::auditing
