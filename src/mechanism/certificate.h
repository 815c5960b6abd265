// Certificates as JSON values.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hushwalk/certificate.h"

namespace hushwalk {

using OrderedJson = nlohmann::ordered_json;

// A number, or the string "inf".
OrderedJson number_json(double value);

// 2: with `artefact`, `ledger` and `randomness`. The pooling sentence of format 1 promised too much where one
// artefact serves everybody in personalized scope: that every command drew its own was not said.
inline constexpr int certificate_format = 2;
bool promises_too_much(const OrderedJson& certificate, const Plan& plan);

OrderedJson plan_document(const Plan& plan);
OrderedJson certificate_document(const Plan& plan, const CertificateContext& context);

// SHA-256 of the document's values, whatever their order, layout or way of writing a number.
std::string digest_of(const OrderedJson& document);

// The plan that a certificate speaks of, made anew from its parameters. Error when it has none, or when such
// a plan is refused.
Plan plan_of(const OrderedJson& certificate);
CertificateContext context_of(const OrderedJson& certificate);

// What a recipient may be called: it is shown in certificates and on terminals.
inline constexpr std::size_t longest_recipient_name = 256;  // in bytes
bool is_recipient_name(std::string_view name);

// JSON that may be hostile: bounded in size and depth, no key twice in one object. Discarded when it is none;
// Error{failed} when it is too much.
OrderedJson read_strictly(std::string_view text);

// Whether this is the content of an artefact's file, whole or damaged.
bool is_artefact(std::string_view text);

Verification verify_document(const OrderedJson& certificate);

}  // namespace hushwalk
