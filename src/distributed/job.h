// The processes of one MPI job: what they tell each other, and how they fail.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/distributed.h"

namespace hushwalk {

// MPI counts in int; what is longer goes in turns.
inline constexpr std::size_t most_in_one_message = std::size_t{1} << 27;

// Calls are made by all processes, in the same order. An MPI call that fails ends the job.
class Job {
 public:
  Job();   // starts PETSc, and MPI with it
  ~Job();  // ends both
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int number() const noexcept { return number_; }
  int size() const noexcept { return size_; }
  int on_this_host() const noexcept { return on_this_host_; }
  bool is_first() const noexcept { return number_ == 0; }
  static MPI_Comm all() noexcept { return MPI_COMM_WORLD; }

  // What process `from` has becomes what all have.
  template <class T>
  void share(std::span<T> values, int from = 0) const {
    share_bytes(std::as_writable_bytes(values), from);
  }
  void share(std::vector<std::uint8_t>& bytes, int from = 0) const;  // the size, too
  // What every process has, by process.
  std::vector<std::vector<std::uint8_t>> collect(const std::vector<std::uint8_t>& bytes) const;

  // In the first process: take(bytes) with what every process has, one process after the other and in pieces,
  // so that nobody needs room for all of it; in the others nothing is called.
  void give_to_first(std::span<const std::byte> mine,
                     const std::function<void(std::span<const std::byte>)>& take) const;

  // The first tells, and the others wait for it, without using a processor.
  void tell(std::vector<std::uint8_t> bytes) const;
  std::vector<std::uint8_t> wait_for_first() const;

  std::uint64_t sum(std::uint64_t here) const;         // modulo 2^64
  std::uint64_t sum_before(std::uint64_t here) const;  // over the processes before this one
  void add_up(std::span<std::int64_t> values) const;
  bool everywhere(bool here) const;

  // Runs `work`, which has no exchange, in all processes; when it throws in one, the error of the first of
  // them is thrown in all.
  void each(const std::function<void()>& work) const;

  // Runs what all processes do at the same time, with exchanges in between. When it throws in one alone, the
  // others would wait for ever: the job ends. What all throw together passes.
  void together(const std::function<void()>& work) const;

  // What this process had to do; GraphPart counts.
  ProcessUsage& usage() const noexcept { return usage_; }
  std::vector<ProcessUsage> usage_of_all() const;  // in the first process; in the others nothing

  void exchanging() const noexcept { agreed_to_fail_ = false; }  // another exchange than those above

  // One message, and all processes end.
  [[noreturn]] void end(const std::string& reason) const;

 private:
  void share_bytes(std::span<std::byte> bytes, int from) const;

  int number_ = 0, size_ = 1, on_this_host_ = 1;
  mutable ProcessUsage usage_;
  mutable bool agreed_to_fail_ = false;  // the last exchange told everybody of a failure
};

}  // namespace hushwalk
