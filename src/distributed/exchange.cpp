#include "distributed/exchange.h"

#include <cstring>
#include <numeric>

namespace hushwalk {

Arrived::Arrived(std::vector<Message> to) {
  const std::size_t size = to.size();
  std::vector<int> out(size), in(size), out_at(size), in_at(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<int>(to[i].size());
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, Job::all());
  std::exclusive_scan(out.begin(), out.end(), out_at.begin(), 0);
  std::exclusive_scan(in.begin(), in.end(), in_at.begin(), 0);
  starts_.assign(in_at.begin(), in_at.end());
  starts_.push_back(static_cast<std::size_t>(in_at.back()) + static_cast<std::size_t>(in.back()));
  Message sent;
  sent.reserve(static_cast<std::size_t>(out_at.back()) + static_cast<std::size_t>(out.back()));
  for (Message& words : to) {
    sent.insert(sent.end(), words.begin(), words.end());
    Message().swap(words);
  }
  words_.resize(starts_.back());
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), MPI_UINT32_T, words_.data(), in.data(), in_at.data(),
                MPI_UINT32_T, Job::all());
}

namespace {
std::size_t words_for(std::size_t bytes) { return (bytes + 3) / 4; }
}  // namespace

void pack(Message& to, std::span<const std::byte> bytes) {
  const std::size_t at = to.size() + 1;
  to.push_back(static_cast<std::uint32_t>(bytes.size()));
  to.resize(at + words_for(bytes.size()));
  if (!bytes.empty()) std::memcpy(to.data() + at, bytes.data(), bytes.size());
}

std::span<const std::byte> unpack(Words& words) {
  const std::size_t size = words.front();
  const auto bytes = std::as_bytes(words.subspan(1)).first(size);
  words = words.subspan(1 + words_for(size));
  return bytes;
}

}  // namespace hushwalk
