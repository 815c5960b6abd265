// Graphs that hold no chance.

#include <array>

#include "base/fail.h"
#include "graph/generate/models.h"

namespace hushwalk {
namespace {

// The friendships in a karate club (Zachary, "An information flow model for conflict and fission in small
// groups", 1977), as (smaller, larger) in his numbering from 1.
constexpr std::array<EdgeOfNodes, 78> zachary = {{
    {1, 2},   {1, 3},   {1, 4},   {1, 5},   {1, 6},   {1, 7},   {1, 8},   {1, 9},   {1, 11},  {1, 12},
    {1, 13},  {1, 14},  {1, 18},  {1, 20},  {1, 22},  {1, 32},  {2, 3},   {2, 4},   {2, 8},   {2, 14},
    {2, 18},  {2, 20},  {2, 22},  {2, 31},  {3, 4},   {3, 8},   {3, 9},   {3, 10},  {3, 14},  {3, 28},
    {3, 29},  {3, 33},  {4, 8},   {4, 13},  {4, 14},  {5, 7},   {5, 11},  {6, 7},   {6, 11},  {6, 17},
    {7, 17},  {9, 31},  {9, 33},  {9, 34},  {10, 34}, {14, 34}, {15, 33}, {15, 34}, {16, 33}, {16, 34},
    {19, 33}, {19, 34}, {20, 34}, {21, 33}, {21, 34}, {23, 33}, {23, 34}, {24, 26}, {24, 28}, {24, 30},
    {24, 33}, {24, 34}, {25, 26}, {25, 28}, {25, 32}, {26, 32}, {27, 30}, {27, 34}, {28, 34}, {29, 32},
    {29, 34}, {30, 33}, {30, 34}, {31, 33}, {31, 34}, {32, 33}, {32, 34}, {33, 34},
}};

}  // namespace

EdgePieces karate(const Recipe&) {
  EdgePieces pieces(1);
  for (const auto [u, v] : zachary) pieces[0].push_back({u - 1, v - 1});
  return pieces;
}

//  Hubs 1 and 2 joined, odd leaves at 1 and even leaves at 2.
EdgePieces double_star(const Recipe& recipe) {
  const auto [nodes, edges] = recipe.size;
  if (edges != nodes - 1)
    fail_usage("double-star with {} nodes has {} edges; leave the number of edges out", nodes, nodes - 1);
  EdgePieces pieces(1);
  pieces[0].push_back({0, 1});
  for (std::uint64_t leaf = 2; leaf < nodes; ++leaf)
    pieces[0].push_back({static_cast<Node>(leaf % 2), static_cast<Node>(leaf)});
  return pieces;
}

}  // namespace hushwalk
