#include "hushwalk/remedy.h"

#include <cctype>

namespace hushwalk {

// What is in quotes is a name, and ends no sentence.
std::string remedy_in(const std::string& message) {
  const auto inside_word = [&](std::size_t at) {
    return at > 0 && std::isalnum(static_cast<unsigned char>(message[at - 1])) != 0 &&
           std::isalnum(static_cast<unsigned char>(message[at + 1])) != 0;
  };
  bool quoted = false;
  for (std::size_t at = 0; at + 1 < message.size(); ++at) {
    if (message[at] == '\'' && !inside_word(at)) quoted = !quoted;
    const bool ends = message[at] == ';' || message[at] == '.';
    if (!quoted && ends && message[at + 1] == ' ') return message.substr(at + 2);
  }
  return "";
}

}  // namespace hushwalk
