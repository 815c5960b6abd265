// Certificates of what was released under a ledger. Older versions stored them: those are shown as they were.
#include <algorithm>

#include "base/fail.h"
#include "ledger/compute.h"
#include "ledger/damage.h"
#include "ledger/promise.h"
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
    result = {certificate.dump(2), content.at("text"), content.at("text")};
  });
  return result;
}

// Of the plan by which all answers were made.
const Answer& common_answer(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers)
    if (answer.plan->digest != answers.front().plan->digest)
      fail_usage(
          "these answers were made by different plans and have no common certificate; ask for one at a time");
  return answers.front();
}

// The digest under which older versions stored a certificate: of the plan by which the answers were computed.
std::optional<std::string> old_digest(Ledger::Impl& ledger, const std::vector<Answer>& answers) {
  std::optional<std::string> common;
  for (const Answer& answer : answers) {
    std::string digest;
    if (!answer.old ||
        !ledger.documents.read(answer_document(answer.key),
                               [&](std::span<const std::byte> bytes) { digest = plan_digest_of(bytes); }))
      return std::nullopt;
    if (common && *common != digest) return std::nullopt;
    common = digest;
  }
  return common;
}

ChargedEntry charged_entry(const std::vector<Answer>& answers) {
  const auto number = [](const Answer& answer) { return answer.entry.entry; };
  return std::ranges::max_element(answers, {}, number)->entry;
}

std::string artefact_id(Ledger::Impl& ledger, const LedgerCharge::Impl& charge, const Answer& answer) {
  if (charge.artefact) return charge.artefact->context().artefact;
  const auto bytes = ledger.documents.find(artefact_document(answer.source));
  if (!bytes) fail("the artefact was charged and not computed yet");
  return SharedArtefact::parse(*bytes, stored_artefact_name).context().artefact;
}

}  // namespace

namespace ledger {

// What version 1 showed, which named nobody, is shown again as it was.
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

}  // namespace ledger

std::optional<IssuedCertificate> Ledger::old_certificate(const LedgerCharge& charge,
                                                         const CertificateContext& context) {
  const LedgerCharge::Impl& of = *charge.impl_;
  of.check_charged_by(*impl_);
  CertificateContext named = context;
  named.audience = of.audience;
  return readable([&]() -> std::optional<IssuedCertificate> {
    const std::scoped_lock lock(impl_->mutex);
    const Transaction snapshot(impl_->database, Transaction::Kind::reading);
    const auto digest = old_digest(*impl_, of.charge.answers);
    if (!digest) return std::nullopt;
    const std::string name = certificate_document_name(*digest, of.charge.answers.size(), named);
    auto found = stored_certificate(*impl_, name);
    return found ? found : stored_certificate(*impl_, name + " format 2");
  });
}

// The terms are read when the certificate is made, as all that it says of the ledger: in one snapshot.
IssuedCertificate Ledger::certificate(const LedgerCharge& charge, const CertificateContext& context,
                                      const SigningKey* key, std::optional<std::size_t> ranking) {
  if (auto found = old_certificate(charge, context)) return *found;
  return readable([&] {
    const LedgerCharge::Impl& of = *charge.impl_;
    const std::vector<Answer>& answers = of.charge.answers;
    if (ranking && *ranking >= answers.size()) fail_usage("{} rankings were charged", answers.size());
    const Answer& answer = ranking ? answers[*ranking] : common_answer(answers);
    Plan plan = of.plan_of(*answer.plan);
    plan.parameters.rankings = answers.size();
    CertificateContext complete = context;
    complete.audience = of.audience;
    complete.ledger = of.ledger_id;
    complete.charged = ranking ? answer.entry : charged_entry(answers);
    {
      const std::scoped_lock lock(impl_->mutex, of.mutex);
      const Transaction snapshot(impl_->database, Transaction::Kind::reading);
      complete.artefact = plan.one_artefact() ? artefact_id(*impl_, of, answer) : "";
      complete.budget = promise_of(impl_->state.terms());
    }
    return issue(plan, complete, key);
  });
}

void Ledger::check_named_by(const Verification& certificate) const {
  if (certificate.ledger != impl_->id)
    fail(for_custodian("the ledger is '{}'", impl_->path.string()),
         "the ledger {} is not the one that charged this", impl_->id);
}

}  // namespace hushwalk
