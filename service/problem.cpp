#include "problem.h"

#include <nlohmann/json.hpp>

#include "hushwalk/remedy.h"

namespace hushwalk::service {
namespace {

std::string title_of(int status) {
  switch (status) {
    case 400:
      return "The request makes no sense";
    case 404:
      return "There is nothing of this name";
    case 405:
      return "The method does not go with this address";
    case 411:
      return "The length of the body is missing";
    case 413:
      return "The body is too large";
    case 415:
      return "The body is not JSON";
    case 417:
      return "Nothing is expected";
    case 431:
      return "The headers are too large";
    case 503:
      return "Too much is asked for now";
    case 505:
      return "Only HTTP/1.1 is spoken";
    default:
      return "The work could not be done";
  }
}

}  // namespace

HttpResponse response_with(int status, std::string type, std::string body) {
  return {status,
          std::move(type),
          std::make_shared<const std::string>(std::move(body)),
          {{"Cache-Control", "no-store"},
           {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Referrer-Policy", "no-referrer"},
           {"X-Content-Type-Options", "nosniff"}}};
}

HttpResponse problem(int status, const std::string& title, const std::string& detail, int code,
                     const std::string& remedy) {
  nlohmann::ordered_json document = {{"type", "about:blank"}, {"title", title}, {"status", status}};
  if (!detail.empty()) document["detail"] = detail;
  if (code > 0) document["code"] = code;
  if (!remedy.empty()) document["remedy"] = remedy;
  return response_with(status, "application/problem+json",
                       document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

HttpResponse problem(int status) {
  HttpResponse response = problem(status, title_of(status), "");
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse problem_of(const Error& error) {
  const int code = static_cast<int>(error.code());
  if (error.code() == ErrorCode::failed)
    return problem(500, title_of(500), "the log of the service says why; ask its custodian", code);
  const std::string message = error.what();
  const bool refused = error.code() == ErrorCode::refused;
  return problem(refused ? 403 : 400, refused ? "Refused for privacy" : title_of(400), message, code,
                 remedy_in(message));
}

std::string told_in_full(const Error& error) {
  const std::string& more = error.for_custodian();
  return error.what() + (more.empty() ? "" : "; " + more);
}

HttpResponse nothing_here() {
  HttpResponse response = problem(401, "This key opens nothing here",
                                  "give a key that is valid for this graph: Authorization: Bearer KEY");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

HttpResponse too_often(int wait_seconds) {
  HttpResponse response =
      problem(429, "Too many requests", "wait as many seconds as Retry-After says, then ask again");
  response.headers.emplace_back("Retry-After", std::to_string(wait_seconds));
  return response;
}

}  // namespace hushwalk::service
