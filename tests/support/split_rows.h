// A graph cut into parts inside one process: the second thing that stands behind Rows. Each part has a
// thread, the rows of a range of public nodes, and places for the rows of others that these are linked to.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include "diffusion/rows.h"
#include "graph/graph_impl.h"
#include "hushwalk/seed.h"

namespace hushwalk::testing {

class SplitGraph {
 public:
  // Cuts are at multiples of `grain`: 64 where noise is drawn.
  SplitGraph(const Graph& graph, std::size_t parts, std::uint64_t grain = 1) : graph_(graph) {
    const auto cut = [&](std::size_t i) {
      return i == parts ? graph.nodes() : graph.nodes() * i / parts / grain * grain;
    };
    for (std::size_t i = 0; i < parts; ++i)
      parts_.push_back(std::make_unique<Part>(*this, cut(i), cut(i + 1)));
    for (const auto& part : parts_) part->find_owners();
  }

  // run(rows) on every part at once; what it gives for each, in the order of the public node list.
  template <class Run>
  auto run_parts(const Run& run) {
    return run_on<std::invoke_result_t<Run, const Rows&>>(run);
  }

  // run(graph) on every part at once, each with a graph of which it has a part, and what it gives for each.
  template <class Run>
  auto run_graphs(const Run& run) {
    return run_on<std::invoke_result_t<Run, const Graph&>>([&](const Part& part) {
      const Csr& csr = csr_of(graph_);
      return run(GraphAccess::make(graph_.facts(), graph_.secret_edges(), graph_.node_list(), Csr(csr), {},
                                   {}, std::make_shared<const Spread>(part)));
    });
  }

  // run(rows) gives numbers by node; those of all parts, one after the other.
  template <class Run>
  auto run(const Run& run) {
    auto parts = run_parts(run);
    for (std::size_t i = 1; i < parts.size(); ++i)
      parts[0].insert(parts[0].end(), parts[i].begin(), parts[i].end());
    return parts[0];
  }

  // The same for the answers to many seeds.
  template <class Run>
  auto run_all(const Run& run) {
    auto parts = run_parts(run);
    for (std::size_t i = 1; i < parts.size(); ++i)
      for (std::size_t seed = 0; seed < parts[0].size(); ++seed)
        parts[0][seed].insert(parts[0][seed].end(), parts[i][seed].begin(), parts[i][seed].end());
    return parts[0];
  }

 private:
  class Part;

  template <class Result, class Run>
  std::vector<Result> run_on(const Run& run) {
    std::vector<Result> results(parts_.size());
    std::vector<std::exception_ptr> errors(parts_.size());
    meeting_.emplace(static_cast<std::ptrdiff_t>(parts_.size()));
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < parts_.size(); ++i)
        threads.emplace_back([&, i] {
          try {
            if constexpr (std::is_invocable_v<Run, const Rows&>)
              results[i] = run(parts_[i]->rows());
            else
              results[i] = run(*parts_[i]);
          } catch (...) {
            errors[i] = std::current_exception();
          }
          meeting_->arrive_and_drop();  // a part that calls more often than this one fails instead of waiting
        });
    }
    for (const std::exception_ptr& error : errors)
      if (error) std::rethrow_exception(error);
    return results;
  }

  class Part final : public Exchange {
   public:
    Part(SplitGraph& whole, std::uint64_t first, std::uint64_t last)
        : whole_(whole), first_(static_cast<Node>(first)), last_(static_cast<Node>(last)) {
      const Csr& csr = csr_of(whole.graph_);
      for (const bool inner : {true, false}) {
        for (Row row = 0; row < csr.rows(); ++row)
          if (owns(csr.node_of_row[row]) && is_inner(csr, row) == inner) rows_.push_back(row);
        if (inner) inner_ = static_cast<Row>(rows_.size());
      }
      row_of_node_.resize(rows_.size());
      for (const Row row : rows_) {
        row_of_node_[csr.node_of_row[row] - first_] = static_cast<Row>(node_of_row_.size());
        node_of_row_.push_back(csr.node_of_row[row] - first_);
      }
      add_links(csr);
    }

    // Ranges have one order, and so have their owners.
    void collect(std::span<const std::int64_t> mine, std::span<std::int64_t> all) const override {
      std::get<std::span<const std::int64_t>>(shown_) = mine;
      meet();
      for (const auto& part : whole_.parts_)
        std::ranges::copy(std::get<std::span<const std::int64_t>>(part->shown_), all.begin() + part->first_);
      meet();
    }
    // In pieces of 64 bytes.
    void give_to_first(std::span<const std::byte> mine, const Take& take) const override {
      std::get<std::span<const std::byte>>(shown_) = mine;
      meet();
      if (this == whole_.parts_.front().get())
        for (const auto& part : whole_.parts_)
          for (auto left = std::get<std::span<const std::byte>>(part->shown_); !left.empty();
               left = left.subspan(std::min<std::size_t>(left.size(), 64)))
            take(left.first(std::min<std::size_t>(left.size(), 64)));
      meet();
    }
    void add_up(std::span<std::int64_t> values) const override {
      const std::vector<std::int64_t> mine(values.begin(), values.end());
      std::get<std::span<const std::int64_t>>(shown_) = mine;
      meet();
      std::ranges::fill(values, 0);
      for (const auto& part : whole_.parts_)
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] += std::get<std::span<const std::int64_t>>(part->shown_)[i];
      meet();
    }

    // The owner of every row of others, and its place there.
    void find_owners() {
      for (const Node node : others_)
        for (const auto& part : whole_.parts_)
          if (part->owns(node)) owners_.push_back({part.get(), part->row_of_node_[node - part->first_]});
    }

    Rows rows() const {
      return Rows({.csr = {offsets_, neighbors_, node_of_row_, row_of_node_, nullptr},
                   .others = others_.size(),
                   .inner = inner_,
                   .other_nodes = others_,
                   .first_node = first_,
                   .nodes = whole_.graph_.nodes(),
                   .exchange = this});
    }

    Wait bring(double* values, std::size_t lanes) const override { return bring_all(values, lanes); }
    Wait bring(std::int64_t* values, std::size_t lanes) const override { return bring_all(values, lanes); }

    void send_back(std::int64_t* values) const override {
      std::get<std::int64_t*>(shown_) = values;
      meet();
      for (const auto& part : whole_.parts_)
        for (std::size_t i = 0; i < part->others_.size(); ++i)
          if (part->owners_[i].part == this)
            values[part->owners_[i].row] +=
                std::get<std::int64_t*>(part->shown_)[part->node_of_row_.size() + i];
      meet();
    }

    bool everywhere(bool here) const override {
      std::get<bool>(shown_) = here;
      meet();
      const bool all =
          std::ranges::all_of(whole_.parts_, [](const auto& part) { return std::get<bool>(part->shown_); });
      meet();
      return all;
    }

   private:
    struct Owner {
      const Part* part;
      Row row;
    };

    bool owns(Node node) const { return node >= first_ && node < last_; }
    void meet() const { whole_.meeting_->arrive_and_wait(); }

    bool is_inner(const Csr& csr, Row row) const {
      return std::ranges::all_of(csr.row(row), [&](Row neighbor) { return owns(csr.node_of_row[neighbor]); });
    }

    // Of every row of mine, in the order of the whole graph.
    void add_links(const Csr& csr) {
      std::map<Row, Row> places;  // of rows of the whole graph
      for (const Row row : rows_) places.emplace(row, static_cast<Row>(places.size()));
      std::set<Node> others;
      for (const Row row : rows_)
        for (const Row neighbor : csr.row(row))
          if (!places.contains(neighbor)) others.insert(csr.node_of_row[neighbor]);
      others_.assign(others.begin(), others.end());
      for (const Node node : others_) places.emplace(csr.row_of_node[node], static_cast<Row>(places.size()));
      for (const Row row : rows_) {
        for (const Row neighbor : csr.row(row)) neighbors_.push_back(places.at(neighbor));
        offsets_.push_back(neighbors_.size());
      }
    }

    // Who reads the values of others before they have arrived reads what shows.
    template <class T>
    Wait bring_all(T* values, std::size_t lanes) const {
      std::get<T*>(shown_) = values;
      std::fill_n(values + node_of_row_.size() * lanes, owners_.size() * lanes,
                  std::numeric_limits<T>::max());
      return [this, values, lanes] {
        meet();
        for (std::size_t i = 0; i < owners_.size(); ++i)
          std::copy_n(std::get<T*>(owners_[i].part->shown_) + owners_[i].row * lanes, lanes,
                      values + (node_of_row_.size() + i) * lanes);
        meet();
      };
    }

    SplitGraph& whole_;
    Node first_, last_;
    std::vector<Row> rows_;  // mine in the whole graph
    Row inner_ = 0;
    std::vector<std::uint64_t> offsets_ = {0};
    std::vector<Row> neighbors_;
    std::vector<Node> node_of_row_, others_;
    std::vector<Row> row_of_node_;
    std::vector<Owner> owners_;
    mutable std::tuple<double*, std::int64_t*, bool, std::span<const std::byte>,
                       std::span<const std::int64_t>>
        shown_;  // to the others, while they meet
  };

  // A part as what a graph is spread over. Everybody makes the same calls; nobody has to be asked.
  class Spread final : public SpreadRows {
   public:
    explicit Spread(const Part& part) : rows_(part.rows()) {}
    const Rows& mine() const override { return rows_; }
    void diffuse_together(const Exact&, const std::function<void()>& work) const override { work(); }
    Sha256 digest() const override { return {}; }
    int processes() const override { return 2; }  // or more: they draw as one

   private:
    Rows rows_;
  };

  Graph graph_;
  std::optional<std::barrier<>> meeting_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace hushwalk::testing
