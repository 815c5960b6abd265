// Certificates as JSON values.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hushwalk/certificate.h"

namespace hushwalk {

using OrderedJson = nlohmann::ordered_json;

// A number, or the string "inf".
OrderedJson number_json(double value);

OrderedJson plan_document(const Plan& plan);
OrderedJson certificate_document(const Plan& plan, const CertificateContext& context);

// SHA-256 of the document's values, whatever their order, layout or way of writing a number.
std::string digest_of(const OrderedJson& document);

// The plan that a certificate speaks of, made anew from its parameters. Error when it has none, or when such
// a plan is refused.
Plan plan_of(const OrderedJson& certificate);
CertificateContext context_of(const OrderedJson& certificate);

// The first line of a shared artefact.
bool is_artefact_header(const OrderedJson& document);

Verification verify_document(const OrderedJson& certificate);

}  // namespace hushwalk
