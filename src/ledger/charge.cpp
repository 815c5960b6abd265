#include "ledger/charge.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

#include "base/fail.h"
#include "base/utf8.h"
#include "ledger/compute.h"
#include "ledger/damage.h"
#include "ledger/limits.h"
#include "ledger/refusal.h"
#include "plan/certificate.h"
#include "plan/planner.h"

namespace hushwalk::ledger {
namespace {

// No other name is a recipient's: see total_account and everybody.
bool may_be_recipient(const std::string& name) {
  return is_printable_utf8(name) && !name.starts_with(' ') && !name.ends_with(' ');
}

struct AskedRanking {
  NamedSeeds seeds;
  std::string request_key;
};

// What a graph's content is known by, under the key of the epoch with this salt.
struct TaggedContent {
  std::string tag, salt;
};

class Charging {
 public:
  Charging(Ledger::Impl& ledger, const Graph& graph, const LedgerRequest& request)
      : ledger_(ledger), facts_(graph.facts()), request_(request), release_(request.release) {
    ledger.check_graph(facts_);
    check_request(request);
    release_.rankings = std::max<std::uint64_t>(request.seeds.size(), 1);
    for (const SeedVector& seed : request.seeds) {
      release_.seeds_per_ranking = std::max<std::uint64_t>(release_.seeds_per_ranking, seed.entries().size());
      rankings_.push_back({named(seed, graph.node_list()), {}});
    }
    if (rankings_.empty()) rankings_.push_back({});  // the artefact: a ranking of nobody
  }

  // When every ranking was asked for before, by the same recipient, nothing needs to be written.
  std::optional<Charge> replay() {
    const Transaction snapshot(ledger_.database, Transaction::Kind::reading);
    begin();
    Charge result;
    result.known = ledger_.known;
    for (const AskedRanking& ranking : rankings_) {
      const Who who = recipient_of(ranking.seeds);
      auto answer = asked_before(ranking);
      if (!answer || !who.unowned.empty() || !has_paid(answer->source, ranking, who.recipient))
        return std::nullopt;
      result.answers.push_back(std::move(*answer));
      date(result.answers.back(), who.recipient);
    }
    result.quote.rankings = request_.seeds.size();
    result.quote.for_custodian.total = total();
    result.quote.for_custodian.spent_before = result.quote.for_custodian.total.spent;
    return result;
  }

  // `content` is that of the graph under the ledger's key; none where nothing is charged.
  Charge charge(Commit commit, const std::optional<TaggedContent>& content) {
    make_plan_once();
    Transaction transaction(ledger_.database, Transaction::Kind::writing);
    begin();
    at_ = ledger_.now();
    if (content) note(*content);
    result_.quote.rankings = request_.seeds.size();
    result_.quote.for_custodian.spent_before = total().spent;
    limits_.emplace(ledger_, request_.recipient, at_);
    for (const AskedRanking& ranking : rankings_) charge_ranking(ranking);
    if (!members_.empty()) ledger_.state.append_members(at_, members_of_, members_, members_pay_);
    for (std::size_t i = 0; i < recipients_.size(); ++i) date(result_.answers[i], recipients_[i]);
    result_.quote.for_custodian.total = total();
    result_.quote.for_custodian.epsilon = number(limits_->added(total_account));
    for (const auto& [name, before] : limits_->before())
      if (name != total_account)
        result_.quote.for_custodian.payments.push_back(
            {request_.publish ? "" : name, number(limits_->added(name)), request_.publish});
    const std::optional<Refusal> refused = limits_->refusal();
    if (refused && commit == Commit::yes)
      refuse(for_custodian("{}", refused->for_custodian), "{}", refused->message);
    if (refused) {
      result_.quote.refusal = refused->message;
      result_.quote.for_custodian.refusal = refused->for_custodian;
    }
    if (commit == Commit::never) return std::move(result_);
    ledger_.commit(transaction);
    return std::move(result_);
  }

 private:
  // Another epoch would have another tag of it.
  void note(const TaggedContent& content) {
    if (ledger_.state.key_terms().salt != content.salt)
      fail("a new epoch of the ledger has begun meanwhile, and nothing was charged: ask again");
    ledger_.note_content(facts_, epoch_, content.tag, at_);
  }

  // What may have changed since the ledger was opened.
  void begin() {
    ledger_.terms = ledger_.state.terms();
    epoch_ = ledger_.state.key_terms().epoch;
    for (AskedRanking& ranking : rankings_)
      ranking.request_key = request_key(facts_.graph_id, release_, ranking.seeds, epoch_);
    artefact_request_ = request_key(facts_.graph_id, release_, any_seed(), epoch_);
  }

  // Answers from one artefact are the same question whoever asks; but for the size of seed sets.
  NamedSeeds any_seed() const {
    if (release_.seeds_per_ranking == 1) return {};
    return {{"", static_cast<double>(release_.seeds_per_ranking)}};
  }

  std::optional<Answer> asked_before(const AskedRanking& ranking) {
    auto answer = ledger_.state.answer_of_request(ranking.request_key);
    if (!answer) answer = ledger_.state.answer_of_request(artefact_request_);
    if (answer) refuse_forgotten(answer->entry.entry);
    return answer;
  }

  void refuse_forgotten(std::int64_t sequence) {
    if (sequence <= ledger_.state.forgotten())
      refuse(for_custodian(
                 "it was answered, and forgotten since: a new epoch of the ledger would charge it anew"),
             "this is not answered any more");
  }

  LedgerAccount total() { return ledger_.account(total_account); }

  void make_plan_once() {
    ledger_.known = plan_to_charge(facts_, release_, ledger_.terms, ledger_.known);
    result_.known = ledger_.known;
    const Plan& plan = ledger_.known->plan;
    if (request_.seeds.empty() && (plan.artefact != Artefact::numbers || release_.scope != Scope::edge))
      fail_usage(
          "without seeds an artefact is asked for: that takes a `mechanism` that has one, and scope edge");
    if (plan.artefact == Artefact::pairs)
      refuse(
          "{} draws one artefact for everybody, which a ledger cannot keep; use another `mechanism`, or compare with it without a ledger",
          plan.parameters.mechanism);
  }

  // Plans are written down once; charges name the entry.
  std::int64_t plan_entry() {
    const KnownPlan& known = *ledger_.known;
    if (const std::int64_t found = ledger_.state.plan_entry(known.digest)) return found;
    Json body = {{"digest", known.digest}, {"arithmetic", known.arithmetic}, {"plan", known.document}};
    if (known.cost.contains("curve")) body["curve"] = known.cost["curve"];
    ledger_.state.append(at_, kind_plan, std::move(body));
    return ledger_.state.last()->sequence;
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

  void charge_ranking(const AskedRanking& ranking) {
    const Who who = recipient_of(ranking.seeds);
    Json body = {{"recipient", who.recipient}};
    for (const auto& [name, weight] : ranking.seeds) body["seeds"].push_back(name);
    auto answer = asked_before(ranking);
    if (!answer && ledger_.known->plan.artefact == Artefact::numbers) answer = charge_artefact();
    if (answer) check_computable(*answer);
    if (!answer) answer = new_answer(body, ranking);
    pay(body, *answer, ranking, who);
    if (answer->entry.entry == 0) answer = ledger_.state.answer(answer->key);
    result_.answers.push_back(std::move(*answer));
    recipients_.push_back(who.recipient);
  }

  // Nobody pays for what is not answered any more, or what this version neither computes nor opens.
  void check_computable(const Answer& answer) {
    if (answer.source == computable_) return;
    if (const EntryPointer stored = ledger_.state.stored(artefact_document(answer.source))) {
      refuse_forgotten(stored->sequence);
      if (!answer.old) check_opens(answer);
    } else if (!answer.old) {
      check_as_charged(answer);
    }
    computable_ = answer.source;
  }

  struct PlanBefore {
    std::shared_ptr<const ChargedPlan> charged;
    Plan plan;
  };
  // Of the source of an answer.
  const PlanBefore& plan_before(const Answer& answer) {
    const auto drawn = ledger_.state.plan_of_source(answer.source);
    const auto& charged = drawn ? drawn : answer.plan;
    if (!before_ || before_->charged->digest != charged->digest)
      before_ = {charged, written_plan(charged->document)};
    return *before_;
  }

  // An artefact has the numbers of its plan, in its units.
  void check_opens(const Answer& answer) {
    const Plan& plan = plan_before(answer).plan;
    if (make_plan(plan.graph, plan.parameters).lattice_bits != plan.lattice_bits)
      refuse(
          "an earlier version made this artefact of {}, with other numbers than this one would, and this one does not open it. Ask with a program of that version, or for another `mechanism`",
          plan.parameters.mechanism);
  }

  void check_as_charged(const Answer& answer) {
    const auto& [charged, plan] = plan_before(answer);
    check_arithmetic(*charged, plan);
    if (!ledger_.state.released(answer.key))
      check_charged_enough(ledger_, ledger_.state.source(answer.source).value(), plan);
  }

  // The entry by which they may see it: the one that published it, or else their own.
  void date(Answer& answer, const std::string& recipient) {
    EntryPointer paid = ledger_.state.payment(answer.source, everybody);
    if (!paid) paid = ledger_.state.payment(answer.source, recipient);
    if (paid && paid->sequence > answer.entry.entry) answer.entry = {paid->sequence, paid->hash, paid->at};
  }

  // The artefact itself is charged to the total, and to nobody yet.
  Answer charge_artefact() {
    const Plan& plan = ledger_.known->plan;
    const std::string key = answer_key(plan, any_seed(), epoch_);
    Json body = {{"recipient", ""}, {"request", artefact_request_}};
    auto found = ledger_.state.answer(key);
    if (found) refuse_forgotten(found->entry.entry);
    body["answer"] = found ? found->key : key;
    std::string source = found ? found->source : artefact_key(plan, epoch_);
    if (!found) {
      body["plan"] = plan_entry();
      if (const auto drawn = ledger_.state.source(source)) {
        source = drawn->key;
        if (const EntryPointer stored = ledger_.state.stored(artefact_document(source)))
          refuse_forgotten(stored->sequence);
      } else {
        draw(body);
      }
    }
    body["source"] = source;
    ledger_.state.append(at_, kind_charge, std::move(body));
    return ledger_.state.answer(key).value();
  }

  // One with noise of its own, which is its own source; or one that was found by its plan.
  Answer new_answer(Json& body, const AskedRanking& ranking) {
    body["request"] = ranking.request_key;
    const std::string key = answer_key(ledger_.known->plan, ranking.seeds, epoch_);
    auto found = ledger_.state.answer(key);
    if (found) refuse_forgotten(found->entry.entry);
    body["answer"] = found ? found->key : key;
    if (found) {
      check_computable(*found);
      return std::move(*found);
    }
    body["plan"] = plan_entry();
    draw(body);
    return {key, key, {}, {}, false};
  }

  void draw(Json& body) {
    const Json& cost = ledger_.known->cost;
    body["cost"] = {{"units", cost["units"]}, {"rdp", cost["rdp"]}, {"recipient_rdp", cost["recipient_rdp"]}};
    ++result_.quote.for_custodian.new_releases;
  }

  // Nobody has seen anything of an artefact that was made for nobody in particular.
  static bool for_nobody(const AskedRanking& ranking, const std::string& recipient) {
    return ranking.seeds.empty() && recipient.empty();
  }

  // Everybody has paid for what was published.
  bool has_paid(const std::string& source, const AskedRanking& ranking, const std::string& recipient) {
    return for_nobody(ranking, recipient) || ledger_.state.paid(source, recipient) ||
           ledger_.state.paid(source, everybody);
  }

  // The source is charged to each recipient once.
  void pay(Json& body, const Answer& answer, const AskedRanking& ranking, const Who& who) {
    State& state = ledger_.state;
    const bool pays = !has_paid(answer.source, ranking, who.recipient) && !joining_.contains(who.recipient);
    if (pays) limits_->will_charge(who.recipient);
    if ((pays || owns_only(answer, who)) && may_join(body, answer, ranking, who))
      return join(answer, who.recipient, pays);
    for (const std::string& node : who.unowned)  // one in an entry, so that each is found by it
      if (joining_.contains(node))
        continue;
      else if (!body.contains("new_owners"))
        body["new_owners"] = {node};
      else
        state.append(at_, kind_owner, {{"new_owners", {node}}, {"recipient", who.recipient}});
    if (body.value("new_owners", Json()) == body.value("seeds", Json())) body.erase("seeds");
    if (pays) {
      body["pays"] = true;
      if (who.recipient == everybody) limits_->will_publish(answer.source);
    }
    if (body.value("answer", "") != answer.source) body["source"] = answer.source;
    if (std::ranges::any_of(std::array{"cost", "pays", "request", "new_owners"},
                            [&](const char* news) { return body.contains(news); }))
      state.append(at_, kind_charge, body);
  }

  // All that is new is whose the seed is: the artefact was published.
  bool owns_only(const Answer& answer, const Who& who) {
    return !who.unowned.empty() && !joining_.contains(who.recipient) &&
           ledger_.state.paid(answer.source, everybody) && !ledger_.state.paid(answer.source, who.recipient);
  }

  // Whoever gets an answer of their own from an artefact needs no entry of their own.
  bool may_join(const Json& body, const Answer& answer, const AskedRanking& ranking, const Who& who) const {
    return !body.contains("request") && !answer.old && release_.scope == Scope::personalized &&
           ranking.seeds.size() == 1 && who.recipient == ranking.seeds.front().first;
  }
  void join(const Answer& answer, const std::string& name, bool pays) {
    const Spending cost = ledger_.state.source(answer.source).value().recipient;
    members_of_ = answer.source;
    members_pay_ = pays;
    members_.push_back({name, plus(ledger_.state.account(name), pays ? Account{cost, 1} : Account{})});
    joining_.insert(name);
  }

  Ledger::Impl& ledger_;
  PublicFacts facts_;
  const LedgerRequest& request_;
  ReleaseParameters release_;
  std::vector<AskedRanking> rankings_;
  std::int64_t epoch_ = 0;
  std::string artefact_request_;
  std::string at_;
  std::optional<Limits> limits_;
  std::vector<Member> members_;  // of one artefact
  std::string members_of_;
  bool members_pay_ = true;              // for it; or all have it for nothing
  std::vector<std::string> recipients_;  // of the answers
  std::set<std::string> joining_;
  std::string computable_;            // the source that was looked at last
  std::optional<PlanBefore> before_;  // the plan that was looked at last
  Charge result_;
};

Charge look_up_or_charge(Ledger::Impl& ledger, const Graph& graph, const LedgerRequest& request,
                         Commit commit, const std::optional<TaggedContent>& content) {
  check_seeds(request.seeds, graph.nodes());
  Charging charging(ledger, graph, request);
  auto replay = charging.replay();
  return replay ? std::move(*replay) : charging.charge(commit, content);
}

}  // namespace

}  // namespace hushwalk::ledger

namespace hushwalk {

using namespace ledger;

Plan Ledger::plan(const PublicFacts& graph, const ReleaseParameters& release) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->known = plan_to_charge(graph, release, impl_->terms, impl_->known);
  Plan plan = impl_->known->plan;
  plan.parameters.rankings = release.rankings;
  return plan;
}

LedgerQuote Ledger::quote(const Graph& graph, const LedgerRequest& request) {
  const std::scoped_lock lock(impl_->mutex);
  return readable([&] { return look_up_or_charge(*impl_, graph, request, Commit::never, {}).quote; });
}

LedgerCharge Ledger::charge(const Graph& graph, const LedgerRequest& request) {
  graph.check();                                 // what cannot be computed is not charged
  const Sha256 content = graph.secret_digest();  // before the lock: it reads the whole graph
  const std::scoped_lock lock(impl_->mutex);
  return readable([&] {
    Impl& ledger = *impl_;
    const UsedKey key = ledger.use_key();
    const std::string tag = key.content_tag(content);
    Charge charge =
        look_up_or_charge(ledger, graph, request, Commit::yes, TaggedContent{tag, key.terms.salt});
    // What an older version stored is shown without a look at the graph: its content may be noted later.
    const bool stored = std::ranges::all_of(charge.answers, &Answer::old);
    if (!stored || ledger.state.content(graph.facts().graph_id, key.terms.epoch))
      ledger.check_content(graph.facts(), key.terms.epoch, tag);
    std::string audience = audience_of(ledger, request, charge.answers);
    return LedgerCharge(
        std::unique_ptr<LedgerCharge::Impl>(new LedgerCharge::Impl{.charge = std::move(charge),
                                                                   .request = request,
                                                                   .graph = graph.facts(),
                                                                   .audience = std::move(audience),
                                                                   .ledger_id = ledger.terms.ledger_id,
                                                                   .salt = key.terms.salt,
                                                                   .content = content}));
  });
}

LedgerCharge::LedgerCharge(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LedgerCharge::~LedgerCharge() = default;
LedgerCharge::LedgerCharge(LedgerCharge&&) noexcept = default;
const LedgerQuote& LedgerCharge::quote() const noexcept { return impl_->charge.quote; }

}  // namespace hushwalk
