#include "hushwalk/generate.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "graph/generate/alias_table.h"
#include "graph/generate/block_sampler.h"
#include "graph/generate/permutation.h"
#include "graph/graph_impl.h"
#include "hushwalk/error.h"
#include "hushwalk/statistics.h"
#include "hushwalk/threads.h"

namespace hushwalk {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Edges = std::vector<std::pair<Node, Node>>;

Edges edges_of(const Graph& graph) {
  Edges edges;
  for (Node u = 0; u < graph.nodes(); ++u)
    for (const Node v : graph.neighbors(u))
      if (u < v) edges.emplace_back(u, v);
  return edges;
}

void expect_simple(const Graph& graph) {
  for (Node u = 0; u < graph.nodes(); ++u) {
    const auto neighbors = graph.neighbors(u);
    EXPECT_TRUE(std::ranges::is_sorted(neighbors, std::less_equal<>{}) || neighbors.size() < 2);
    EXPECT_FALSE(std::ranges::binary_search(neighbors, u));
  }
}

std::string usage_error(std::string_view kind, const GenerateOptions& options) {
  try {
    generate(kind, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "no error for " << kind;
  return {};
}

// The smallest size at which a kind with a large default still has its shape.
GenerateOptions reduced(const GraphKind& kind) {
  return {.nodes = kind.fixed_size ? 0 : std::min<std::uint64_t>(kind.default_nodes, 2000), .edges = 0};
}

TEST(Generate, GivesEveryKindItsDefaultSizeAndNodesFromOne) {
  for (const GraphKind& kind : graph_kinds()) {
    if (kind.default_edges > 1'000'000) continue;
    const Graph graph = generate(kind.name);
    EXPECT_EQ(graph.nodes(), kind.default_nodes) << kind.name;
    EXPECT_EQ(graph.secret_edges(), kind.default_edges) << kind.name;
    EXPECT_EQ(graph.node_list().integer(0), 1);
    EXPECT_EQ(graph.node_list().integer(static_cast<Node>(graph.nodes() - 1)),
              static_cast<std::int64_t>(graph.nodes()));
    EXPECT_TRUE(graph.facts().nodes_declared);
    expect_simple(graph);
  }
}

TEST(Generate, KnowsThePublishedSizes) {
  const auto kind = [](std::string_view name) {
    return *std::ranges::find(graph_kinds(), name, &GraphKind::name);
  };
  EXPECT_EQ(kind("blogcatalog-like").default_edges, 333'983U);
  EXPECT_EQ(kind("flickr-like").default_nodes, 80'513U);
  EXPECT_EQ(kind("flickr-like").default_edges, 5'899'882U);
  EXPECT_EQ(kind("themarker-like").default_nodes, 69'400U);
  EXPECT_EQ(kind("themarker-like").default_edges, 1'600'000U);
}

TEST(Generate, DoesNotDependOnThreads) {
  for (const GraphKind& kind : graph_kinds()) {
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return generate(kind.name, reduced(kind));
    };
    const Graph one = with_threads(1), two = with_threads(2);
    EXPECT_EQ(edges_of(one), edges_of(two)) << kind.name;
    EXPECT_NE(one.facts().graph_id, two.facts().graph_id);
  }
}

TEST(Generate, DependsOnTheRandomSeed) {
  for (const GraphKind& kind : graph_kinds()) {
    if (kind.name == "karate" || kind.name == "double-star") continue;
    GenerateOptions options = reduced(kind);
    const Edges first = edges_of(generate(kind.name, options));
    options.random_seed = 2;
    EXPECT_NE(first, edges_of(generate(kind.name, options))) << kind.name;
  }
}

TEST(Generate, KeepsTheDensityWhenOneSizeIsGiven) {
  EXPECT_EQ(generate("er", {.nodes = 500}).secret_edges(), 5000U);
  EXPECT_EQ(generate("er", {.edges = 5000}).nodes(), 500U);
  EXPECT_EQ(generate("double-star", {.nodes = 10}).secret_edges(), 9U);
}

RC_GTEST_PROP(Generate, HasExactlyTheSizeAskedFor, ()) {
  const auto kinds = graph_kinds();
  const auto& kind = kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
  RC_PRE(!kind.fixed_size && kind.name != "double-star");
  const auto nodes = *rc::gen::inRange<std::uint64_t>(2, 300);
  // Sparse enough for every kind: every model but er and ba has pairs that it hardly ever draws.
  const std::uint64_t most = std::max(nodes - 1, nodes * (nodes - 1) / 8);
  const auto edges = *rc::gen::inRange<std::uint64_t>(nodes - 1, most + 1);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Graph graph = generate(kind.name, {.nodes = nodes, .edges = edges, .random_seed = seed});
  RC_ASSERT(graph.nodes() == nodes);
  RC_ASSERT(graph.secret_edges() == edges);
}

TEST(Generate, MakesCompleteGraphs) {
  for (const char* kind : {"er", "ba", "chung-lu"}) {
    EXPECT_EQ(generate(kind, {.nodes = 30, .edges = 435}).secret_edges(), 435U) << kind;
    EXPECT_EQ(generate(kind, {.nodes = 30, .edges = 434}).secret_edges(), 434U) << kind;
  }
  EXPECT_EQ(generate("er", {.nodes = 2, .edges = 1}).secret_edges(), 1U);
}

TEST(Generate, RefusesSizesThatCannotBe) {
  EXPECT_THAT(usage_error("none", {}), AllOf(HasSubstr("none"), HasSubstr("chung-lu"), HasSubstr("karate")));
  EXPECT_THAT(usage_error("er", {.nodes = 5, .edges = 11}), HasSubstr("at most 10 edges"));
  EXPECT_THAT(usage_error("er", {.nodes = 1}), HasSubstr("2 nodes or more"));
  EXPECT_THAT(usage_error("er", {.nodes = max_nodes + 1}), HasSubstr("4000000000"));
  EXPECT_THAT(usage_error("er", {.nodes = UINT64_MAX, .edges = UINT64_MAX}), HasSubstr("4000000000"));
  EXPECT_THAT(usage_error("er", {.edges = UINT64_MAX}), HasSubstr("at most"));
  EXPECT_THAT(usage_error("double-star", {.edges = UINT64_MAX}), HasSubstr("at most"));
  EXPECT_THAT(usage_error("ba", {.nodes = 10, .edges = 8}), HasSubstr("at least 9"));
  EXPECT_THAT(usage_error("karate", {.nodes = 33}), HasSubstr("34 nodes and 78 edges"));
  EXPECT_THAT(usage_error("karate", {.edges = 77}), HasSubstr("34 nodes and 78 edges"));
  EXPECT_THAT(usage_error("double-star", {.nodes = 10, .edges = 12}), HasSubstr("has 9 edges"));
  EXPECT_THAT(usage_error("rmat", {.nodes = 200, .edges = 19'900}), HasSubstr("fewer edges"));
}

TEST(Generate, CanBeStoppedByItsProgress) {
  const Progress stop = [](std::string_view, double) { throw std::runtime_error("stop"); };
  EXPECT_THROW(hushwalk::generate("chung-lu", {}, stop), std::runtime_error);
}

TEST(Generate, KarateIsZacharys) {
  const Graph graph = generate("karate");
  const std::vector<std::uint64_t> degrees = {16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2,  2,
                                              2,  2, 3,  2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17};
  for (Node v = 0; v < 34; ++v) EXPECT_EQ(graph.degree(v), degrees[v]) << "node " << v + 1;
  EXPECT_TRUE(graph.adjacent(0, 31));
  EXPECT_FALSE(graph.adjacent(0, 33));
}

TEST(Generate, DoubleStarSharesTheLeaves) {
  //  3, 5 - 1 - 2 - 4, 6
  EXPECT_EQ(edges_of(generate("double-star", {.nodes = 6})), (Edges{{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}}));
}

TEST(Generate, BarabasiAlbertGivesEveryNodeItsLinks) {
  const GraphStatistics s = statistics(generate("ba", {.nodes = 2000, .edges = 7001}));
  EXPECT_EQ(s.min_degree, 3U);
  EXPECT_EQ(s.components, 1U);
  EXPECT_GT(s.max_degree, 60U);
}

TEST(Generate, IdsSayNothingAboutDegrees) {
  for (const char* kind : {"chung-lu", "rmat", "ba", "blogcatalog-like"}) {
    const Graph graph = generate(kind);
    const auto half = static_cast<Node>(graph.nodes() / 2);
    std::uint64_t lower = 0;
    for (Node v = 0; v < half; ++v) lower += graph.degree(v);
    const double share = static_cast<double>(lower) / static_cast<double>(2 * graph.secret_edges());
    EXPECT_NEAR(share, 0.5, 0.06) << kind;
  }
}

TEST(Generate, BlogcatalogLikeHasItsDegreesAndTriangles) {
  const GraphStatistics s = statistics(generate("blogcatalog-like"));
  EXPECT_NEAR(static_cast<double>(s.median_degree), 21, 3);
  EXPECT_NEAR(static_cast<double>(s.max_degree), 3992, 500);
  EXPECT_NEAR(s.clustering, 0.476, 0.05);
  EXPECT_NEAR(s.transitivity, 0.091, 0.03);
  EXPECT_EQ(s.components, 1U);
}

// A Chung-Lu graph whose expected degrees are the degrees of `graph`.
Graph degree_twin(const Graph& graph) {
  BlockModel model;
  for (Node v = 0; v < graph.nodes(); ++v) model.weights.push_back(static_cast<double>(graph.degree(v)));
  const BlockSampler sampler(model, 1);
  const CounterRandom random(1, Stream::candidates);
  DistinctEdges edges;
  edges.grow_to(graph.secret_edges(), [&](std::uint64_t i) { return sampler.edge(random, i); }, "twin", {});
  BuiltCsr built = build_csr(graph.nodes(), edges.pieces());
  return GraphAccess::make(make_facts(graph.nodes(), edges.size(), {}, true), edges.size(), graph.node_list(),
                           built.csr);
}

TEST(Generate, PresetsHaveHeavyTailsAndMoreTrianglesThanTheirDegreesExplain) {
  for (const char* kind : {"blogcatalog-like", "flickr-like", "themarker-like"}) {
    const Graph graph = generate(kind, {.nodes = 8000, .edges = 200'000});
    const GraphStatistics s = statistics(graph), twin = statistics(degree_twin(graph));
    EXPECT_GT(s.clustering, 1.3 * twin.clustering) << kind;
    EXPECT_GT(static_cast<double>(s.max_degree), 15 * s.mean_degree) << kind;
    EXPECT_LT(static_cast<double>(s.median_degree), 0.7 * s.mean_degree) << kind;
    EXPECT_EQ(s.isolated, 0U) << kind;
  }
}

TEST(Generate, BlockModelHasMoreTrianglesThanChungLu) {
  EXPECT_GT(statistics(generate("sbm")).clustering, 2 * statistics(generate("chung-lu")).clustering);
}

RC_GTEST_PROP(Permutation, IsOneToOne, ()) {
  const auto size = *rc::gen::inRange<std::uint64_t>(1, 500);
  const Permutation permutation(size, CounterRandom(*rc::gen::arbitrary<std::uint64_t>(), Stream::labels));
  std::set<std::uint64_t> images;
  for (std::uint64_t i = 0; i < size; ++i) images.insert(permutation(i));
  RC_ASSERT(images.size() == size);
  RC_ASSERT(*images.rbegin() == size - 1);
}

TEST(AliasTable, PicksInProportionToTheWeights) {
  const std::vector<double> weights = {1, 0.5, 6, 2.5};
  const AliasTable table(weights);
  const CounterRandom random(7, Stream::candidates);
  constexpr int N = 200'000;
  std::vector<int> counts(weights.size());
  for (std::uint64_t i = 0; i < N; ++i) ++counts[table.pick(random.word(i))];
  // Five standard deviations of a binomial are at most 0.0056.
  for (std::size_t i = 0; i < weights.size(); ++i)
    EXPECT_NEAR(counts[i] / double{N}, weights[i] / 10, 0.0056);
}

}  // namespace
}  // namespace hushwalk
