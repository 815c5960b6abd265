// Diffusions against dense linear algebra in long double: a solver for the limit of many steps, matrix powers
// for a given number of them, the exponential series for heat. None of it walks a graph.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "hushwalk/diffuse.h"
#include "support/arbitrary.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

using hushwalk::testing::arbitrary_graph;
using hushwalk::testing::arbitrary_seeds;
using hushwalk::testing::karate;

using Real = long double;
using Vector = std::vector<Real>;
using Matrix = std::vector<Vector>;

Matrix identity(std::size_t n) {
  Matrix m(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) m[i][i] = 1;
  return m;
}

Matrix walk_matrix(const Graph& graph) {
  Matrix p(graph.nodes(), Vector(graph.nodes(), 0));
  for (Node v = 0; v < graph.nodes(); ++v)
    for (Node u = 0; u < graph.nodes(); ++u)
      if (graph.adjacent(u, v)) p[v][u] = 1 / static_cast<Real>(graph.degree(u));
  return p;
}

// a A + b B
Matrix combine(Real a, const Matrix& A, Real b, const Matrix& B) {
  Matrix m = A;
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) m[i][j] = a * A[i][j] + b * B[i][j];
  return m;
}

Matrix multiply(const Matrix& A, const Matrix& B) {
  Matrix m(A.size(), Vector(A.size(), 0));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t k = 0; k < A.size(); ++k)
      for (std::size_t j = 0; j < A.size(); ++j) m[i][j] += A[i][k] * B[k][j];
  return m;
}

Matrix power(Matrix base, unsigned exponent) {
  Matrix m = identity(base.size());
  for (; exponent > 0; exponent /= 2, base = multiply(base, base))
    if (exponent % 2 == 1) m = multiply(m, base);
  return m;
}

Vector image(const Matrix& A, const Vector& x) {
  Vector y(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += A[i][j] * x[j];
  return y;
}

// A x = b by Gaussian elimination with partial pivoting.
Vector solve(Matrix A, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Real factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

Vector dense(const Graph& graph, const SeedVector& seed) {
  Vector s(graph.nodes(), 0);
  for (const auto& [node, weight] : seed.entries()) s[node] = weight;
  return s;
}

double l1(const std::vector<double>& a, const Vector& b) {
  Real distance = a.size() == b.size() ? 0 : 1e9L;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::abs(a[i] - b[i]);
  return static_cast<double>(distance);
}

// The limit of equal steps: (I - walk P - stay I) x = restart s.
Vector limit(const Graph& graph, const Step& step, const SeedVector& seed) {
  const Matrix I = identity(graph.nodes());
  Vector right = dense(graph, seed);
  for (Real& value : right) value *= step.restart;
  return solve(
      combine(1 - static_cast<Real>(step.stay), I, -static_cast<Real>(step.walk), walk_matrix(graph)), right);
}

// K equal steps from powers of M = walk P + stay I:  M^K s + (I - M)^-1 (I - M^K) restart s.
Vector finite(const Graph& graph, const Diffusion& diffusion, const SeedVector& seed) {
  const Step step = diffusion.steps()[0];
  const Matrix I = identity(graph.nodes()), M = combine(step.walk, walk_matrix(graph), step.stay, I);
  const Matrix MK = power(M, static_cast<unsigned>(diffusion.steps().size()));
  const Vector s = dense(graph, seed), moved = image(MK, s);
  if (step.restart == 0) return moved;
  Vector right = image(combine(1, I, -1, MK), s);
  for (Real& value : right) value *= step.restart;
  Vector x = solve(combine(1, I, -1, M), right);
  for (std::size_t v = 0; v < x.size(); ++v) x[v] += moved[v];
  return x;
}

// exp(-t (I - P)) s = e^-t sum over k of t^k / k! P^k s
Vector heat_kernel(const Graph& graph, Real time, const SeedVector& seed) {
  const Matrix P = walk_matrix(graph);
  Vector term = dense(graph, seed), x(graph.nodes(), 0);
  for (Real& value : term) value *= std::exp(-time);
  for (int k = 1; k < 100; ++k) {
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += term[v];
    term = image(P, term);
    for (Real& value : term) value *= time / k;
  }
  return x;
}

TEST(DenseDiffusion, ManyStepsReachTheSolutionOfTheLinearSystem) {
  for (const double beta : {0.15, 0.8, 0.9})
    for (const Diffusion& diffusion : {Diffusion::ppr(beta, 500), Diffusion::pagerank(beta, 500)})
      EXPECT_LT(
          l1(diffuse_exactly(karate(), diffusion, SeedVector(16)), limit(karate(), diffusion.steps()[0], 16)),
          1e-13)
          << diffusion.name() << ' ' << beta;
}

TEST(DenseDiffusion, HeatIsTheMatrixPowerAndCloseToTheExponential) {
  for (const double time : {0.5, 5.0})
    for (const int steps : {5, 50, 1000}) {
      const auto x = diffuse_exactly(karate(), Diffusion::heat(time, steps), SeedVector(0));
      EXPECT_LT(l1(x, finite(karate(), Diffusion::heat(time, steps), 0)), 1e-13);
      EXPECT_LE(l1(x, heat_kernel(karate(), time, 0)), 2 * time * time / steps);
    }
}

RC_GTEST_PROP(DenseDiffusion, EqualsMatrixPowersOnAnyGraph, ()) {
  const Graph graph = arbitrary_graph(16);
  const SeedVector seed = arbitrary_seeds(graph);
  const int steps = *rc::gen::inRange(1, 40);
  const Diffusion diffusion = *rc::gen::element(Diffusion::ppr(0.8, steps), Diffusion::pagerank(0.8, steps),
                                                Diffusion::heat(0.7, steps));
  RC_ASSERT(l1(diffuse_exactly(graph, diffusion, seed), finite(graph, diffusion, seed)) < 1e-13);
}

RC_GTEST_PROP(DenseDiffusion, ReachesTheLimitOnAnyGraph, ()) {
  const Graph graph = arbitrary_graph(16);
  const SeedVector seed = arbitrary_seeds(graph);
  const Diffusion diffusion = *rc::gen::element(Diffusion::ppr(0.7, 150), Diffusion::pagerank(0.7, 150));
  RC_ASSERT(l1(diffuse_exactly(graph, diffusion, seed), limit(graph, diffusion.steps()[0], seed)) < 1e-13);
}

}  // namespace
}  // namespace hushwalk
