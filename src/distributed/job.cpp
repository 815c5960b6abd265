#include "distributed/job.h"

#include <petscsys.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <thread>

#include "base/fail.h"
#include "base/json.h"

namespace hushwalk {
namespace {

// PETSc would read ./.petscrc, ~/.petscrc and the environment, and catch signals.
void start_petsc() {
  unsetenv("PETSC_OPTIONS");
  unsetenv("PETSC_OPTIONS_YAML");
  static std::array<std::string, 3> words = {"hushwalk-mpi", "-skip_petscrc", "-no_signal_handler"};
  static std::array<char*, 4> pointers = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int count = static_cast<int>(words.size());
  char** arguments = pointers.data();
  if (PetscInitialize(&count, &arguments, nullptr, nullptr) != 0) fail("PETSc does not start");
}

int size_of_host() {
  MPI_Comm host = MPI_COMM_NULL;
  int size = 1;
  MPI_Comm_split_type(Job::all(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &size);
  MPI_Comm_free(&host);
  return size;
}

struct Failure {
  int code = 0;
  std::string message = {}, custodian = {};
};

// What `work` throws.
std::optional<Failure> failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return Failure{static_cast<int>(error.code()), error.what(), error.for_custodian()};
  } catch (const std::bad_alloc&) {
    return Failure{static_cast<int>(ErrorCode::failed), "not enough memory"};
  }
}

// PETSc keeps a communicator of its own for as long as something uses it, and to free it is an exchange, too:
// it lasts as long as the job.
void keep_petsc_communicator() {
  MPI_Comm kept = MPI_COMM_NULL;
  PetscMPIInt tag = 0;
  if (PetscCommDuplicate(Job::all(), &kept, &tag) != 0) fail("PETSc does not start");
}

}  // namespace

Job::Job() {
  start_petsc();
  keep_petsc_communicator();
  MPI_Comm_rank(all(), &number_);
  MPI_Comm_size(all(), &size_);
  on_this_host_ = size_of_host();
}

Job::~Job() { PetscFinalize(); }

void Job::share_bytes(std::span<std::byte> bytes, int from) const {
  exchanging();
  for (std::size_t at = 0; at < bytes.size(); at += most_in_one_message)
    MPI_Bcast(bytes.data() + at, static_cast<int>(std::min(most_in_one_message, bytes.size() - at)), MPI_BYTE,
              from, all());
}

void Job::share(std::vector<std::uint8_t>& bytes, int from) const {
  std::uint64_t size = bytes.size();
  share(std::span(&size, 1), from);
  bytes.resize(size);
  share(std::span(bytes), from);
}

std::vector<std::vector<std::uint8_t>> Job::collect(const std::vector<std::uint8_t>& bytes) const {
  std::vector<std::vector<std::uint8_t>> of(static_cast<std::size_t>(size_));
  for (int from = 0; from < size_; ++from) {
    std::vector<std::uint8_t>& theirs = of[static_cast<std::size_t>(from)];
    if (from == number_) theirs = bytes;
    share(theirs, from);
  }
  return of;
}

void Job::give_to_first(std::span<const std::byte> mine,
                        const std::function<void(std::span<const std::byte>)>& take) const {
  constexpr std::size_t most = std::size_t{1} << 24;
  constexpr int tag = 1;
  exchanging();
  std::uint64_t size = mine.size();
  if (!is_first()) {
    MPI_Send(&size, 1, MPI_UINT64_T, 0, tag, all());
    for (std::size_t at = 0; at < size; at += most)
      MPI_Send(mine.data() + at, static_cast<int>(std::min(most, size - at)), MPI_BYTE, 0, tag, all());
    return;
  }
  take(mine);
  std::vector<std::byte> piece;
  for (int from = 1; from < size_; ++from) {
    MPI_Recv(&size, 1, MPI_UINT64_T, from, tag, all(), MPI_STATUS_IGNORE);
    for (std::size_t at = 0; at < size; at += most) {
      piece.resize(std::min(most, size - at));
      MPI_Recv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, tag, all(), MPI_STATUS_IGNORE);
      take(piece);
    }
  }
}

std::vector<ProcessUsage> Job::usage_of_all() const {
  rusage system{};
  getrusage(RUSAGE_SELF, &system);
  usage_.memory = static_cast<std::uint64_t>(system.ru_maxrss) * 1024;
  std::vector<ProcessUsage> all;
  give_to_first(std::as_bytes(std::span(&usage_, 1)), [&](std::span<const std::byte> bytes) {
    std::memcpy(&all.emplace_back(), bytes.data(), bytes.size());
  });
  return all;
}

void Job::tell(std::vector<std::uint8_t> bytes) const {
  std::uint64_t size = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, all(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  share(std::span(bytes));
}

std::vector<std::uint8_t> Job::wait_for_first() const {
  using namespace std::chrono_literals;
  std::uint64_t size = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, all(), &request);
  int arrived = 0;
  MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
  while (arrived == 0) {
    std::this_thread::sleep_for(200us);
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
  }
  std::vector<std::uint8_t> bytes(size);
  share(std::span(bytes));
  return bytes;
}

std::uint64_t Job::sum(std::uint64_t here) const {
  exchanging();
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_UINT64_T, MPI_SUM, all());
  return here;
}

std::uint64_t Job::sum_before(std::uint64_t here) const {
  exchanging();
  std::uint64_t before = 0;
  MPI_Exscan(&here, &before, 1, MPI_UINT64_T, MPI_SUM, all());
  return is_first() ? 0 : before;
}

void Job::add_up(std::span<std::int64_t> values) const {
  exchanging();
  for (std::size_t at = 0; at < values.size(); at += most_in_one_message)
    MPI_Allreduce(MPI_IN_PLACE, values.data() + at,
                  static_cast<int>(std::min(most_in_one_message, values.size() - at)), MPI_INT64_T, MPI_SUM,
                  all());
}

bool Job::everywhere(bool here) const {
  int so = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &so, 1, MPI_INT, MPI_LAND, all());
  agreed_to_fail_ = so == 0;
  return so != 0;
}

void Job::each(const std::function<void()>& work) const {
  const std::optional<Failure> mine = failure_of(work);
  int first = mine ? number_ : size_;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, all());
  if (first == size_) return;
  std::vector<std::uint8_t> bytes;
  if (first == number_) bytes = Json::to_cbor(Json{mine->code, mine->message, mine->custodian});
  share(bytes, first);
  const Json failure = Json::from_cbor(bytes);
  agreed_to_fail_ = true;
  throw Error(static_cast<ErrorCode>(failure[0].get<int>()), failure[1].get<std::string>(),
              failure[2].get<std::string>());
}

void Job::together(const std::function<void()>& work) const {
  exchanging();
  try {
    work();
  } catch (const std::exception& error) {
    if (!agreed_to_fail_) end(error.what());
    throw;
  }
}

void Job::end(const std::string& reason) const {
  std::fprintf(stderr, "hushwalk-mpi: process %d of %d: %s\n", number_, size_, reason.c_str());
  std::fflush(stderr);
  MPI_Abort(all(), 1);
  std::abort();
}

}  // namespace hushwalk
