// Certificates as JSON values.
#pragma once

#include <functional>
#include <string>

#include "base/json.h"
#include "hushwalk/certificate.h"

namespace hushwalk {

// 2: with `artefact`, `ledger` and `randomness`. The pooling sentence of format 1 promised too much where one
// artefact serves everybody in personalized scope: that every command drew its own was not said.
// 3: with `budget`, `charged`, `answer`, `issuer`, `public_key`, and perhaps a `signature`.
// 4: with `machine_checked`.
// 5: what a ledger promises is said by its promise alone; before, "its budget bounds all" stood there also
// where only periods have a limit.
inline constexpr int certificate_format = 5;
std::string signed_message(const std::string& digest);  // what a signature is of
bool promises_too_much(const Json& certificate, const Plan& plan);

Json plan_document(const Plan& plan);
Json certificate_document(const Plan& plan, const CertificateContext& context);

// Completes the context by the name and the public key of the issuer.
Json signed_document(const Plan& plan, CertificateContext& context, const SigningKey& key);

// With words, for a document that is there already.
IssuedCertificate issued_as(const Json& document, const Plan& plan, const CertificateContext& context);

// SHA-256 of the document's values, whatever their order, layout or way of writing a number.
std::string digest_of(const Json& document);

// The plan that a certificate speaks of, made anew from its parameters. Error when it has none, or when such
// a plan is refused.
Plan plan_of(const Json& certificate);
CertificateContext context_of(const Json& certificate);
int format_of(const Json& certificate);  // Error when this version does not know it
std::string text_in(const Json& json);   // empty: null
// A plan as its document has it: parameters are read as by plan_of(), and all numbers that logarithms and
// later versions might compute otherwise are those that were written down.
Plan written_plan(const Json& document);

// What a recipient may be called: it is shown in certificates and on terminals.
inline constexpr std::size_t longest_recipient_name = 256;  // in bytes
bool is_recipient_name(std::string_view name);

// A check whose errors are its reason, made fit to be shown: they quote what was found, which may be hostile.
Verification without_throwing(const std::function<Verification()>& check);

// Adds to what was found whether the certificate is signed, and by whom. Error when it is signed amiss.
void check_signature(const Json& certificate, const std::optional<std::string>& public_key,
                     Verification& found);

// A verdict, with what a valid certificate speaks of.
struct VerifiedCertificate : Verification {
  Plan plan = {};
  CertificateContext context = {};
};
// Whether it holds by itself, with its signature where there is one.
VerifiedCertificate verify_document(const Json& certificate,
                                    const std::optional<std::string>& public_key = {});

}  // namespace hushwalk
