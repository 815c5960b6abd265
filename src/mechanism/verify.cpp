// A certificate is made again from its parameters and compared, value by value.
#include <cmath>
#include <set>

#include "base/fail.h"
#include "base/files.h"
#include "base/utf8.h"
#include "hushwalk/version.h"
#include "mechanism/certificate.h"

namespace hushwalk {
namespace {

// Another machine's logarithm may differ in the last digit; the digest guards the digits as they are.
constexpr double number_tolerance = 1e-9;

double real(const OrderedJson& value) {
  if (value.is_string() && value.get<std::string>() == "inf") return std::numeric_limits<double>::infinity();
  return value.get<double>();
}

std::optional<double> optional_real(const OrderedJson& value) {
  return value.is_null() ? std::nullopt : std::optional(real(value));
}

Diffusion diffusion_of(const OrderedJson& document) {
  const std::string name = document.at("name");
  if (name == "custom") {
    const std::vector<double> walk = document.at("gamma1"), stay = document.at("gamma2"),
                              restart = document.at("gamma3");
    if (walk.size() != stay.size() || walk.size() != restart.size()) fail("its coefficients do not match");
    std::vector<Step> steps;
    for (std::size_t k = 0; k < walk.size(); ++k) steps.push_back({walk[k], stay[k], restart[k]});
    return Diffusion::custom(std::move(steps));
  }
  const int steps = document.at("steps");
  if (name == "heat") return Diffusion::heat(document.at("time"), steps);
  if (name == "pagerank") return Diffusion::pagerank(document.at("beta"), steps);
  if (name == "ppr") return Diffusion::ppr(document.at("beta"), steps);
  fail("it names an unknown diffusion '{}'", name);
}

Scope scope_of(const std::string& name) {
  if (name == "edge") return Scope::edge;
  if (name == "personalized") return Scope::personalized;
  fail("it names an unknown scope '{}'", name);
}

// An id of ours, or nothing: it is shown in the words.
std::string id_in(const OrderedJson& certificate, const char* key) {
  const OrderedJson& value = certificate.at(key);
  if (value.is_null()) return "";
  const std::string id = value;
  if (id.empty()) return "";
  if (id.size() < 32 || id.size() > 64 || id.find_first_not_of("0123456789abcdef") != id.npos)
    fail("{} is not an id of 32 to 64 hex digits", key);
  return id;
}

PublicFacts facts_of(const OrderedJson& certificate) {
  const OrderedJson& facts = certificate.at("public");
  PublicFacts result = public_facts(facts.at("nodes"), facts.at("max_edges").get<std::uint64_t>());
  result.nodes_declared = facts.at("nodes_declared");
  result.max_edges_declared = facts.at("max_edges_declared");
  result.graph_id = id_in(certificate, "graph_id");
  return result;
}

// The path of the first value that differs, or nothing.
std::optional<std::string> difference(const OrderedJson& given, const OrderedJson& expected,
                                      const std::string& path) {
  if (given.is_number() && expected.is_number()) {
    const double a = given.get<double>(), b = expected.get<double>();
    if (a == b || std::abs(a - b) <= number_tolerance * std::max(std::abs(a), std::abs(b))) return {};
    return fmt::format("{} is {}, not {}", path, a, b);
  }
  if (given.is_object() && expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      if (!given.contains(key)) return fmt::format("{}.{} is missing", path, key);
      if (auto found = difference(given.at(key), value, path + "." + key)) return found;
    }
    for (const auto& [key, value] : given.items())
      if (!expected.contains(key)) return fmt::format("{}.{} does not belong there", path, key);
    return {};
  }
  if (given.is_array() && expected.is_array() && given.size() == expected.size()) {
    for (std::size_t i = 0; i < given.size(); ++i)
      if (auto found = difference(given[i], expected[i], fmt::format("{}[{}]", path, i))) return found;
    return {};
  }
  if (given == expected) return {};
  return fmt::format("{} is {}, not {}", path, given.dump(), expected.dump());
}

// What may differ between versions of the software, and the digests, which are compared by themselves.
void drop_versioned(OrderedJson& document, bool same_version) {
  for (const char* key : {"software_version", "digest", "plan_digest"}) document.erase(key);
  if (same_version) return;
  for (const char* key : {"words", "randomness", "theorem", "sensitivity_bound"}) document.erase(key);
  for (OrderedJson& use : document["noise"]) use.erase("on");
}

// The fields of a certificate that its plan consists of.
OrderedJson part_of_plan(const OrderedJson& certificate, const Plan& plan) {
  const OrderedJson whole = plan_document(plan);
  OrderedJson part;
  for (const auto& [key, value] : whole.items()) part[key] = certificate.at(key);
  return part;
}

constexpr int max_depth = 32;                  // of objects and lists in each other
constexpr std::size_t max_values = 8'000'000;  // beside rankings; custom coefficients are three for each step
constexpr std::size_t max_keys = 1'000;        // of one object, whose keys are searched one by one

// Reads JSON that may be hostile. Readers differ in which of two equal keys they believe, so there must be
// none. Rankings are counted and thrown away: there may be any number of them.
class StrictReader {
 public:
  OrderedJson read(std::string_view text) {
    return OrderedJson::parse(
        text,
        [this](int depth, Event event, const OrderedJson& parsed) { return keep(depth, event, parsed); },
        /*allow_exceptions=*/false);
  }
  std::uint64_t rankings() const { return rankings_; }

 private:
  using Event = OrderedJson::parse_event_t;

  bool keep(int depth, Event event, const OrderedJson& parsed) {
    if (depth > max_depth) fail("its values are nested more than {} deep", max_depth);
    if (event == Event::object_start) open_objects_.emplace_back();
    if (event == Event::object_end) open_objects_.pop_back();
    if (event == Event::key) check_key(depth, parsed.get_ref<const std::string&>());
    const bool complete = event == Event::object_end || event == Event::array_end || event == Event::value;
    if (!complete) return true;
    if (in_rankings_ && depth >= 2) {
      if (depth == 2) ++rankings_;
      return false;
    }
    if (++values_ > max_values) fail("it has more than {} values", max_values);
    return true;
  }

  void check_key(int depth, const std::string& key) {
    std::set<std::string>& keys = open_objects_.back();
    if (!keys.insert(key).second) fail("it has the key \"{}\" twice in one object", key);
    if (keys.size() > max_keys) fail("an object has more than {} keys", max_keys);
    if (depth == 1) in_rankings_ = key == "rankings";
  }

  std::vector<std::set<std::string>> open_objects_;
  bool in_rankings_ = false;  // at the top of the document
  std::size_t values_ = 0;
  std::uint64_t rankings_ = 0;
};

// What surrounds a certificate must not contradict it.
void check_answer(const OrderedJson& document, const OrderedJson& certificate, std::uint64_t rankings) {
  if (document.value("private", true) != true) fail("the answer beside it says that it is not private");
  if (!document.contains("rankings") || !certificate.is_object()) return;
  const std::uint64_t certified = certificate.at("rankings");
  if (rankings != certified) fail("there are {} rankings beside it, and it is for {}", rankings, certified);
}

OrderedJson find_certificate(std::string_view text) {
  StrictReader reader;
  OrderedJson document = reader.read(text);
  if (document.is_discarded()) fail("it is not JSON");
  if (!document.is_object()) fail("it is not a JSON object");
  if (!document.contains("certificate")) return document;
  if (document["certificate"].is_null()) fail("the answer is exact and has no certificate");
  check_answer(document, document["certificate"], reader.rankings());
  return document["certificate"];
}

// Whom a ledger charged, where it names somebody. It is shown in the words.
std::string audience_in(const OrderedJson& certificate) {
  if (!certificate.contains("audience_named")) return "";
  if (certificate.at("scope") != "edge" || certificate.at("ledger").is_null() ||
      certificate.at("released") != true)
    fail("audience_named goes with a release in edge scope that a ledger charged");
  const OrderedJson& named = certificate.at("audience_named");
  if (named.contains("published")) return everybody;
  const std::string name = named.at("recipient");
  if (name.empty() || !is_recipient_name(name)) fail("audience_named.recipient is not a name");
  return name;
}

// What format 1 did not have yet.
void to_format_1(OrderedJson& document) {
  for (const char* key : {"randomness", "artefact", "ledger"}) document.erase(key);
  document["format"] = 1;
}

int format_of(const OrderedJson& certificate) {
  const int format = certificate.at("format");
  if (format < 1 || format > certificate_format)
    fail("its format is {}, and this version knows 1 to {}: use a newer one", format, certificate_format);
  return format;
}

}  // namespace

bool is_recipient_name(std::string_view name) {
  return is_printable_utf8(name) && name.size() <= longest_recipient_name && !name.starts_with(' ') &&
         !name.ends_with(' ');
}

OrderedJson read_strictly(std::string_view text) { return StrictReader().read(text); }

Plan plan_of(const OrderedJson& certificate) {
  const OrderedJson& parameters = certificate.at("parameters");
  ReleaseRequest request;
  request.mechanism = certificate.at("mechanism");
  if (request.mechanism == "auto") fail("its mechanism is not resolved");
  request.diffusion = diffusion_of(parameters.at("diffusion"));
  request.scope = scope_of(certificate.at("scope"));
  request.epsilon = Epsilon(real(certificate.at("epsilon")));
  if (const auto delta = optional_real(parameters.at("delta"))) request.delta = Delta(*delta);
  if (const auto eta = optional_real(parameters.at("eta"))) request.eta = Eta(*eta);
  request.background = optional_real(parameters.at("background"));
  request.taper = optional_real(parameters.at("taper"));
  request.rankings = certificate.at("rankings");
  request.seeds_per_ranking = parameters.at("seeds_per_ranking");
  return make_plan(facts_of(certificate), request);
}

CertificateContext context_of(const OrderedJson& certificate) {
  CertificateContext context{.public_candidates = certificate.at("public_candidates"),
                             .released = certificate.at("released")};
  if (format_of(certificate) == 1) return context;
  context.artefact = id_in(certificate, "artefact");
  context.ledger = id_in(certificate, "ledger");
  context.audience = audience_in(certificate);
  return context;
}

bool promises_too_much(const OrderedJson& certificate, const Plan& plan) {
  return format_of(certificate) == 1 && plan.one_artefact && plan.scope == Scope::personalized;
}

namespace {

Verification check_document(const OrderedJson& certificate) {
  OrderedJson given = certificate;
  if (!given.is_object()) return {false, "the certificate is not a JSON object"};
  for (const char* key : {"digest", "plan_digest", "software_version", "noise"})
    if (!given.contains(key)) return {false, fmt::format("{} is missing", key)};
  const std::string digest = given.at("digest");
  given.erase("digest");
  if (digest_of(given) != digest)
    return {false, "a field was altered: the digest over all fields does not match"};
  const Plan plan = plan_of(certificate);
  if (promises_too_much(certificate, plan))
    return {false,
            "its sentence on pooling promises too much, as all of format 1 for this mechanism: answers of "
            "different "
            "commands come from different artefacts and add up. Its numbers may be right; rank again for a "
            "true one"};
  const CertificateContext context = context_of(certificate);
  OrderedJson expected = certificate_document(plan, context);
  if (format_of(certificate) == 1) to_format_1(expected);
  if (given.at("plan_digest") != digest_of(part_of_plan(given, plan)))
    return {false, "the digest of the plan does not match"};
  const bool same_version = given.at("software_version") == expected.at("software_version");
  drop_versioned(given, same_version);
  drop_versioned(expected, same_version);
  if (const auto found = difference(given, expected, "certificate")) return {false, *found};
  return {true,
          fmt::format("recomputed from its parameters: epsilon = {} for each ranking, {} in all{}{}",
                      plan.epsilon, plan.total_epsilon(),
                      context.released ? "" : "; it is that of a plan, nothing was released",
                      same_version ? "" : "; its words are those of another version and were NOT compared")};
}

// Reasons quote what they found, which may be hostile.
template <class Check>
Verification without_throwing(const Check& check) {
  constexpr std::size_t longest_reason = 500;
  std::string reason;
  try {
    Verification found = check();
    if (found.valid) return found;
    reason = std::move(found.reason);
  } catch (const Error& error) {
    reason = error.what();
  } catch (const nlohmann::json::exception& error) {
    reason = fmt::format("a field is missing or of the wrong type: {}", error.what());
  }
  return {false, quotable(reason, longest_reason)};
}

Verification check_artefact(std::string_view text) {
  const SharedArtefact artefact = SharedArtefact::parse(std::as_bytes(std::span(text)), "the artefact");
  return {true,
          fmt::format("an artefact with {} noisy numbers, undamaged; its certificate was recomputed from its "
                      "parameters: epsilon = {}, once for all answers",
                      artefact.plan().graph.nodes, artefact.plan().epsilon)};
}

}  // namespace

Verification verify_document(const OrderedJson& certificate) {
  return without_throwing([&] { return check_document(certificate); });
}

Verification verify_certificate(std::string_view text) {
  return without_throwing(
      [&] { return is_artefact(text) ? check_artefact(text) : check_document(find_certificate(text)); });
}

Verification verify_certificate_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return verify_certificate({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace hushwalk
