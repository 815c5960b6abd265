// The service: one process that holds graphs and their ledgers, and answers over HTTP. See docs/service.md.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace hushwalk::service {

struct ServeOptions {
  std::filesystem::path config = {};  // empty: the demonstration
  std::optional<std::string> address = {};
  std::function<void(const std::string&)> say = {};     // a line for the person who started it
  std::function<void(const std::string&)> notice = {};  // what is not as it was asked for
};

// Until it is told to stop. Error{failed} when it cannot begin, Error{refused} when it may not.
void serve(const ServeOptions& options);

}  // namespace hushwalk::service
