#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hushwalk {

// Fills `bytes` with randomness of the operating system. Error{failed}, saying what it was for and the
// remedy, when there is none: nothing goes on with less.
void fill_random(std::span<std::byte> bytes, const char* what_for);

// 32 hex digits: an id that says nothing about what it names.
std::string random_id(const char* what_for);

}  // namespace hushwalk
