// The main jobs as calls: a struct says what is wanted, a struct says what came of it. Command line, Python
// module and service fill the one and print the other.
//
//   AnswerSource answers = ask(graph, {.seeds = {seed}, .release = {.epsilon = Epsilon(1)}});
//   answers.each([](const Ranking& ranking) { … });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/advice.h"
#include "hushwalk/certificate.h"
#include "hushwalk/ledger.h"
#include "hushwalk/mechanism.h"
#include "hushwalk/ranking.h"

namespace hushwalk {

struct RankingHead;

// Who keeps count of what is given out, and who gets it.
struct Audience {
  std::shared_ptr<Ledger> ledger = {};  // none: nobody keeps count
  std::string recipient = {};           // see LedgerRequest
  bool publish = false;
};

struct AnswerRequest {
  std::vector<SeedVector> seeds = {};  // one ranking each; one that is given twice is released once
  bool seed_set = false;               // seeds are sets, and are shown as such even if of one node
  ReleaseParameters release = {};      // its numbers of rankings and of seeds are counted here
  bool exact = false;  // the answer that is NOT private; of `release` only the diffusion counts
  std::shared_ptr<const SharedArtefact> artefact =
      {};  // answers from this one; of `release` diffusion and scope count
  Audience audience = {};
  bool to_be_signed = false;                         // certificate() will be given a key
  std::optional<std::uint64_t> top = 10;             // how many nodes to list; none: all
  bool exclude_neighbors = false;                    // leave out the seed's own neighbours
  std::optional<std::vector<Node>> candidates = {};  // list only these, which are taken as public
};

// What somebody gave to a door: a request has defaults, and cannot tell.
struct GivenPrivacy {
  bool epsilon = false;
  bool exact = false, shared = false;
  // What the door offers in the place of an epsilon: the end of the sentence that asks for one.
  std::string_view otherwise{};
};
// Error{usage} where an exact answer or one from an artefact is to have noise of its own, or another has no
// epsilon: a mechanism, or whatever else of `asked` only a private answer has.
void check_privacy(const GivenPrivacy& given, const ReleaseParameters& asked = {});

// Error{usage} when a request contradicts itself, as by check_privacy(), too, Error{refused} when what it
// wants to show is protected. Reads no graph, and leaves the seeds to the call.
void check_request(const AnswerRequest& request);

// A request that was checked, with every seed once: it has cost nothing yet. For one thread.
class CheckedRequest {
 public:
  // Error as check_request(); Error{usage} without seeds, or with one or a candidate that is not a node.
  CheckedRequest(Graph graph, AnswerRequest request);
  ~CheckedRequest();
  CheckedRequest(CheckedRequest&&) noexcept;

  const AnswerRequest& request() const noexcept;  // its seeds are counted in `release`
  // The plan by which it will be answered, made once; none where an exact answer or an artefact needs none,
  // or where ask() will refuse, in better words.
  const std::optional<Plan>& plan();

  RankingHead head() const;  // of what is written of its answers (codec.h)

  // Whether a long run that was stopped may be taken up again: under a ledger, or from an artefact. Otherwise
  // every run draws noise of its own.
  bool can_be_taken_up() const noexcept;
  // What was asked, of what and by which version, as 64 hex digits: a run is taken up by the same request
  // only. Error{refused} when it cannot be.
  std::string digest() const;

  struct Impl;

 private:
  friend class AnswerSource;
  friend LedgerQuote quote_answer(const CheckedRequest& question);
  std::unique_ptr<Impl> impl_;
};

// Answers that have been paid for. For one thread at a time, on which `visit` is called; keeps graph and
// ledger.
class AnswerSource {
 public:
  ~AnswerSource();
  AnswerSource(AnswerSource&&) noexcept;

  // Of all rankings, after they were visited; none for exact answers. `shown` says what was shown of them,
  // and a key signs it. With `ranking`, a position among the seeds, for the one who gets that ranking alone:
  // it names their own entry of the ledger.
  std::optional<IssuedCertificate> certificate(const std::optional<ShownAnswer>& shown = {},
                                               const SigningKey* key = nullptr,
                                               std::optional<std::size_t> ranking = {});
  // As an older version of a ledger first showed it, known before the rankings; it speaks of no hashes.
  std::optional<IssuedCertificate> old_certificate() const;
  // Under a ledger.
  const std::optional<LedgerQuote>& quote() const noexcept;
  const std::vector<SeedVector>& seeds() const noexcept;  // each once
  RankingHead head() const;                               // with the old certificate
  // All rankings from the one of seed `first` on, in the order of the seeds; once. Few are held at a time,
  // however many there are.
  void each(const std::function<void(const Ranking&)>& visit, const Progress& progress = {},
            std::size_t first = 0);

  struct Impl;

 private:
  friend AnswerSource ask(CheckedRequest question, const Progress& progress);  // the only way to one
  AnswerSource(CheckedRequest question, const Progress& progress);
  std::unique_ptr<Impl> impl_;
};

// Plans and pays. Under a ledger all is charged when it returns; what is released for the first time is
// computed, a tag of it is stored, and then it is visited.
AnswerSource ask(CheckedRequest question, const Progress& progress = {});
AnswerSource ask(const Graph& graph, AnswerRequest request, const Progress& progress = {});

// What asking would promise; with seeds their numbers count, else those of `release`. Spends nothing.
PlannedAnswer plan_answer(const PublicFacts& facts, AnswerRequest request);
// What asking would charge to its ledger. Charges nothing.
LedgerQuote quote_answer(const CheckedRequest& question);
LedgerQuote quote_answer(const Graph& graph, AnswerRequest request);

// One noisy artefact that serves every seed, with its certificate.
struct ShareRequest {
  ReleaseParameters release = {};  // of it mechanism, epsilon and taper
  Audience audience = {};
  std::shared_ptr<const SigningKey> key = {};  // signs its certificate
};
struct Sharing {
  SharedArtefact artefact;
  std::optional<LedgerQuote> quote;
};
Sharing share(const Graph& graph, const ShareRequest& request, const Progress& progress = {});
// What sharing would charge to its ledger. Charges nothing.
LedgerQuote quote_share(const Graph& graph, const ShareRequest& request);

}  // namespace hushwalk
