// Rows of `circles` become classes and expected links. For circles.cpp.
#pragma once

#include "estimate/circles.h"
#include "estimate/link_tables.h"

namespace hushwalk {

// Variance of discrete Laplace noise.
double noise_variance(double scale);

// Linear empirical Bayes, as in shared_scores.cpp: towards the mean as far as the spread is noise.
std::vector<double> shrunk(std::vector<double> values, double variance);

class CirclesFit {
 public:
  CirclesFit(const CirclesDesign& design, const CirclesNumbers& numbers, const CirclesSweeps& sweeps,
             CirclesModel& model);
  void run();

 private:
  using Classes = CirclesModel::Classes;
  static constexpr int factors = RateGrid::factors, first_factor = RateGrid::first_factor;

  void fit_degrees();
  void measure_trust();
  void place_cells();
  void fit_classes();
  void choose_factors();         // M: the factor of each class and cluster
  void weigh_classes(bool all);  // E: how likely each class is, of all or of those kept
  void weigh(Node v, bool all);
  void fit_bands();
  void sample_bands();
  void expect_links();
  void expect_links_of(Node v);
  void sum_up();

  std::size_t cell(Node v, std::size_t c) const { return std::size_t{v} * k_ + c; }
  int factor(std::size_t of_class, std::size_t c) const { return factor_[of_class * k_ + c]; }
  // The likelihoods of a cell for all residual factors of its class.
  void likelihoods(std::size_t cell, int factor, std::array<double, RateGrid::factors>& out) const;
  std::size_t band(Node v, bool own) const;

  const CirclesDesign& design_;
  const CirclesNumbers& numbers_;
  const CirclesSweeps& sweeps_;
  CirclesModel& model_;
  std::size_t n_, k_;
  LinkTables forward_, backward_;
  std::vector<std::int32_t> place_forward_, place_backward_;  // by cell
  std::vector<float> expected_;                               // by cell: links if all classes were alike
  std::vector<int> factor_;                                   // class * K + cluster
  std::vector<double> class_share_;
  static constexpr std::size_t bands = 8;
  std::array<std::vector<double>, bands> prior_;
  std::array<std::vector<std::array<double, RateGrid::factors>>, bands> sampled_;
};

}  // namespace hushwalk
