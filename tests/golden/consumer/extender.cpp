// Adds the mechanism of docs/extending.md, ranks, audits and evaluates with it.
#include <hushwalk/lab.h>

#include <cstdio>

#include "extending_example.h"

int main() {
  using namespace hushwalk;
  register_mechanism(degree_mechanism());
  const Graph karate = generate("karate");
  const ReleaseParameters release{.mechanism = "degree", .scope = Scope::edge, .epsilon = Epsilon(1e5)};
  AnswerSource answers =
      ask(karate, {.seeds = {*karate.node_list().find("1")}, .release = release, .top = 1});
  answers.each([&](const Ranking& ranking) {
    std::printf("best %s\n", karate.node_list().name(ranking.nodes[0].node).c_str());
  });
  std::printf("certificate %s\n",
              verify_certificate(answers.certificate()->json).valid ? "holds" : "does not hold");
  AuditRequest attack{.release = release, .trials = 2000};
  attack.release.epsilon = Epsilon(1);
  std::printf("audit %s\n", audit(attack).verdict().c_str());
  const EvaluationRequest wanted{.mechanisms = {"degree"}, .release = {.scope = Scope::edge}, .seeds = 3};
  evaluate(karate, wanted,
           [](const EvaluationRow& row) { std::printf("evaluated %s\n", row.ndcg.mean ? "yes" : "no"); });
}
