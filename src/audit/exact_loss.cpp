#include "audit/exact_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "audit/replay.h"
#include "hushwalk/error.h"
#include "noise/keyed_noise.h"

namespace hushwalk::auditing {
namespace {

// A release and all that can be seen of it.
struct Run {
  Graph graph;
  KeyedNoise noise;
  RecordingSource source;
  std::unique_ptr<Release> release;
  Columns numbers;
  std::optional<std::string> error;

  Run(const Subject& subject, Graph of, const SeedVector& seed, const ReleaseKey& key)
      : graph(std::move(of)), noise(ReleaseKey(key.secret_bytes())), source(noise) {
    try {
      release = subject.mechanism.start(subject.plan, graph, source, {});
      numbers = release->numbers(std::span(&seed, 1), 0, {}).front();
    } catch (const Error& thrown) {
      error = thrown.what();
    }
  }
};

bool same_scores(const PrivateScores& a, const PrivateScores& b) {
  return a.scores == b.scores && a.near == b.near && a.near_error == b.near_error &&
         a.far_error == b.far_error && a.doubt == b.doubt;
}

// Whatever follows the noise may see the noisy numbers and public facts only: given the same numbers it says
// the same of both graphs.
void compare_post_processing(const Run& without, const Run& with, const SeedVector& seed,
                             std::vector<std::string>& leaks) {
  for (const Columns& numbers : {without.numbers, with.numbers})
    if (!same_scores(without.release->scores(numbers, seed), with.release->scores(numbers, seed)))
      leaks.emplace_back("scores made from the same noisy numbers differ");
}

void note_moved(Comparison& found, const Place& place, std::int64_t change, double scale) {
  found.moved.push_back(place);
  found.change.push_back(change);
  found.scale.push_back(scale);
  found.distance += std::abs(static_cast<double>(change));
  found.loss += std::abs(static_cast<double>(change)) / scale;
}

std::set<std::size_t> columns_of(const std::vector<Place>& places) {
  std::set<std::size_t> columns;
  for (const Place& place : places) columns.insert(place.column);
  return columns;
}

// A release in blocks: given the same numbers so far, both graphs must go the same way, with the same noise.
Comparison compare_given(const Run& without, const Run& with, const SeedVector& seed,
                         const Columns& released) {
  Comparison found;
  const std::optional<Centres> here = without.release->centres(released, seed),
                               there = with.release->centres(released, seed);
  if (here->scale != there->scale) {
    found.leaks.emplace_back("given the same numbers, the two graphs go on differently");
    return found;
  }
  for (std::size_t column = 0; column < here->centre.size(); ++column)
    for (Node node = 0; node < here->centre[column].size(); ++node) {
      const std::int64_t change = there->centre[column][node] - here->centre[column][node];
      if (const double scale = here->scale[column][node]; change != 0 && scale > 0)
        note_moved(found, {column, node}, change, scale);
    }
  return found;
}

// The dearer of the two transcripts.
Comparison compare_blocks(const Run& without, const Run& with, const SeedVector& seed) {
  Comparison found = compare_given(without, with, seed, without.numbers),
             other = compare_given(without, with, seed, with.numbers);
  if (other.loss > found.loss) std::swap(found, other);
  found.leaks.insert(found.leaks.end(), other.leaks.begin(), other.leaks.end());
  found.noise_comes_last = false;
  found.in_blocks = true;
  return found;
}

}  // namespace

Comparison compare(const Subject& subject, const AdjacentPair& pair, const ReleaseKey& key) {
  Comparison found;
  const Run without(subject, pair.without(), pair.seed, key), with(subject, pair.with(), pair.seed, key);
  if (without.error != with.error)
    found.leaks.push_back(fmt::format("one graph ends with '{}', the other with '{}'",
                                      without.error.value_or("an answer"), with.error.value_or("an answer")));
  if (without.error || with.error) return found;
  if (without.release->centres(without.numbers, pair.seed)) {
    found = compare_blocks(without, with, pair.seed);
    compare_post_processing(without, with, pair.seed, found.leaks);
    found.ratio = found.loss / subject.plan.epsilon();
    return found;
  }
  if (without.source.use() != with.source.use())
    found.leaks.emplace_back("the random words asked for differ");
  if (without.numbers.size() != with.numbers.size()) {
    found.leaks.emplace_back("the number of columns differs");
    return found;
  }
  for (std::size_t column = 0; column < without.numbers.size(); ++column) {
    const auto &here = without.numbers[column], &there = with.numbers[column];
    if (here.size() != there.size()) {
      found.leaks.emplace_back("the number of released numbers differs");
      return found;
    }
    for (Node node = 0; node < here.size(); ++node) {
      const double scale = without.release->scale(pair.seed, column, node);
      if (scale != with.release->scale(pair.seed, column, node))
        found.leaks.push_back(fmt::format("the noise scale of node {} differs", node));
      const std::int64_t change = there[node] - here[node];
      if (change == 0) continue;
      note_moved(found, {column, node}, change, scale);
    }
  }
  compare_post_processing(without, with, pair.seed, found.leaks);
  found.ratio = subject.plan.certified_delta() == 0
                    ? found.loss / subject.plan.epsilon()
                    : found.distance / std::ldexp(subject.plan.sensitivity, subject.plan.lattice_bits);
  return found;
}

Comparison compare_often(const Subject& subject, const AdjacentPair& pair, int times) {
  Comparison worst = compare(subject, pair, ReleaseKey::fresh());
  std::map<Place, std::pair<std::int64_t, double>> moved;
  std::set<std::set<std::size_t>> columns;
  const auto remember = [&](const Comparison& one) {
    columns.insert(columns_of(one.moved));
    for (std::size_t i = 0; i < one.moved.size(); ++i)
      moved.try_emplace(one.moved[i], one.change[i], one.scale[i]);
  };
  remember(worst);
  for (int i = 1; i < times; ++i) {
    Comparison next = compare(subject, pair, ReleaseKey::fresh());
    remember(next);
    next.noise_comes_last =
        worst.noise_comes_last && next.moved == worst.moved && next.change == worst.change;
    for (const std::string& leak : worst.leaks) next.leaks.push_back(leak);
    if (next.ratio >= worst.ratio)
      worst = std::move(next);
    else
      worst.noise_comes_last = next.noise_comes_last, worst.leaks = std::move(next.leaks);
  }
  std::ranges::sort(worst.leaks);
  worst.leaks.erase(std::unique(worst.leaks.begin(), worst.leaks.end()), worst.leaks.end());
  worst.columns = std::move(columns);
  worst.moved.clear(), worst.change.clear(), worst.scale.clear();
  for (const auto& [place, what] : moved) {
    worst.moved.push_back(place);
    worst.change.push_back(what.first);
    worst.scale.push_back(what.second);
  }
  return worst;
}

}  // namespace hushwalk::auditing
