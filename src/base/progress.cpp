#include "hushwalk/progress.h"

namespace hushwalk {

Progress part_of(const Progress& whole, std::size_t done, std::size_t count, std::size_t total) {
  if (!whole) return {};
  const double begin = static_cast<double>(done) / static_cast<double>(total),
               share = static_cast<double>(count) / static_cast<double>(total);
  return [&whole, begin, share](std::string_view stage, double fraction) {
    whole(stage, begin + fraction * share);
  };
}

}  // namespace hushwalk
