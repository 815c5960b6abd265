// A certificate as a plan and what stands around it. It may be hostile: whatever is shown in words is
// checked.
#include "base/fail.h"
#include "base/utf8.h"
#include "plan/certificate.h"
#include "plan/parameter_json.h"

namespace hushwalk {
namespace {

// An id of ours, or nothing: it is shown in the words.
std::string id_in(const Json& certificate, const char* key) {
  const Json& value = certificate.at(key);
  if (value.is_null()) return "";
  std::string id = value;
  if (id.empty()) return "";
  if (id.size() < 32 || id.size() > 64 || id.find_first_not_of("0123456789abcdef") != id.npos)
    fail("{} is not an id of 32 to 64 hex digits", key);
  return id;
}

PublicFacts facts_of(const Json& certificate) {
  const Json& facts = certificate.at("public");
  PublicFacts result = public_facts(facts.at("nodes"), facts.at("max_edges").get<std::uint64_t>());
  result.nodes_declared = facts.at("nodes_declared");
  result.max_edges_declared = facts.at("max_edges_declared");
  if (!result.max_edges_declared && result.max_edges != all_pairs(result.nodes))
    fail("public.max_edges is neither declared nor the number of pairs");
  result.graph_id = id_in(certificate, "graph_id");
  return result;
}

// Whom a ledger charged, where it names somebody. It is shown in the words.
std::string audience_in(const Json& certificate) {
  if (!certificate.contains("audience_named")) return "";
  if (certificate.at("scope") != "edge" || certificate.at("ledger").is_null() ||
      certificate.at("released") != true)
    fail("audience_named goes with a release in edge scope that a ledger charged");
  const Json& named = certificate.at("audience_named");
  if (named.contains("published")) return everybody;
  const std::string name = named.at("recipient");
  if (name.empty() || !is_recipient_name(name)) fail("audience_named.recipient is not a name");
  return name;
}

std::optional<LedgerPromise> budget_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  LedgerPromise budget{optional_in(json.at("epsilon")), optional_in(json.at("delta")),
                       optional_in(json.at("per_period")), 0, json.at("carry")};
  const std::string period = json.at("period").is_null() ? "month" : json.at("period").get<std::string>();
  if (period == "month") return budget;
  if (period.size() < 2 || period.size() > 6 || !period.ends_with('d') ||
      period.find_first_not_of("0123456789") != period.size() - 1)
    fail("budget.period is neither days nor a month");
  budget.days = std::stoi(period);
  return budget;
}

// A time is shown in the words.
std::optional<ChargedEntry> charged_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ChargedEntry charged{json.at("entry"), json.at("head"), json.at("at")};
  if (charged.at.size() != 20 || charged.at.find_first_not_of("0123456789-:TZ") != charged.at.npos)
    fail("charged.at is not a time");
  if (charged.head.size() != 64 || charged.head.find_first_not_of("0123456789abcdef") != charged.head.npos)
    fail("charged.head is not a hash");
  return charged;
}

std::optional<ShownAnswer> shown_in(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ShownAnswer shown{json.at("encoding"), json.at("sha256")};
  if (shown.encoding != "json" && shown.encoding != "csv" && shown.encoding != "artefact")
    fail("answer.encoding is not json, csv or artefact");
  return shown;
}

void read_noise(const Json& written, NoiseUse& use) {
  if (use.flip_probability > 0) {
    use.flip_probability = written.at("flip_probability");
    use.lattice_scale = written.at("skip_scale");
    return;
  }
  use.laplace_scale = written.at("laplace_scale");
  use.lattice_scale = written.at("lattice_scale");
  use.draws = written.at("draws");
}

}  // namespace

std::string text_in(const Json& json) { return json.is_null() ? "" : json.get<std::string>(); }

int format_of(const Json& certificate) {
  const int format = certificate.at("format");
  if (format < 1 || format > certificate_format)
    fail("its format is {}, and this version knows 1 to {}: use a newer one", format, certificate_format);
  return format;
}

bool is_recipient_name(std::string_view name) {
  return is_printable_utf8(name) && name.size() <= longest_recipient_name && !name.starts_with(' ') &&
         !name.ends_with(' ');
}

Plan plan_of(const Json& certificate) {
  ReleaseParameters request;
  each_parameter(request, [&](const char* name, auto& value) {
    read_parameter(stands_by_itself(name) ? certificate.at(name) : certificate.at("parameters").at(name),
                   value);
  });
  if (request.mechanism == "auto") fail("its mechanism is not resolved");
  return make_plan(facts_of(certificate), request);
}

Plan written_plan(const Json& document) {
  Plan plan = plan_of(document);
  plan.sensitivity = document.at("sensitivity");
  plan.lattice_bits = document.at("lattice").at("bits");
  plan.slack = document.at("lattice").at("slack");
  const Json& noise = document.at("noise");
  if (noise.size() != plan.noise.size())
    fail("its noise is on {} kinds of numbers, not {}", noise.size(), plan.noise.size());
  for (std::size_t i = 0; i < noise.size(); ++i) read_noise(noise[i], plan.noise[i]);
  const Json& guarantee = document.at("guarantee");
  plan.guarantee.epsilon = number_in(guarantee.at("epsilon"));
  plan.guarantee.rdp = number_in(guarantee.at("rdp"));
  plan.guarantee.order = number_in(guarantee.at("order"));
  plan.guarantee.pure_epsilon = number_in(guarantee.at("pure_epsilon"));
  return plan;
}

CertificateContext context_of(const Json& certificate) {
  CertificateContext context{.public_candidates = certificate.at("public_candidates"),
                             .released = certificate.at("released")};
  if (format_of(certificate) == 1) return context;
  context.artefact = id_in(certificate, "artefact");
  context.ledger = id_in(certificate, "ledger");
  context.audience = audience_in(certificate);
  if (format_of(certificate) == 2) return context;
  context.budget = budget_in(certificate.at("budget"));
  context.charged = charged_in(certificate.at("charged"));
  if (context.charged && context.ledger.empty()) fail("it was charged, and by no ledger");
  context.shown = shown_in(certificate.at("answer"));
  context.issuer = text_in(certificate.at("issuer"));
  if (!is_recipient_name(context.issuer)) fail("issuer is not a name");
  context.public_key = text_in(certificate.at("public_key"));
  return context;
}

}  // namespace hushwalk
