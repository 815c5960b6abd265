// Sanitizers look for faults of memory and threads, slowly. They see them in the first runs of a piece of
// code, not in the ten thousandth.
#pragma once

#include <cstddef>

namespace hushwalk::testing {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HUSHWALK_IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HUSHWALK_IS_SANITIZED 1
#endif

#ifdef HUSHWALK_IS_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// For a loop over all places of a file: every one, under a sanitizer one in so many.
inline constexpr std::size_t next_place = sanitized ? 13 : 1;

}  // namespace hushwalk::testing
