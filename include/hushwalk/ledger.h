// A privacy budget that outlives the process. A release is charged before it is computed and stored before it
// is shown; the same question gets the stored answer and costs nothing. docs/ledger.md has the rules.
//
//   Ledger::create("friends.ledger", graph.facts(), {.epsilon = Epsilon(1)});
//   Ledger ledger("friends.ledger");
//   const LedgerCharge charge = ledger.charge(graph, {.release = {.epsilon = Epsilon(0.1)}, .seeds =
//   {seed}}); ledger.compute(charge, graph); const PrivateScores scores = ledger.answer(charge, 0);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hushwalk/certificate.h"
#include "hushwalk/mechanism.h"

namespace hushwalk {

// Fixed when the ledger is made. Decimals beyond the ninth of a limit are dropped.
struct LedgerTerms {
  Epsilon epsilon{1};                         // all releases together
  std::optional<Delta> delta = {};            // allows Rényi composition; without it only pure sums
  std::optional<Epsilon> per_recipient = {};  // all releases that one recipient sees
};

struct LedgerRequest {
  ReleaseParameters release;      // `rankings` and `seeds_per_ranking` are taken from the seeds
  std::vector<SeedVector> seeds;  // one ranking each; none: only the artefact of `shared`
  std::string recipient = {};     // empty: the owner of each seed; in edge scope, nobody in particular
  bool publish = false;           // in edge scope: for anyone, on every recipient's budget
};

// An account with its limit, before and after something is charged.
struct LedgerAccount {
  std::string recipient;  // empty: the total, what was published, or answers for nobody in particular
  double limit = 0;       // infinite where there is none
  double spent = 0;       // the better of pure and Rényi composition
  double left = 0;        // of the limit
  std::uint64_t releases = 0;
};

// What a request costs, or would cost. A network door gives out `rankings` and `refusal`, and nothing of
// `for_custodian`: it says what other recipients have asked and spent.
struct LedgerQuote {
  std::uint64_t rankings = 0;
  std::string refusal = {};  // empty when it fits; else why not

  struct Payment {
    std::string recipient;
    double epsilon = 0;      // what is added to the pure sum of their own budget
    bool published = false;  // and of everybody's
  };
  struct Books {
    std::uint64_t new_releases = 0;  // how many of the rankings are new in the total
    double epsilon = 0;              // what they add to the pure sum of the total
    LedgerAccount total = {};        // as it would be afterwards
    std::vector<Payment> payments = {};
    double spent_before = 0;
    std::string refusal = {};  // what is left and would fit, where that is not the asker's own
  };
  Books for_custodian = {};
};

struct LedgerState {
  std::string ledger_id;
  std::vector<std::string> graph_ids;  // snapshots, the newest last
  std::optional<double> delta;
  std::optional<double> order;  // of the Rényi sum of the total
  LedgerAccount total;
  LedgerAccount published;                // part of what every recipient sees, those to come included
  std::vector<LedgerAccount> recipients;  // what each has paid for, and what was published
  std::uint64_t entries = 0, stored = 0, unfinished = 0;
  std::string head;  // the hash of the last entry
  std::string updated;
};

struct LedgerEntry {
  std::int64_t sequence = 0;
  std::string at, kind;
  std::string body;  // JSON
  std::string hash;
  std::string source = {}, mechanism = {};       // of a charge: what was drawn
  std::string recipient = {};                    // and who gets it
  bool published = false;                        // everybody
  std::optional<double> epsilon = {};            // of what was charged to the total
  std::optional<double> recipient_epsilon = {};  // and to the recipient
  std::vector<double> rdp =
      {};  // the Rényi curve of either, by PrivacyCost::orders(); infinite where unknown
};

struct LedgerCheck {
  bool valid = false;
  std::string reason;  // what does not hold; or what was checked
};

// That a request was charged: by this its answers are computed and shown. Made by Ledger::charge() only.
class LedgerCharge {
 public:
  ~LedgerCharge();
  LedgerCharge(LedgerCharge&&) noexcept;
  const LedgerQuote& quote() const noexcept;

  struct Impl;

 private:
  friend class Ledger;
  explicit LedgerCharge(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Any number of threads may use one ledger, and any number of processes one file: calls on the file wait for
// each other, computing does not.
class Ledger {
 public:
  // Makes the file, readable by its owner only. Error{failed} when there is one already, or one that belongs
  // to a ledger of this name; Error{usage} when the name is one that another database keeps for itself.
  static void create(const std::filesystem::path& path, const PublicFacts& graph, const LedgerTerms& terms);

  // Error{failed} when it is missing, not writable, a link or a mount of its own, no ledger, damaged, or of a
  // newer version.
  explicit Ledger(const std::filesystem::path& path);
  ~Ledger();
  Ledger(Ledger&&) noexcept;

  // Charges nothing; waits for others as charging does.
  LedgerQuote quote(const Graph& graph, const LedgerRequest& request);

  // The three steps of an answer. Charging takes all rankings or none, reads no edge, and is on the disk when
  // it returns. Error{refused} when a budget would be exceeded, the graph is not one of the ledger's, or a
  // seed has another owner.
  LedgerCharge charge(const Graph& graph, const LedgerRequest& request);
  // Computes and stores what was charged and is not stored yet. Error{usage} for another graph.
  void compute(const LedgerCharge& charge, const Graph& graph, const Progress& progress = {});
  // As it is stored; Error{failed} when it was never computed.
  PrivateScores answer(const LedgerCharge& charge, std::size_t ranking) const;

  // Of all rankings of a charge, as it was first shown; the audience is the one that was charged.
  IssuedCertificate certificate(const LedgerCharge& charge, const CertificateContext& context);
  // Of a request without seeds, in place of answers: charged to the total once, computed if it is not stored
  // yet.
  SharedArtefact artefact(const LedgerCharge& charge, const Graph& graph);
  // Error{refused} unless this very artefact of this graph was charged here.
  void check_charged(const PublicFacts& graph, const SharedArtefact& artefact) const;

  LedgerState state() const;
  // `visit` must not use the ledger.
  void each_entry(const std::function<void(const LedgerEntry&)>& visit) const;

  // Recomputes everything from the chain of entries; `head` is a hash noted earlier that must be among them.
  // Error when it cannot be read, which says nothing of what it holds.
  LedgerCheck verify(const std::optional<std::string>& head = {}) const;

  // A new snapshot of the same graph: it may be asked about too, and all budgets carry over.
  void add_snapshot(const PublicFacts& graph);
  // After the clock was wrong: entries may be younger than the last one again.
  void accept_clock();

  struct Impl;
  Impl& impl() noexcept { return *impl_; }  // for the library's own

 private:
  std::unique_ptr<Impl> impl_;
};

// The same for a ledger that may be too damaged to be opened.
LedgerCheck verify_ledger(const std::filesystem::path& path, const std::optional<std::string>& head = {});

}  // namespace hushwalk
