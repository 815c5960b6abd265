// Certificates of what was released under a ledger: made once, stored, and shown again as they are.
#include <fmt/format.h>

#include "base/fail.h"
#include "ledger/compute.h"
#include "ledger/damage.h"
#include "plan/certificate.h"

namespace hushwalk {

using namespace ledger;

namespace {

std::optional<IssuedCertificate> stored_certificate(Ledger::Impl& ledger, const std::string& name) {
  std::optional<IssuedCertificate> result;
  ledger.documents.read(name, [&](std::span<const std::byte> bytes) {
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    const Json content = Json::parse(text, text + bytes.size());
    const Json& certificate = content.at("certificate");
    // Those of format 1 on one artefact for everybody promised too much; they are made anew.
    if (certificate.value("format", 0) == 1 && promises_too_much(certificate, plan_of(certificate))) return;
    result = {certificate.dump(2), content.at("text")};
  });
  return result;
}

class Certifying {
 public:
  Certifying(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, CertificateContext context)
      : ledger_(ledger), charge_(charge), context_(std::move(context)) {
    context_.audience = charge.audience;
  }

  IssuedCertificate find_or_make() {
    const std::string digest = common_digest();
    std::string name = certificate_document_name(digest, charge_.charge.answers.size(), context_);
    if (auto found = find(name)) return *found;
    const bool outdated = ledger_has(name);
    if (outdated) name += " format 2";
    if (auto found = outdated ? find(name) : std::nullopt) return *found;
    return make(name, digest);
  }

 private:
  std::optional<IssuedCertificate> find(const std::string& name) {
    const std::scoped_lock lock(ledger_.mutex);
    return stored_certificate(ledger_, name);
  }
  bool ledger_has(const std::string& name) {
    const std::scoped_lock lock(ledger_.mutex);
    return ledger_.documents.has(name);
  }

  std::string digest_of_answer(const Answer& answer) {
    std::string digest;
    if (!ledger_.documents.read(answer_document(answer.key),
                                [&](std::span<const std::byte> bytes) { digest = plan_digest_of(bytes); }))
      fail_damaged("an answer was lost while it was read");
    return digest;
  }

  // Of the plan by which all answers were made.
  std::string common_digest() {
    const std::scoped_lock lock(ledger_.mutex);
    const std::vector<Answer>& answers = charge_.charge.answers;
    const std::string digest = digest_of_answer(answers.front());
    for (const Answer& answer : answers)
      if (&answer != &answers.front() && digest_of_answer(answer) != digest)
        fail_usage(
            "these answers were made by different plans and have no common certificate; ask for one at a time");
    return digest;
  }

  std::string artefact_id(const Answer& answer) {
    const std::scoped_lock lock(ledger_.mutex);
    const auto bytes = ledger_.documents.find(artefact_document(answer.source));
    return bytes ? SharedArtefact::parse(*bytes, stored_artefact_name).context().artefact : "";
  }

  // For all answers of this request; what the store holds afterwards.
  IssuedCertificate make(const std::string& name, const std::string& digest) {
    const Answer& first = charge_.charge.answers.front();
    Plan plan = charge_.plan_of(first);
    if (digest_of(plan_document(plan)) != digest)
      fail(
          "these answers were made by another version, which certified them for other numbers of rankings only; ask for one at a time");
    plan.parameters.rankings = charge_.charge.answers.size();
    context_.ledger = ledger_.terms.ledger_id;
    context_.artefact = artefact_id(first);
    const auto [json, text] = issue(plan, context_);
    const std::string content = fmt::format(R"({{"certificate":{},"text":{}}})", json, Json(text).dump());
    const auto bytes = std::as_bytes(std::span(content));
    const Document document{name, {bytes.begin(), bytes.end()}};
    store(ledger_, std::span(&document, 1));
    return find(name).value();  // somebody else may have been quicker
  }

  Ledger::Impl& ledger_;
  const LedgerCharge::Impl& charge_;
  CertificateContext context_;
};

}  // namespace

IssuedCertificate Ledger::certificate(const LedgerCharge& charge, const CertificateContext& context) {
  charge.impl_->check_charged_by(*impl_);
  return readable([&] { return Certifying(*impl_, *charge.impl_, context).find_or_make(); });
}

}  // namespace hushwalk
