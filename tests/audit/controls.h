// Mechanisms that break their promise on purpose, for audits that must find out.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/targets.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"
#include "mechanism/node_noise.h"

namespace hushwalk::testing {

// A release that is another one, changed.
class ChangedRelease : public Release {
 public:
  explicit ChangedRelease(std::unique_ptr<Release> inner) : inner_(std::move(inner)) {}

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    return inner_->numbers(seeds, first, progress);
  }
  void renew(std::uint64_t answer) override { inner_->renew(answer); }
  double scale(const SeedVector& seed, std::size_t column, Node node) const override {
    return inner_->scale(seed, column, node);
  }
  PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
    return inner_->scores(numbers, seed);
  }
  std::optional<Centres> centres(const Columns& released, const SeedVector& seed) const override {
    return inner_->centres(released, seed);
  }
  void each_released(const Columns& columns, const Bytes& visit) const override {
    inner_->each_released(columns, visit);
  }

 protected:
  std::unique_ptr<Release> inner_;
};

// The same, by somebody who looks at the graph.
class ChangedByGraph : public ChangedRelease {
 public:
  ChangedByGraph(std::unique_ptr<Release> inner, const Graph& graph)
      : ChangedRelease(std::move(inner)), graph_(graph) {}

 protected:
  const Graph& graph_;
};

using Start =
    std::function<std::unique_ptr<Release>(const Plan& plan, const Graph& graph, NoiseSource& source)>;

class Control final : public Mechanism {
 public:
  explicit Control(Start start) : start_(std::move(start)) {}
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source,
                                 const Progress&) const override {
    return start_(plan, graph, source);
  }

 private:
  Start start_;
};

// A release by another plan than the one that is claimed; the plan lives as long as the release.
class OtherPlan final : public ChangedRelease {
 public:
  OtherPlan(std::unique_ptr<const Plan> plan, const Mechanism& mechanism, const Graph& graph,
            NoiseSource& source)
      : ChangedRelease(mechanism.start(*plan, graph, source, {})), plan_(std::move(plan)) {}
  ~OtherPlan() override { inner_.reset(); }

 private:
  std::unique_ptr<const Plan> plan_;
};

// Columns by a formula, each with one draw of the scale of its column and node.
struct Formula {
  std::function<std::vector<std::int64_t>(const Graph& graph, const SeedVector& seed)> numbers;
  std::function<double(const Graph& graph, const SeedVector& seed, Node node)> scale;
};

class FormulaRelease final : public Release {
 public:
  FormulaRelease(Formula formula, const Graph& graph, NoiseSource& source)
      : formula_(std::move(formula)), graph_(graph), source_(source) {}

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress&) override {
    std::vector<Columns> answers;
    for (const SeedVector& seed : seeds) {
      std::vector<std::int64_t> values = formula_.numbers(graph_, seed);
      const auto answer = source_.answer(first + answers.size());
      for (Node v = 0; v < values.size(); ++v) {
        std::int64_t draw = 0;
        draw_noise({*answer, NoiseKind::step_first, v}, noise(formula_.scale(graph_, seed, v)),
                   std::span(&draw, 1));
        values[v] = plus_noise(values[v], draw);
      }
      answers.push_back({std::move(values)});
    }
    return answers;
  }
  double scale(const SeedVector& seed, std::size_t, Node node) const override {
    return formula_.scale(graph_, seed, node);
  }
  PrivateScores scores(const Columns& numbers, const SeedVector&) const override {
    PrivateScores answer;
    for (const std::int64_t number : numbers.front()) answer.scores.push_back(static_cast<double>(number));
    return answer;
  }

 private:
  const DiscreteLaplace& noise(double scale) { return noise_.try_emplace(scale, scale).first->second; }

  Formula formula_;
  const Graph& graph_;
  NoiseSource& source_;
  std::map<double, DiscreteLaplace> noise_;  // by scale
};

}  // namespace hushwalk::testing
