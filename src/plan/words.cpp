#include "plan/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "plan/certificate.h"

namespace hushwalk {
namespace {

std::string protects(const Plan& plan) {
  if (plan.parameters.scope == Scope::edge) return "every single edge of the graph";
  return plan.parameters.seeds_per_ranking > 1 ? "every single edge that touches no seed of the answer"
                                               : "every single edge that does not touch the seed";
}

std::string audience(const Plan& plan, const std::string& named) {
  if (plan.parameters.scope == Scope::edge && named.empty()) return "anyone: the answer may be published";
  if (plan.parameters.scope == Scope::edge && named == everybody)
    return "anyone: it is published, and counts on the budget of every recipient";
  if (plan.parameters.scope == Scope::edge)
    return fmt::format(
        "'{}', on whose budget it counts: every edge is protected whoever sees it, but it counts on nobody else's budget",
        named);
  return plan.parameters.seeds_per_ranking > 1
             ? "one recipient who already knows all edges of every seed in the set"
             : "the owner of the seed only, who already knows the seed's own edges; an answer must not be passed on, and a file with the answers of several seeds is for the custodian to hand out, not to publish";
}

// Four digits, never below the number.
std::string shown_up(double value) {
  const double digit = std::pow(10, std::floor(std::log10(value)) - 3);
  return fmt::format("{:.4g}", std::max(std::ceil(value / digit) * digit, value));
}

std::string budget(const Plan& plan) {
  const double delta = plan.certified_delta();
  return fmt::format("epsilon = {}{}", plan.epsilon(),
                     delta > 0 ? fmt::format(" and delta = {}", delta) : "");
}

// Answers from one artefact spend its budget once. Which artefact, only an id can say.
std::string pooling_of_artefact(const Plan& plan, const std::string& artefact) {
  return artefact.empty()
             ? fmt::format(
                   "the answers of this command together spend {}, once; answers of other commands come from other artefacts, and their budgets add up",
                   budget(plan))
             : fmt::format(
                   "all answers from the artefact {} together spend {}, once; answers from other artefacts add up, at the sum of the artefacts' budgets",
                   artefact, budget(plan));
}

std::string pooling(const Plan& plan, const std::string& artefact) {
  const std::string known =
      plan.parameters.scope == Scope::edge
          ? ""
          : "recipients who pool their answers know the edges at their seeds exactly; for every other edge ";
  if (plan.one_artefact()) return known + pooling_of_artefact(plan, artefact);
  return known + fmt::format("answers add up: k of them spend k times {}", budget(plan));
}

std::string odds(double epsilon) {
  return epsilon <= 20 ? shown_up(std::exp(epsilon)) : fmt::format("e^{}", epsilon);
}

// A probability is at most 1 anyway: from there on a bound says nothing.
std::string two_edges(double epsilon, double delta) {
  const double of_two = delta * (1 + std::exp(epsilon));
  if (!(of_two < 1)) return "for two edges nothing is promised";
  return fmt::format("for two edges at most {} times it plus {}", odds(2 * epsilon), shown_up(of_two));
}

std::string meaning(const Plan& plan) {
  const double epsilon = plan.epsilon(), delta = plan.certified_delta();
  if (delta > 0)
    return fmt::format(
        "whatever is said with an answer would be said with nearly the same probability if one such edge were added or removed: at most {} (e^epsilon) times it plus {} (delta); {}",
        odds(epsilon), delta, two_edges(epsilon, delta));
  return fmt::format(
      "for somebody who knows all other edges, an answer changes the odds that one such edge exists by a factor of at most {} (e^epsilon); for k edges at once by at most e^(k epsilon), for example {} for two",
      odds(epsilon), odds(2 * epsilon));
}

std::string unit(const Plan& plan) {
  // Rounding on the lattice is charged by the bound on edges (docs/math/18-lattice-slack.md).
  return plan.needs_max_edges
             ? fmt::format(
                   "one edge; neighbouring graphs have the same nodes and at most {} edges, and differ in one edge",
                   plan.graph.max_edges)
             : "one edge; neighbouring graphs have the same nodes and differ in one edge";
}

// docs/math/20-discrete-sampler.md: exact, given uniform bits.
std::string randomness(const char* source, const char* condition) {
  return fmt::format(
      "noise from AES-256-CTR under keys that HKDF-SHA-256 derives from {}: the guarantee is computational, against everyone who cannot tell these from true randomness{}",
      source, condition);
}

constexpr std::string_view no_ledger = "no ledger charged it";

std::string counted(const Plan& plan, const CertificateContext& context) {
  if (!context.released) return "nothing was released, and nothing was charged";
  if (context.ledger.empty())
    return fmt::format(
        "{}, so that nobody keeps count: what else is released about this graph adds up with it", no_ledger);
  std::string charged =
      fmt::format("the ledger {} charged {}", context.ledger, plan.one_artefact() ? "the artefact" : "it");
  if (!context.budget) return charged;
  const char* const bound = context.budget->epsilon ? ", and its budget bounds all it charges together" : "";
  return fmt::format("{}{}: {}", charged, bound, promise_words(*context.budget));
}

}  // namespace

// docs/math/24-periods.md. In personalized scope whoever pools knows the edges at their own seeds.
std::string promise_words(const LedgerPromise& promise) {
  const std::string may_be_raised =
      "; these are the limits as they stood then, and the custodian may raise them, by an entry that stays in the ledger";
  const std::string delta = promise.delta ? fmt::format(" and delta = {}", *promise.delta) : "";
  const std::string in_all =
      promise.epsilon ? fmt::format("at most epsilon = {}{} in all", *promise.epsilon, delta) : "";
  if (!promise.per_period)
    return "an edge that no recipient knows anyway loses " + in_all +
           ", over all snapshots of the graph that hold it" + may_be_raised;
  const std::string length = promise.days > 0 ? fmt::format("{} days", promise.days) : "a month";
  const std::string edge = "an edge that no recipient knows anyway loses ",
                    snapshots = ", over all snapshots of the graph that hold it";
  std::string text;
  if (promise.carry)
    text = fmt::format(
        "{}at most p times epsilon = {} in all{} by what is charged up to the end of the p-th period of {}{}; what a period leaves is added to the next, so that one period alone may spend more than epsilon = {}",
        edge, *promise.per_period, promise.delta ? fmt::format(" (and delta = {})", *promise.delta) : "",
        length, snapshots, *promise.per_period);
  else
    text = fmt::format(
        "{}at most epsilon = {}{} by what is charged in each period of {}{}; in any {} at most k + 1 times that{}",
        edge, *promise.per_period, delta, length, snapshots,
        promise.days > 0 ? "time as long as k periods" : "k times 28 days",
        promise.delta ? ", delta included" : "");
  return text +
         (promise.epsilon
              ? "; and " + in_all
              : "; there is no limit in all: what an edge loses grows with the periods, and a clock that jumps forward opens them sooner") +
         may_be_raised;
}

namespace {

std::string issued_words(const CertificateContext& context) {
  std::string text;
  if (context.charged)
    text =
        fmt::format("charged on {} by entry {} of the ledger", context.charged->at, context.charged->entry);
  if (context.issuer.empty()) return text;
  return text + (text.empty() ? "" : "; ") + fmt::format("signed by '{}'", context.issuer);
}

}  // namespace

std::string randomness_without_a_ledger() { return randomness("a secret of the operating system", ""); }

PromiseWords words_of(const Plan& plan, const CertificateContext& context) {
  PromiseWords words{unit(plan),
                     protects(plan),
                     audience(plan, context.audience),
                     pooling(plan, context.artefact),
                     meaning(plan),
                     context.ledger.empty() ? randomness_without_a_ledger()
                                            : randomness("the secret key of the ledger",
                                                         ", and holds as long as that key is kept secret"),
                     counted(plan, context),
                     issued_words(context),
                     {}};
  words.assumptions.push_back(
      plan.graph.nodes_declared
          ? "the node list is public, as declared"
          : "given that this node list is public: it was collected from the edges, so that a node seen in one edge only would appear or vanish with it; declare the list when the graph is imported");
  if (plan.needs_max_edges && plan.graph.max_edges_declared)
    words.assumptions.push_back(fmt::format(
        "the bound of {} edges is public and was not chosen by looking at the edges", plan.graph.max_edges));
  if (!plan.proven)
    words.assumptions.push_back(fmt::format(
        "{} is not proven in this repository: that one edge moves its numbers by no more than is said here is the word of its author",
        plan.parameters.mechanism));
  if (context.public_candidates) words.assumptions.push_back("the list of candidates is public");
  words.assumptions.push_back(
      "all parameters were chosen without looking at the edges, and nothing else about the graph is given out");
  return words;
}

namespace {

// A paragraph with its name in the margin.
std::string paragraph(std::string_view name, std::string_view text) {
  constexpr std::size_t margin = 12, width = 100;
  std::string result = fmt::format("{:<{}}", name, margin);
  std::size_t column = margin;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column > margin && column + 1 + word.size() > width) {
      result += fmt::format("\n{:<{}}", "", margin);
      column = margin;
    }
    if (column > margin) result += ' ', ++column;
    result += word;
    column += word.size();
  }
  return result + ".\n";
}

std::string spent(const Plan& plan) {
  const bool pure = plan.certified_delta() == 0;
  std::string one = budget(plan) + (pure ? " (pure)" : "");
  if (plan.parameters.rankings == 1) return one;
  const std::string each = fmt::format("{} for each of {} rankings", one, plan.parameters.rankings);
  if (plan.total_delta() >= 1) return each + ", and nothing is promised for all of them together";
  return fmt::format("{}, {}{} in all", each, plan.total_epsilon(),
                     pure ? "" : fmt::format(" and {}", plan.total_delta()));
}

std::string in_short(const Plan& plan) {
  const std::string odds_of_one = odds(plan.epsilon());
  if (const double delta = plan.certified_delta(); delta > 0)
    return fmt::format("{}: with one such edge more or less an answer is at most {} times as likely, plus {}",
                       spent(plan), odds_of_one, delta);
  return fmt::format("{}: an answer changes the odds of one such edge by a factor of at most {}", spent(plan),
                     odds_of_one);
}

// Whom an answer is for, without the remarks that follow a semicolon.
std::string first_part(const std::string& text) { return text.substr(0, text.find(';')); }

std::string noise_words(const NoiseUse& use) {
  if (use.flip_probability > 0)
    return fmt::format("{}: flipped with probability {:.6g}", use.on, use.flip_probability);
  return fmt::format("discrete Laplace of scale {:.6g}{} on {}", use.laplace_scale,
                     use.draws > 1 ? fmt::format(", {} draws,", use.draws) : "", use.on);
}

std::vector<CertificateSentence> sentences_of(const Plan& plan, const PromiseWords& words) {
  std::vector<CertificateSentence> sentences = {
      {"Protected", words.protects},
      {"Privacy", spent(plan)},
      {"Meaning", words.meaning},
      {"For whom", words.audience},
      {"Pooling", words.pooling},
      {"Counted", words.counted},
      {"Issued", words.issued},
      {"Mechanism", fmt::format("{}; by {}", plan.parameters.mechanism, plan.theorem)}};
  std::erase_if(sentences, [](const CertificateSentence& sentence) { return sentence.text.empty(); });
  for (const NoiseUse& use : plan.noise) sentences.push_back({"Noise", noise_words(use)});
  sentences.push_back({"Randomness", words.randomness});
  for (const std::string& assumption : words.assumptions) sentences.push_back({"Assumed", assumption});
  return sentences;
}

}  // namespace

std::string text_of(const Plan& plan, const PromiseWords& words) {
  std::string text;
  for (const auto& [name, sentence] : sentences_of(plan, words)) text += paragraph(name + ":", sentence);
  return text;
}

std::string summary_of(const Plan& plan, const PromiseWords& words) {
  const auto line = [](const char* name, const std::string& text) {
    return fmt::format("{:<12}{}.\n", name, text);
  };
  const bool counted = !words.counted.starts_with(no_ledger);
  return line("Protected:", words.protects) +
         line("Privacy:", in_short(plan) + (counted ? "" : fmt::format("; {}", no_ledger))) +
         line("For whom:", first_part(words.audience));
}

std::vector<CertificateSentence> certificate_sentences(const Plan& plan, const CertificateContext& context) {
  return sentences_of(plan, words_of(plan, context));
}

std::string certificate_text(const Plan& plan, const CertificateContext& context) {
  return text_of(plan, words_of(plan, context));
}

}  // namespace hushwalk
