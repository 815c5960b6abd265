// What a message of an Error advises.
#pragma once

#include <string>

namespace hushwalk {

// All that follows what is wrong: "…; use `scope edge`". Empty where there is no advice.
std::string remedy_in(const std::string& message);

}  // namespace hushwalk
