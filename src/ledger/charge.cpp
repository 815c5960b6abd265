#include "ledger/charge.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

#include "base/fail.h"
#include "base/utf8.h"
#include "ledger/damage.h"
#include "plan/certificate.h"
#include "plan/planner.h"

namespace hushwalk::ledger {
namespace {

// No other name is a recipient's: see total_account and everybody.
bool may_be_recipient(const std::string& name) {
  return is_printable_utf8(name) && !name.starts_with(' ') && !name.ends_with(' ');
}

struct Refusal {
  std::string message, for_custodian;
};

struct Ranking {
  NamedSeeds seeds;
  std::string request_key;
};

class Charging {
 public:
  Charging(Ledger::Impl& ledger, const Graph& graph, const LedgerRequest& request)
      : ledger_(ledger), facts_(graph.facts()), request_(request), release_(request.release) {
    ledger.check_graph(facts_);
    const std::string& name = request.recipient;
    if (!is_recipient_name(name))
      fail_usage(
          "the recipient's name must be printable UTF-8 of at most {} bytes, with no blank at its ends",
          longest_recipient_name);
    if (written_units_down(release_.epsilon.value()) < 1)
      refuse("epsilon = {} is less than the smallest unit of a ledger, 1e-9", release_.epsilon.value());
    if (request.publish && !name.empty())
      fail_usage("what is published has no recipient: name one, or publish");
    if (request.publish && release_.scope != Scope::edge)
      refuse(
          "in personalized scope an answer is for the owner of the seed only and cannot be published; use `scope edge`");
    release_.rankings = std::max<std::uint64_t>(request.seeds.size(), 1);
    for (const SeedVector& seed : request.seeds) {
      release_.seeds_per_ranking = std::max<std::uint64_t>(release_.seeds_per_ranking, seed.entries().size());
      rankings_.push_back({named(seed, graph.node_list()), {}});
    }
    if (rankings_.empty()) rankings_.push_back({});  // the artefact: a ranking of nobody
    for (Ranking& ranking : rankings_)
      ranking.request_key = request_key(facts_.graph_id, release_, ranking.seeds);
  }

  // When every ranking was asked for before, by the same recipient, nothing needs to be written.
  std::optional<Charge> replay() {
    const Transaction snapshot(ledger_.database, Transaction::Kind::reading);
    Charge result;
    for (const Ranking& ranking : rankings_) {
      const Who who = recipient_of(ranking.seeds);
      auto answer = ledger_.state.answer_of_request(ranking.request_key);
      if (!answer || !has_paid(answer->source, ranking, who.recipient)) return std::nullopt;
      result.answers.push_back(std::move(*answer));
    }
    if (result.answers.size() == 1)
      result.answers.front().stored = ledger_.documents.read(
          answer_document(result.answers.front().key),
          [&](std::span<const std::byte> bytes) { result.only_scores = decode(bytes, facts_.nodes).scores; });
    result.quote.rankings = request_.seeds.size();
    result.quote.for_custodian.total = total();
    result.quote.for_custodian.spent_before = result.quote.for_custodian.total.spent;
    return result;
  }

  Charge charge(Commit commit) {
    make_plan_once();
    Transaction transaction(ledger_.database, Transaction::Kind::writing);
    at_ = ledger_.now();
    result_.quote.rankings = request_.seeds.size();
    result_.quote.for_custodian.spent_before = total().spent;
    before_[total_account] = ledger_.state.account(total_account);
    for (const Ranking& ranking : rankings_) charge_ranking(ranking);
    result_.quote.for_custodian.total = total();
    result_.quote.for_custodian.epsilon = number(added(total_account));
    for (const auto& [name, before] : before_)
      if (name != total_account && (request_.publish == (name == everybody)))
        result_.quote.for_custodian.payments.push_back(
            {request_.publish ? "" : name, number(added(name)), request_.publish});
    const std::optional<Refusal> refused = refusal();
    if (refused && commit == Commit::yes)
      refuse(for_custodian("{}", refused->for_custodian), "{}", refused->message);
    if (refused) {
      result_.quote.refusal = refused->message;
      result_.quote.for_custodian.refusal = refused->for_custodian;
    }
    if (commit == Commit::never) return std::move(result_);
    transaction.commit();
    return std::move(result_);
  }

 private:
  LedgerAccount total() { return ledger_.account(total_account); }
  Units added(const std::string& name) {
    return ledger_.state.seen_by(name).spending.units - before_.at(name).spending.units;
  }

  // The plan of one ranking. `auto` decides for all rankings together.
  void make_plan_once() {
    ReleaseParameters one = choose_mechanism(release_);
    one.rankings = 1;
    plan_ = make_plan(facts_, one);
    if (request_.seeds.empty() && (plan_.artefact != Artefact::numbers || release_.scope != Scope::edge))
      fail_usage(
          "without seeds an artefact is asked for: that takes a mechanism that has one, and scope edge");
    if (plan_.artefact == Artefact::pairs)
      refuse(
          "{} draws one artefact for everybody, which a ledger cannot keep; use another `mechanism`, or compare with it without a ledger",
          plan_.parameters.mechanism);
    if (!ledger_.known || ledger_.known->plan != plan_) {
      Json document = plan_document(plan_);
      std::string text = document.dump(), digest = digest_of(document);
      ledger_.known = std::make_shared<const KnownPlan>(
          KnownPlan{plan_, std::move(document), cost_json(), std::move(text), std::move(digest)});
    }
    result_.known = ledger_.known;
  }

  Json cost_json() const {
    const PrivacyCost curve = find_planner(plan_.parameters.mechanism).cost(plan_);
    const Drawn cost = cost_of(plan_, curve, ledger_.terms);
    Json json = {{"units", cost.total.units}, {"rdp", cost.total.rdp}, {"recipient_rdp", cost.recipient.rdp}};
    // The curve of a release of which only the pure epsilon is known need not be written down.
    if (!std::ranges::equal(curve.rdp(), PrivacyCost::of(plan_.parameters.epsilon).rdp()))
      for (std::size_t i = 0; i < curve.rdp().size(); ++i)
        json["curve"].push_back({number_json(PrivacyCost::orders()[i]), number_json(curve.rdp()[i])});
    return json;
  }

  struct Who {
    std::string recipient;
    std::vector<std::string> unowned;  // seeds that nobody owns yet
  };

  // Who gets an answer for these seeds, if they may.
  Who recipient_of(const NamedSeeds& seeds) {
    if (release_.scope == Scope::edge) {
      if (request_.publish) return {everybody, {}};
      if (request_.recipient.empty() && ledger_.terms.recipient)
        fail_usage(
            "the ledger has a budget for each recipient: say who gets this, `recipient NAME`; or `publish`, which is charged to everybody");
      return {request_.recipient, {}};
    }
    if (request_.recipient.empty() && seeds.size() > 1)
      fail_usage(
          "a seed set has many owners: say who gets the answer, `recipient NAME`, who must own them all");
    Who who{request_.recipient, {}};
    for (const auto& [node, weight] : seeds) {
      const auto owner = ledger_.state.owner(node);
      if (!owner) who.unowned.push_back(node);
      if (who.recipient.empty()) who.recipient = owner.value_or(node);
      if (owner.value_or(who.recipient) != who.recipient) refuse_for(node, *owner, who.recipient);
    }
    if (!may_be_recipient(who.recipient))
      refuse(
          "the id '{}' cannot be a recipient's name: it is not printable, or has a blank at an end; name one: `recipient NAME`",
          who.recipient);
    return who;
  }

  [[noreturn]] static void refuse_for(const std::string& node, const std::string& owner,
                                      const std::string& recipient) {
    refuse(
        for_custodian("the answers of seed '{}' belong to '{}', not to '{}'", node, owner, recipient),
        "the answers of seed '{}' belong to somebody else: in personalized scope only the owner, who knows the seed's edges, may have them; use `scope edge` for others",
        node);
  }

  void charge_ranking(const Ranking& ranking) {
    const auto [recipient, unowned] = recipient_of(ranking.seeds);
    Json body = {{"graph_id", facts_.graph_id}, {"recipient", recipient}};
    for (const auto& [name, weight] : ranking.seeds) body["seeds"].push_back(name);
    State& state = ledger_.state;
    for (const std::string& node : unowned)  // one in an entry, so that each is found by it
      if (node == unowned.front())
        body["new_owners"] = {node};
      else
        state.append(at_, kind_owner, {{"new_owners", {node}}, {"recipient", recipient}});
    auto answer = state.answer_of_request(ranking.request_key);
    if (!answer) {
      body["request"] = ranking.request_key;
      const std::string source = source_key(plan_, ranking.seeds);
      const std::string key = ranking.seeds.empty() ? source : answer_key(plan_, ranking.seeds);
      answer = state.answer(key);
      if (!answer) {
        answer = Answer{key, source, ledger_.known->text};
        body["plan"] = ledger_.known->document;
      }
      body["answer"] = answer->key;
    }
    answer->fresh = pay(body, answer->source, ranking, recipient);
    result_.answers.push_back(std::move(*answer));
  }

  // Nobody has seen anything of an artefact that was made for nobody in particular.
  static bool for_nobody(const Ranking& ranking, const std::string& recipient) {
    return ranking.seeds.empty() && recipient.empty();
  }

  // Everybody has paid for what was published.
  bool has_paid(const std::string& source, const Ranking& ranking, const std::string& recipient) {
    return for_nobody(ranking, recipient) || ledger_.state.paid(source, recipient) ||
           ledger_.state.paid(source, everybody);
  }

  // The source is charged to the total once, and to each recipient once. Whether it is a new one.
  bool pay(Json& body, const std::string& source, const Ranking& ranking, const std::string& recipient) {
    State& state = ledger_.state;
    body["source"] = source;
    const bool fresh = !state.source(source);
    if (fresh) {
      body["cost"] = ledger_.known->cost;
      body["release"] = {{"mechanism", plan_.parameters.mechanism}, {"epsilon", plan_.epsilon()}};
      ++result_.quote.for_custodian.new_releases;
      drawn_.insert(source);
    }
    const bool pays = !has_paid(source, ranking, recipient);
    if (pays) {
      body["pays"] = true;
      remember(recipient);
      if (recipient == everybody) state.give_back(at_, source);
    }
    if (std::ranges::any_of(std::array{"cost", "pays", "request", "new_owners"},
                            [&](const char* news) { return body.contains(news); }))
      state.append(at_, kind_charge, body);
    return drawn_.contains(source);
  }

  // What is published counts for all who have an account, and for those who will have one.
  void remember(const std::string& recipient) {
    before_.try_emplace(recipient, ledger_.state.seen_by(recipient));
    if (recipient != everybody) return;
    for (const std::string& name : ledger_.state.recipients())
      before_.try_emplace(name, ledger_.state.seen_by(name));
  }

  // None when all accounts that were charged hold.
  std::optional<Refusal> refusal() {
    for (const auto& [name, before] : before_) {
      const bool all = name == total_account;
      if (!all && !ledger_.terms.recipient) continue;
      const Budget& budget = all ? ledger_.terms.total : *ledger_.terms.recipient;
      const Account after = ledger_.state.seen_by(name);
      if (after.releases == before.releases || budget.holds(after.spending)) continue;
      return refusal(name, budget, before, after);
    }
    return std::nullopt;
  }

  // What was spent of a budget that others share, or by somebody else, is not for the one who asks: only the
  // recipient that the request names is told of their own.
  Refusal refusal(const std::string& name, const Budget& budget, const Account& before,
                  const Account& after) const {
    const bool own = name == request_.recipient && !name.empty();
    const std::string whose = name == total_account ? "the total budget"
                              : name == everybody   ? "the budget of each recipient"
                              : own                 ? fmt::format("the budget of '{}'", name)
                                                    : "the budget of a recipient";
    const auto releases = static_cast<std::uint64_t>(after.releases - before.releases);
    const std::string message = fmt::format(
        "this would cost {}{}, and {} does not hold it; questions that were answered before cost nothing",
        decimal(after.spending.units - before.spending.units),
        releases > 1 ? fmt::format(" for {} new releases", releases) : "", whose);
    const std::string account =
        name == total_account || name == everybody ? whose : fmt::format("the budget of '{}'", name);
    const std::string spent = spent_words(account, budget, before, releases);
    return own ? Refusal{message + "; " + spent, ""} : Refusal{message, spent};
  }

  static std::string spent_words(const std::string& whose, const Budget& budget, const Account& before,
                                 std::uint64_t releases) {
    std::string text = fmt::format(
        "{} is epsilon = {}{}, of which {:.9g} is spent", whose, decimal(budget.units),
        budget.delta ? fmt::format(", delta = {}", *budget.delta) : "", budget.epsilon(before.spending));
    if (before.spending.units <= budget.units)
      text += fmt::format(": {} is left{}", decimal(budget.units - before.spending.units),
                          budget.delta ? " if epsilons are simply added" : "");
    const Units fits = budget.largest_that_fits(before.spending, releases);
    return text + (fits > 0 ? fmt::format(". `epsilon {}`{} would fit", decimal(fits),
                                          releases > 1 ? " for each" : "")
                            : std::string(". Nothing more fits"));
  }

  Ledger::Impl& ledger_;
  PublicFacts facts_;
  const LedgerRequest& request_;
  ReleaseParameters release_;
  std::vector<Ranking> rankings_;
  Plan plan_;
  std::string at_;
  Accounts before_;              // those that are charged, with all that was published
  std::set<std::string> drawn_;  // sources that are charged now
  Charge result_;
};

}  // namespace

Drawn cost_of(const Plan& plan, const PrivacyCost& cost, const Terms& terms) {
  const Units units = plan.guarantee.pure() ? written_units_up(plan.epsilon())
                                            : computed_units_up(plan.guarantee.pure_epsilon);
  return {"", spending_of(cost, units, terms.total),
          terms.recipient ? spending_of(cost, units, *terms.recipient) : Spending{units, 0}};
}

Charge charge(Ledger::Impl& ledger, const Graph& graph, const LedgerRequest& request, Commit commit) {
  return readable([&] {
    Charging charging(ledger, graph, request);
    auto replay = charging.replay();
    return replay ? std::move(*replay) : charging.charge(commit);
  });
}

}  // namespace hushwalk::ledger

namespace hushwalk {

using namespace ledger;

namespace {

// Who the certificate of all these answers names. What version 1 showed, which named nobody, is shown again
// as it was.
std::string audience_of(Ledger::Impl& ledger, const LedgerRequest& request, std::span<const Answer> answers) {
  if (request.release.scope != Scope::edge) return "";
  State& state = ledger.state;
  const bool published = std::ranges::all_of(
      answers, [&](const Answer& answer) { return state.paid(answer.source, everybody); });
  const std::string who = published ? everybody : request.recipient;
  const bool as_before = std::ranges::all_of(
      answers, [&](const Answer& answer) { return state.paid_in_version_1(answer.source, who); });
  return as_before ? "" : who;
}

}  // namespace

LedgerQuote Ledger::quote(const Graph& graph, const LedgerRequest& request) {
  const std::scoped_lock lock(impl_->mutex);
  return ledger::charge(*impl_, graph, request, Commit::never).quote;
}

LedgerCharge Ledger::charge(const Graph& graph, const LedgerRequest& request) {
  const std::scoped_lock lock(impl_->mutex);
  Charge charge = ledger::charge(*impl_, graph, request, Commit::yes);
  std::string audience = readable([&] { return audience_of(*impl_, request, charge.answers); });
  return LedgerCharge(std::unique_ptr<LedgerCharge::Impl>(new LedgerCharge::Impl{
      std::move(charge), request, graph.facts(), std::move(audience), impl_->terms.ledger_id}));
}

void LedgerCharge::Impl::check_charged_by(const Ledger::Impl& ledger) const {
  if (ledger_id != ledger.terms.ledger_id)
    fail_usage("another ledger charged this ({}, not {})", ledger_id, ledger.terms.ledger_id);
}

void LedgerCharge::Impl::check_charged_for(const Graph& other) const {
  if (other.facts() != graph)
    fail_usage("this was charged for another graph (id {}, not {})", graph.graph_id, other.facts().graph_id);
}

LedgerCharge::LedgerCharge(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LedgerCharge::~LedgerCharge() = default;
LedgerCharge::LedgerCharge(LedgerCharge&&) noexcept = default;
const LedgerQuote& LedgerCharge::quote() const noexcept { return impl_->charge.quote; }

}  // namespace hushwalk
