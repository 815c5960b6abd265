#include "distributed/write_parts.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/phase.h"
#include "base/split_file.h"
#include "distributed/cuts.h"
#include "distributed/exchange.h"

namespace hushwalk {
namespace {

using namespace graph_file;

// Whole pieces of a section, from one on.
struct WholePieces {
  std::uint64_t first = 0;                // the number of the first in its section
  std::span<const std::byte> bytes = {};  // those that are all mine
  std::vector<std::byte> last = {};       // one that others had the rest of, or the short one at the end
  std::size_t size() const { return bytes.size() / piece_size + (last.empty() ? 0 : 1); }
  std::span<const std::byte> operator[](std::size_t i) const {
    return i < bytes.size() / piece_size ? bytes.subspan(i * piece_size, piece_size) : std::span(last);
  }
};

Cuts positions_of(const Job& job, std::uint64_t size) {
  Cuts cuts{{0}};
  for (const std::uint64_t each : collect_all<std::uint64_t>(job, std::span(&size, 1)))
    cuts.starts.push_back(cuts.starts.back() + each);
  return cuts;
}

// What I have of a piece that begins before my bytes goes to whoever has its first byte.
WholePieces make_whole(const Job& job, std::span<const std::byte> mine) {
  const auto me = static_cast<std::size_t>(job.number());
  const Cuts positions = positions_of(job, mine.size());
  const std::uint64_t begin = positions.first(me), boundary = round_up(begin, piece_size);
  const auto head = mine.first(std::min<std::uint64_t>(boundary - begin, mine.size()));
  std::vector<Message> to(static_cast<std::size_t>(job.size()));
  if (!head.empty()) pack(to[positions.owner_of(begin / piece_size * piece_size)], head);
  const Arrived arrived(std::move(to));
  const auto own = mine.subspan(head.size());
  const std::uint64_t whole = own.size() / piece_size * piece_size;
  WholePieces pieces{.first = boundary / piece_size, .bytes = own.first(whole)};
  pieces.last.assign(own.begin() + static_cast<std::ptrdiff_t>(whole), own.end());
  for (std::size_t sender = 0; sender < arrived.senders(); ++sender)
    for (Words words = arrived.from(sender); !words.empty();) {
      const auto rest = unpack(words);
      pieces.last.insert(pieces.last.end(), rest.begin(), rest.end());
    }
  return pieces;
}

// A temporary name that is not there means nothing to whoever reads a message.
SplitFile open_all(const OpenedAs& as) {
  std::vector<FileHandle> files;
  for (const std::string& name : as.names) {
    std::error_code none;
    if (!std::filesystem::exists(name, none))
      fail("cannot write '{}': a host does not see its folder '{}'; all hosts must see it under that name",
           as.path.string(), folder_of(as.path).string());
    files.push_back(open_for_writing(name));
  }
  return {as.path, as.in_folder, std::move(files), as.part_size};
}

struct Sums {
  std::vector<std::uint64_t> checksums;
  std::vector<Sha256> digests;
};

Sums write_section(const WholePieces& pieces, const Section& section, const SplitFile& file) {
  Sums sums{std::vector<std::uint64_t>(pieces.size()), std::vector<Sha256>(pieces.size())};
  parallel_for(pieces.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      sums.checksums[i] = checksum(pieces[i]);
      sums.digests[i] = sha256(pieces[i]);
      file.write_at(section.offset + (pieces.first + i) * piece_size, pieces[i]);
    }
  });
  file.write_at(piece_list_offset + (section.mark + pieces.first) * sizeof(std::uint64_t),
                std::as_bytes(std::span(sums.checksums)));
  return sums;
}

// To the first process, each to its place in the list of all: its number, and it.
void send_digests(const Job& job, const std::vector<Sha256>& digests, std::uint64_t first,
                  std::vector<Sha256>& all) {
  constexpr std::size_t words = 2 + sizeof(Sha256) / 4;
  std::size_t at = 0;
  exchange_in_turns(
      job,
      [&](std::vector<Message>& to) {
        const std::size_t end = std::min(digests.size(), at + words_in_a_turn(job) / (words + 1));
        for (; at < end; ++at) {
          const std::uint64_t number = first + at;
          pack(to[0], std::as_bytes(std::span(&number, 1)));
          pack(to[0], std::as_bytes(std::span(digests).subspan(at, 1)));
        }
        return at < digests.size();
      },
      [&](std::size_t, Words arrived) {
        while (!arrived.empty()) {
          std::uint64_t number = 0;
          std::memcpy(&number, unpack(arrived).data(), sizeof number);
          std::memcpy(&all[number], unpack(arrived).data(), sizeof(Sha256));
        }
      });
}

}  // namespace

std::array<std::uint64_t, sections> section_sizes(const Job& job, const SectionParts& parts) {
  std::array<std::uint64_t, sections> sizes{};
  for (std::size_t i = 0; i < sections; ++i) sizes[i] = job.sum(parts[i].size());
  return sizes;
}

std::vector<Sha256> write_parts(const Job& job, const SectionParts& parts, const Header& header,
                                const OpenedAs& as) {
  const Phase phase("writing the graph file");
  std::optional<SplitFile> file;
  job.each([&] { file.emplace(open_all(as)); });
  std::vector<Sha256> all;
  if (job.is_first())
    all.resize(header.table[sections - 1].mark + pieces_in(header.table[sections - 1].size));
  for (std::size_t i = 0; i < sections; ++i) {
    const WholePieces pieces = make_whole(job, parts[i]);
    Sums sums;
    job.each([&] { sums = write_section(pieces, header.table[i], *file); });
    send_digests(job, sums.digests, header.table[i].mark + pieces.first, all);
  }
  job.each([&] { file->sync(); });
  return all;
}

}  // namespace hushwalk
