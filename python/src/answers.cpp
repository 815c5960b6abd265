#include "hushwalk/answer.h"

#include <limits>

#include "bind.h"
#include "budget_exceeded.h"
#include "hushwalk/answer_files.h"
#include "hushwalk/signing.h"
#include "hushwalk/verify.h"

namespace hushwalk::python {
namespace {

using Entries = std::vector<std::pair<Node, double>>;
using Issued = std::pair<std::string, std::string>;

AnswerRequest request_of(const std::vector<Node>& seeds, const std::optional<Entries>& seed_set,
                         const py::dict& parameters, bool exact, std::shared_ptr<SharedArtefact> shared,
                         std::shared_ptr<Ledger> ledger, const std::string& recipient, bool publish,
                         std::optional<std::uint64_t> top, bool exclude_neighbors,
                         std::optional<std::vector<Node>> candidates) {
  AnswerRequest request;
  request.seeds = {seeds.begin(), seeds.end()};
  if (seed_set) request.seeds.push_back(seed_of(*seed_set));
  request.seed_set = seed_set.has_value();
  request.release = parameters_of(parameters);
  request.exact = exact;
  request.artefact = std::move(shared);
  request.audience = {std::move(ledger), recipient, publish};
  request.top = top;
  request.exclude_neighbors = exclude_neighbors;
  request.candidates = std::move(candidates);
  return request;
}

// The seed with weights, then nodes, scores, noise and both ends of the ranges of exact ranks (NaN: unknown)
// as arrays.
py::tuple tuple_of(const Ranking& ranking) {
  const auto seed = ranking.seed.entries();
  std::vector<Node> nodes;
  std::vector<double> scores, noise, low, high;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const RankedNode& row : ranking.nodes) {
    nodes.push_back(row.node);
    scores.push_back(row.score);
    noise.push_back(row.noise.value_or(unknown));
    low.push_back(row.range ? static_cast<double>(row.range->low) : unknown);
    high.push_back(row.range ? static_cast<double>(row.range->high) : unknown);
  }
  return py::make_tuple(Entries(seed.begin(), seed.end()), as_array(std::move(nodes)),
                        as_array(std::move(scores)), as_array(std::move(noise)), as_array(std::move(low)),
                        as_array(std::move(high)));
}

std::optional<Issued> pair_of(const std::optional<IssuedCertificate>& certificate) {
  return certificate ? std::optional(Issued(certificate->json, certificate->text)) : std::nullopt;
}
std::optional<std::string> json_of(const std::optional<LedgerQuote>& quote) {
  return quote ? std::optional(quote_json(*quote)) : std::nullopt;
}

struct Answered {
  std::vector<Ranking> rankings = {};
  std::string document = {};  // as the command line writes it: what the certificate is bound to
  std::optional<IssuedCertificate> certificate = {};
  std::optional<LedgerQuote> charged = {};
};

class KeptAnswers final : public AnswerSink {
 public:
  explicit KeptAnswers(Answered& kept) : kept_(kept) {}
  void write(std::string_view text) override { kept_.document += text; }
  void write_ranking(const Ranking& ranking, std::string_view text) override {
    kept_.rankings.push_back(ranking);
    write(text);
  }
  void commit() override {}

 private:
  Answered& kept_;
};

Answered answered(const Graph& graph, const AnswerRequest& request, const SigningKey* key,
                  const Progress& progress) {
  AnswerSource answers = ask(graph, request, progress);
  Answered found;
  KeptAnswers kept(found);
  found.certificate =
      write_answers(answers, *json_ranking_writer(answers.head()), kept, key, {}, progress).certificate;
  found.charged = answers.quote();
  return found;
}

py::tuple asked(const Graph& graph, AnswerRequest request, const SigningKey* key, py::object callback) {
  const Progress progress = progress_of(std::move(callback));
  request.to_be_signed = key != nullptr;
  const Answered found = [&] {
    const py::gil_scoped_release free;
    return within_budget(
        request.audience.ledger, [&] { return answered(graph, request, key, progress); },
        [&] { return quote_answer(graph, request); });
  }();
  py::list list;
  for (const Ranking& ranking : found.rankings) list.append(tuple_of(ranking));
  return py::make_tuple(list, pair_of(found.certificate), json_of(found.charged), found.document);
}

Issued plan_of(const PublicFacts& facts, const AnswerRequest& request) {
  const PlannedAnswer planned = plan_answer(facts, request);
  return {planned_json(planned), certificate_text(planned.plan, planned.context)};
}

py::tuple shared_of(const Graph& graph, const py::dict& parameters, const std::shared_ptr<Ledger>& ledger,
                    const std::string& recipient, bool publish, std::shared_ptr<SigningKey> key,
                    py::object callback) {
  const Progress progress = progress_of(std::move(callback));
  const ShareRequest request{parameters_of(parameters), {ledger, recipient, publish}, std::move(key)};
  std::optional<Sharing> made;
  {
    const py::gil_scoped_release free;
    made = within_budget(
        ledger, [&] { return share(graph, request, progress); }, [&] { return quote_share(graph, request); });
  }
  return py::make_tuple(std::move(made->artefact), json_of(made->quote));
}

void bind_artefact(py::module_& module) {
  py::class_<SharedArtefact, std::shared_ptr<SharedArtefact>>(module, "SharedArtefact")
      .def_static("open", &SharedArtefact::open, py::arg("path"), Unlocked())
      .def_static(
          "parse",
          [](const std::string& bytes) {
            return SharedArtefact::parse(std::as_bytes(std::span(bytes)), "a shared artefact");
          },
          py::arg("content"))
      .def(
          "save",
          [](const SharedArtefact& artefact, const std::filesystem::path& path) { artefact.save(path); },
          py::arg("path"), Unlocked())
      .def("bytes",
           [](const SharedArtefact& artefact) {
             const auto bytes = artefact.bytes();
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("certificate", [](const SharedArtefact& artefact) {
        const IssuedCertificate certificate = artefact.certificate();
        return Issued(certificate.json, certificate.text);
      });
}

// --- accounting --------------------------------------------------------------------------------------------

NoiseDesign design_of(const Diffusion& diffusion, const std::string& mechanism, double eta,
                      const std::string& scope, std::optional<int> draws) {
  return noise_design(mechanism, diffusion.steps(), Eta(eta), scope_named(scope), draws);
}

std::optional<Delta> delta_of(std::optional<double> delta) {
  return delta ? std::optional<Delta>(*delta) : std::nullopt;
}

std::string calibrated(const Diffusion& diffusion, const std::string& mechanism, double eta,
                       const std::string& scope, std::optional<int> draws, double epsilon,
                       std::optional<double> delta) {
  const NoiseDesign design = design_of(diffusion, mechanism, eta, scope, draws);
  return calibration_json(diffusion, design, calibrate(design, Epsilon(epsilon), delta_of(delta)));
}

std::string accounted(const Diffusion& diffusion, const std::string& mechanism, double eta,
                      const std::string& scope, std::optional<int> draws, double laplace_scale,
                      std::optional<double> delta, std::optional<double> order,
                      const std::string& accountant) {
  const NoisyRun run{design_of(diffusion, mechanism, eta, scope, draws), LaplaceScale(laplace_scale)};
  const auto at = order ? std::optional<RenyiOrder>(*order) : std::nullopt;
  const Guarantee guarantee = account(run, delta_of(delta), accountant_named(accountant), at);
  std::vector<AccountantVerdict> all;
  if (accountant == "all") all = compare_accountants(run, delta_of(delta), at);
  return account_json(diffusion, run, guarantee, all);
}

void bind_signing(py::module_& module) {
  py::class_<SigningKey, std::shared_ptr<SigningKey>>(module, "SigningKey")
      .def_static("make", &SigningKey::make, py::arg("issuer"))
      .def_static("open", &SigningKey::open, py::arg("path"))
      .def("save", &SigningKey::save, py::arg("path"))
      .def_property_readonly("issuer", &SigningKey::issuer)
      .def_property_readonly("public_key", &SigningKey::public_key);
}

}  // namespace

void bind_answers(py::module_& module) {
  bind_artefact(module);
  bind_signing(module);
  py::class_<AnswerRequest>(module, "AnswerRequest")
      .def(py::init(&request_of), py::kw_only(), py::arg("seeds"), py::arg("seed_set"), py::arg("parameters"),
           py::arg("exact"), py::arg("shared"), py::arg("ledger"), py::arg("recipient"), py::arg("publish"),
           py::arg("top"), py::arg("exclude_neighbors"), py::arg("candidates"))
      .def_readonly("seed_set", &AnswerRequest::seed_set);
  module.def("ask", &asked, py::arg("graph"), py::arg("request"), py::arg("signing_key"),
             py::arg("progress"));
  module.def(
      "plan",
      [](const Graph& graph, const AnswerRequest& request) { return plan_of(graph.facts(), request); },
      py::arg("graph"), py::arg("request"), Unlocked());
  module.def(
      "plan_for",
      [](std::uint64_t nodes, std::optional<std::uint64_t> max_edges, const AnswerRequest& request) {
        return plan_of(public_facts(nodes, max_edges), request);
      },
      py::arg("nodes"), py::arg("max_edges"), py::arg("request"), Unlocked());
  module.def(
      "quote",
      [](const Graph& graph, const AnswerRequest& request) {
        return quote_json(quote_answer(graph, request));
      },
      py::arg("graph"), py::arg("request"), Unlocked());
  module.def("share", &shared_of, py::arg("graph"), py::arg("parameters"), py::arg("ledger"),
             py::arg("recipient"), py::arg("publish"), py::arg("signing_key"), py::arg("progress"));
  module.def(
      "verify_certificate",
      [](const std::string& text, const std::optional<std::string>& public_key) {
        return verification_json(verify_certificate(text, {.public_key = public_key}));
      },
      py::arg("text"), py::arg("public_key"), Unlocked());
  module.def(
      "verify_certificate_file",
      [](const std::filesystem::path& path, const std::optional<std::string>& public_key) {
        return verification_json(verify_certificate_file(path, {.public_key = public_key}));
      },
      py::arg("path"), py::arg("public_key"), Unlocked());
  module.def("mechanism_names", &mechanism_names);
  module.def(
      "check_privacy",
      [](bool epsilon, const py::dict& parameters, bool exact, bool shared, const std::string& otherwise) {
        check_privacy({epsilon, exact, shared, otherwise}, parameters_of(parameters));
      },
      py::arg("epsilon"), py::arg("parameters"), py::arg("exact"), py::arg("shared"), py::arg("otherwise"));
  module.def("calibrate", &calibrated, py::arg("diffusion"), py::arg("mechanism"), py::arg("eta"),
             py::arg("scope"), py::arg("draws"), py::arg("epsilon"), py::arg("delta"), Unlocked());
  module.def("account", &accounted, py::arg("diffusion"), py::arg("mechanism"), py::arg("eta"),
             py::arg("scope"), py::arg("draws"), py::arg("laplace_scale"), py::arg("delta"), py::arg("order"),
             py::arg("accountant"), Unlocked());
}

}  // namespace hushwalk::python
