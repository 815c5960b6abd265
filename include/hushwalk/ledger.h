// A privacy budget that outlives the process. A release is charged before it is computed, and a tag of it is
// stored before it is shown; the same question gets the same numbers, computed again, and costs nothing.
// docs/ledger.md has the rules.
//
//   Ledger::create("friends.ledger", graph.facts(), {.epsilon = Epsilon(1)});
//   Ledger ledger("friends.ledger");
//   const LedgerCharge charge =
//       ledger.charge(graph, {.release = {.epsilon = Epsilon(0.1)}, .seeds = {seed}});
//   const std::vector<LedgerAnswer> answers = ledger.answers(charge, graph, 0, 1);
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

// A budget for each period of time, which begins when the ledger is made.
struct PeriodTerms {
  Epsilon epsilon;     // what one period may spend
  int days = 30;       // how long it is; 0: a month of the calendar, in UTC
  bool carry = false;  // what a period leaves is added to the next
};

// Fixed when the ledger is made. Decimals beyond the ninth of a limit are dropped.
struct LedgerTerms {
  std::optional<Epsilon> epsilon = Epsilon(1);  // all releases together; none: only periods have a limit
  std::optional<Delta> delta = {};              // allows Rényi composition; without it only pure sums
  std::optional<Epsilon> per_recipient = {};    // all releases that one recipient sees
  std::optional<PeriodTerms> period = {};
};

// The terms that words give: `period` is so many days, as in 30d, or month; 30d where it is left out. None
// without `per_period`; Error{usage} when the others are given without it.
std::optional<PeriodTerms> period_terms(std::optional<Epsilon> per_period,
                                        const std::optional<std::string>& period, bool carry);

struct LedgerRequest {
  ReleaseParameters release;      // `rankings` and `seeds_per_ranking` are taken from the seeds
  std::vector<SeedVector> seeds;  // one ranking each; none: only the artefact
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

// An epsilon in decimals, in whole units of 1e-9 as a ledger counts: what was spent is never shown as less,
// what is left never as more.
std::string spent_text(double epsilon);
std::string left_text(double epsilon);

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

// The period that the ledger is in: by the clock, and never an earlier one than before.
struct LedgerPeriod {
  std::int64_t index = 0;  // from 0
  std::string begins, ends;
  int days = 0;  // 0: a month
  bool carry = false;
  LedgerAccount account;  // its limit, and what was spent in it; with `carry` of all periods so far
};

struct LedgerState {
  std::string ledger_id;
  std::uint64_t graph_count = 0;       // snapshots
  std::vector<std::string> graph_ids;  // the last few of them, the newest last
  std::optional<double> delta;
  std::optional<double> order;  // of the Rényi sum of the total
  LedgerAccount total;
  std::optional<LedgerPeriod> period;
  std::string promise;                    // of all releases together, in words
  LedgerAccount published;                // part of what every recipient sees, those to come included
  std::uint64_t recipient_count = 0;      // that have an account
  std::vector<LedgerAccount> recipients;  // what each has paid for, and what was published; not always all
  std::uint64_t entries = 0, stored = 0, unfinished = 0;
  std::string head;  // the hash of the last entry
  std::string updated;
  std::string warning;  // that it is not the newest, by the head beside its key; else empty
};

// One entry of the chain, whose hash covers `at`, `kind` and `body`. What an entry of a version of the ledger
// says may never change its meaning. A new kind of entry, and a member that older programs must not overlook,
// needs a new version (schema_version).
struct LedgerEntry {
  std::int64_t sequence = 0;
  std::string at, kind;
  std::string body;  // JSON
  std::string hash;
  std::string source = {}, mechanism = {};       // of a charge: what was drawn
  std::string recipient = {};                    // and who gets it
  bool published = false;                        // everybody
  std::optional<double> epsilon = {};            // charged to the total
  std::optional<double> recipient_epsilon = {};  // and to the recipient
  std::vector<double> rdp =
      {};  // the Rényi curve of either, by PrivacyCost::orders(); infinite where unknown
};

struct LedgerCheck {
  bool valid = false;
  std::string reason;  // what does not hold; or what was checked
};

struct LedgerAnswer {
  PrivateScores scores;
  std::string salt;             // for the hash of what is shown; empty: an older version certified it without
  bool estimated_anew = false;  // another version made scores of the same released numbers before
};

// That a request was charged: by this its answers are computed and shown. Made by Ledger::charge() only. Any
// number of threads may compute from one charge; it is used with the ledger object that made it, which must
// live as long.
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
  // Makes the file and its key, readable by their owner only; the key is L.key unless it is named, and beside
  // it stands the newest head. Error{failed} when there is a ledger or a key already, or a file that belongs
  // to a ledger of this name; Error{usage} when the name is one that another database keeps for itself.
  // Returns the id.
  static std::string create(const std::filesystem::path& path, const PublicFacts& graph,
                            const LedgerTerms& terms, const std::filesystem::path& key = {});

  // Error{failed} when it is missing, not writable, a link or a mount of its own, no ledger, damaged, or of a
  // newer version. The key is needed for charges and answers only.
  explicit Ledger(const std::filesystem::path& path, const std::filesystem::path& key = {});
  ~Ledger();
  Ledger(Ledger&&) noexcept;

  // The plan by which a release would be charged; charging the same right afterwards makes no other. Charges
  // nothing.
  Plan plan(const PublicFacts& graph, const ReleaseParameters& release);
  // Charges nothing; waits for others as charging does.
  LedgerQuote quote(const Graph& graph, const LedgerRequest& request);

  // Charging takes all rankings or none, shows nothing of an edge, and is on the disk when it returns.
  // Error{refused} when a budget would be exceeded, the graph is not one of the ledger's or not what it was,
  // a seed has another owner, or the ledger is older than the head that is noted beside its key.
  LedgerCharge charge(const Graph& graph, const LedgerRequest& request);
  // Computes `count` rankings from `first` on, stores a tag of what is released for the first time, and
  // Error{refused} where it is not what was released before. Error{usage} for another graph.
  std::vector<LedgerAnswer> answers(const LedgerCharge& charge, const Graph& graph, std::size_t first,
                                    std::size_t count, const Progress& progress = {});

  // The same, of which only `listing` is kept: from an artefact that is all that is computed.
  std::vector<Ranking> rankings(const LedgerCharge& charge, const Graph& graph, std::size_t first,
                                std::size_t count, const Listing& listing, const Progress& progress = {});

  // Of all rankings of a charge; the audience is the one that was charged. With `ranking` for the one who
  // gets that ranking alone: it says how many were made together, and names the entry by which they may see
  // theirs.
  IssuedCertificate certificate(const LedgerCharge& charge, const CertificateContext& context,
                                const SigningKey* key = nullptr, std::optional<std::size_t> ranking = {});
  // As an older version first showed it; none where it is made anew for what is shown.
  std::optional<IssuedCertificate> old_certificate(const LedgerCharge& charge,
                                                   const CertificateContext& context);
  // Of a request without seeds, in place of answers: charged to the total once, computed if it is not stored
  // yet.
  SharedArtefact artefact(const LedgerCharge& charge, const Graph& graph, const SigningKey* key = nullptr,
                          const Progress& progress = {});
  // Error{refused} unless this very artefact of this graph was charged here.
  void check_charged(const PublicFacts& graph, const SharedArtefact& artefact) const;
  // Error{failed} unless the certificate says that it was this ledger that charged.
  void check_named_by(const Verification& certificate) const;

  // With at most `recipients` of those who have an account, the greatest spenders first; unless there are
  // more than that and none are asked for.
  LedgerState state(std::optional<std::uint64_t> recipients = {}) const;
  // `visit` must not use the ledger.
  void each_entry(const std::function<void(const LedgerEntry&)>& visit) const;
  // The last ones, in their order. However long the ledger is, only these are read, and what they refer to.
  std::vector<LedgerEntry> newest_entries(std::uint64_t most) const;

  // Recomputes everything from the chain of entries; `head` is a hash noted earlier that must be among them.
  // Error when it cannot be read, which says nothing of what it holds.
  // `without_noted_head`: whatever is noted beside the key, before it is accepted anew.
  LedgerCheck verify(const std::optional<std::string>& head = {}, bool without_noted_head = false) const;
  // What is gone on with after somebody has looked, if the ledger is intact.
  struct Accepted {
    // After the clock was wrong: entries may be younger than the last one again.
    bool clock = false;
    // After the head that is noted beside the key was lost, or the ledger was restored knowingly: what the
    // ledger says is noted. What was spent since the copy was made, by that head, is charged; who asked what
    // is forgotten. The check says how much.
    bool head = false;
  };
  LedgerCheck verify_and_accept(const Accepted& accepted, const std::optional<std::string>& head = {});

  bool has_graph(const std::string& graph_id) const;  // whether it is one of the ledger's snapshots
  // What was charged by this entry or before is not shown any more; 0: nothing was forgotten.
  std::int64_t forgotten() const;

  // A new snapshot of the same graph: it may be asked about too, and all budgets carry over.
  void add_snapshot(const PublicFacts& graph);

  // Raises limits, each by so much; the reason is kept. Error{usage} for a limit that the ledger has not.
  struct Extension {
    std::optional<Epsilon> epsilon = {}, per_recipient = {}, per_period = {};
    std::string reason;
  };
  void extend(const Extension& extension);

  // A copy, consistent while the ledger is used, and whether it is intact. Not to be used as a ledger while
  // this one is.
  LedgerCheck backup(const std::filesystem::path& copy) const;
  // Gives back the room of what is no longer kept. All entries stay.
  void compact();
  // Which part of what was released, of the first three one.
  struct Forgetting {
    std::optional<std::string> before = {};  // all that was charged before that time, as 2026-01-31T12:00:00Z
    std::optional<int> older_than = {};      // so many days ago or earlier
    // All, after the key was lost, or to ask old questions anew: they are charged again, with other noise.
    // Makes a key where there is none.
    bool new_epoch = false;
    // With a new epoch, for when the head beside the key was lost with it, or the ledger is an older copy: as
    // verify_and_accept(). It needs no key.
    bool accept_head = false;
  };
  // Deletes its artefacts, tags and older answers; but for a new epoch it is refused from then on. Charges
  // stay. Returns what the custodian should hear.
  std::vector<std::string> forget(const Forgetting& what);
  // Error{usage} when it contradicts itself, as by forget().
  static void check_forgetting(const Forgetting& what);

  struct Impl;
  Impl& impl() noexcept { return *impl_; }  // for the library's own

 private:
  void check_answerable(const LedgerCharge& charge, const Graph& graph) const;
  void accept_clock();
  void accept_head();
  void forget_before(const std::string& time);
  std::vector<std::string> begin_epoch(bool accept_head);
  std::unique_ptr<Impl> impl_;
};

// A graph with the file that it is in, whose notes name its first ledger.
struct GraphInFile {
  const std::filesystem::path& path;
  const Graph& graph;
};
// Makes a ledger for it. Error{refused} when the notes name one already, unless `force`: a second one knows
// nothing of what that one charged. Returns what the custodian should hear beside it.
std::vector<std::string> create_ledger(const std::filesystem::path& path, const GraphInFile& of,
                                       const LedgerTerms& terms, const std::filesystem::path& key = {},
                                       bool force = false);
// Ledger::add_snapshot, likewise: Error{refused} when the notes name another ledger, unless `force`.
std::vector<std::string> add_snapshot(Ledger& ledger, const GraphInFile& of, bool force = false);

// Ledger::verify_and_accept for a ledger that may be too damaged to be opened.
LedgerCheck verify_ledger(const std::filesystem::path& path, const std::optional<std::string>& head = {},
                          const std::filesystem::path& key = {}, const Ledger::Accepted& accepted = {});

}  // namespace hushwalk
