// A ledger in a folder of its own, over the karate club, and short words for what is asked of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hushwalk/error.h"
#include "hushwalk/ledger.h"
#include "support/graphs.h"
#include "support/temporary.h"

namespace hushwalk::testing {

inline LedgerRequest asked(const std::vector<Node>& seeds, double epsilon,
                           const std::string& recipient = {}) {
  LedgerRequest request{{.mechanism = "twohop", .epsilon = Epsilon(epsilon)}, {}, recipient};
  for (const Node seed : seeds) request.seeds.emplace_back(seed);
  return request;
}

inline LedgerRequest asked_in_edge_scope(Node seed, double epsilon, const std::string& recipient = {}) {
  LedgerRequest request = asked({seed}, epsilon, recipient);
  request.release.mechanism = std::string("output");
  request.release.scope = Scope::edge;
  return request;
}

inline LedgerRequest published(LedgerRequest request) {
  request.publish = true;
  return request;
}

inline LedgerRequest asked_of_shared(Node seed, double epsilon, const std::string& recipient = {}) {
  LedgerRequest request = asked({seed}, epsilon, recipient);
  request.release.mechanism = std::string("shared");
  return request;
}

// The steps of an answer, one after the other.
class LedgerRanker {
 public:
  LedgerRanker(Ledger& ledger, const Graph& graph, const LedgerRequest& request)
      : ledger_(ledger),
        charge_(ledger.charge(graph, request)),
        answers_(ledger.answers(charge_, graph, 0, request.seeds.size())) {}
  const LedgerQuote& charged() const { return charge_.quote(); }
  PrivateScores answer(std::size_t ranking) const { return answers_.at(ranking).scores; }
  const std::string& salt(std::size_t ranking) const { return answers_.at(ranking).salt; }
  IssuedCertificate certificate(const CertificateContext& context) const {
    return ledger_.certificate(charge_, context);
  }

 private:
  Ledger& ledger_;
  LedgerCharge charge_;
  std::vector<LedgerAnswer> answers_;
};

// What `share` does under a ledger.
struct LedgerArtefact {
  LedgerQuote charged;
  std::vector<std::byte> bytes;
};
inline LedgerArtefact share(Ledger& ledger, const Graph& graph, LedgerRequest request) {
  request.seeds.clear();
  request.release.mechanism = std::string("shared");
  request.release.scope = Scope::edge;
  const LedgerCharge charge = ledger.charge(graph, request);
  return {charge.quote(), ledger.artefact(charge, graph).bytes()};
}

// Makes the ledger and opens it.
class TestLedger {
 public:
  explicit TestLedger(const LedgerTerms& terms = {}, Graph graph = karate())
      : graph_(std::move(graph)), path_(folder_ / "k.ledger"), ledger_(made(path_, graph_, terms)) {}

  Ledger& operator*() { return ledger_; }
  Ledger* operator->() { return &ledger_; }
  const Graph& graph() const { return graph_; }
  const std::filesystem::path& path() const { return path_; }

  std::vector<double> scores(const LedgerRequest& request, std::size_t ranking = 0) {
    return LedgerRanker(ledger_, graph_, request).answer(ranking).scores;
  }
  void release(const LedgerRequest& request) { const LedgerRanker ranker(ledger_, graph_, request); }
  double spent() const { return ledger_.state().total.spent; }
  double spent(const std::string& recipient) const {
    for (const LedgerAccount& account : ledger_.state().recipients)
      if (account.recipient == recipient) return account.spent;
    return 0;
  }
  bool intact() const { return ledger_.verify().valid; }

 private:
  static Ledger made(const std::filesystem::path& path, const Graph& graph, const LedgerTerms& terms) {
    Ledger::create(path, graph.facts(), terms);
    return Ledger(path);
  }
  TemporaryFolder folder_;
  Graph graph_;
  std::filesystem::path path_;
  Ledger ledger_;
};

// What kind of error it is, and that there is one.
template <class Action>
ErrorCode error_of(Action action, std::string* message = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (message) *message = error.what() + std::string("; ") + error.for_custodian();
    return error.code();
  }
  throw std::logic_error("no error where there should be one");
}

template <class Action>
void expect_refused(Action action, const std::string& part) {
  std::string message;
  const auto told = [&] {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(std::filesystem::temp_directory_path().string()),
                std::string::npos)
          << "a path is for the custodian: " << error.what();
      throw;
    }
  };
  EXPECT_EQ(error_of(told, &message), ErrorCode::refused);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

inline LedgerArtefact shared(TestLedger& ledger, double epsilon, const std::string& recipient = {}) {
  return share(*ledger, ledger.graph(), {{.epsilon = Epsilon(epsilon)}, {}, recipient});
}

}  // namespace hushwalk::testing
