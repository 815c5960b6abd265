// Errors as problem details (RFC 9457): the library's code and remedy, never what is for the custodian.
#pragma once

#include <string>

#include "http.h"
#include "hushwalk/error.h"

namespace hushwalk::service {

HttpResponse problem(int status, const std::string& title, const std::string& detail, int code = 0,
                     const std::string& remedy = "");
// What a status says by itself.
HttpResponse problem(int status);
// Error{usage} is 400, Error{refused} 403. Of Error{failed} nothing is told but that the work could not be
// done.
HttpResponse problem_of(const Error& error);
// What is for the log: all of it, with what is for the custodian.
std::string told_in_full(const Error& error);
// One answer for a key that is wrong, has ended or is missing, and for a graph that is not there or not for
// this key.
HttpResponse nothing_here();
HttpResponse too_often(int wait_seconds);

}  // namespace hushwalk::service
