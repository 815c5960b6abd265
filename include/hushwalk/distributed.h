// A graph spread over the processes of an MPI job, which answer as one machine would: the same bytes. The
// program hushwalk-mpi is made of this; docs/distributed.md says how it works.
//
//   DistributedJob job;
//   if (!job.is_first()) return job.serve();
//   const Graph graph = job.open("friends.hwg");   // then as on one machine: ask(graph, request)
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hushwalk/graph.h"
#include "hushwalk/import.h"
#include "hushwalk/version.h"

namespace hushwalk {

// What a process of a job had to do. For the custodian only: it depends on secret edges.
struct ProcessUsage {
  std::uint64_t links = 0;        // of its rows, in the graph that was opened last
  std::uint64_t inner_links = 0;  // of those rows that are linked to rows of the same process alone
  std::uint64_t others = 0;       // rows of other processes that its rows are linked to
  std::uint64_t brought = 0;      // bytes of values of these, in all sweeps
  std::uint64_t times = 0;        // that they were brought
  std::uint64_t memory = 0;       // bytes, at most
};

// Every process of the job makes one, before its first thread, and no second one. The first process is asked;
// the others do their part of what it asks, and draw noise only under keys that it makes. A process that
// fails alone, or dies, ends the whole job.
//
// One thread at a time, the one that made it.
class DistributedJob {
 public:
  // Starts MPI and PETSc. Error{failed}, in all processes, unless all are of this version.
  explicit DistributedJob(const std::string& version = hushwalk::version());
  // In the first process: the others leave serve().
  ~DistributedJob();
  DistributedJob(const DistributedJob&) = delete;
  DistributedJob& operator=(const DistributedJob&) = delete;

  bool is_first() const noexcept;
  int processes() const noexcept;
  int processes_on_this_host() const noexcept;

  // In the others: does what the first asks for, until it has ended.
  void serve();

  // In the first: reads a graph file, each process its share of it. Answers from the graph come from all
  // processes; `edgeflip`, which needs all rows in one place, is refused. The graph must not outlive the job.
  // Error{failed} as by Graph::open() and Graph::check(), or when not all processes find the same file.
  Graph open(const std::filesystem::path& path);

  // In the first: makes a graph of edge lists as hushwalk::import_graph() does, each process reading some of
  // the files, which all must find under the same name; the node list of the options is sent to all. Nothing
  // can be asked of the graph but its facts and counts until it is saved, which all processes do together,
  // and opened again. It must not outlive the job. Errors as there, with the same words.
  Import import_graph(const std::vector<std::filesystem::path>& paths, const ImportOptions& options = {},
                      const Progress& progress = {});

  // In the first: of all processes until now.
  std::vector<ProcessUsage> usage() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hushwalk
