#include "hushwalk/distributed.h"

#include <utility>

#include "base/fail.h"
#include "distributed/team.h"
#include "hushwalk/graph_notes.h"

namespace hushwalk {

struct DistributedJob::Impl {
  Job job;
  Team team{job};
};

namespace {

// Other versions may compute other numbers under the same key, and tell their difference.
void check_version(const Job& job, const std::string& version) {
  const std::string here = fmt::format("{} (release arithmetic {})", version, release_arithmetic_version);
  std::vector<std::uint8_t> of_first(here.begin(), here.end());
  job.share(of_first);
  job.each([&] {
    const std::string first(of_first.begin(), of_first.end());
    if (first != here)
      fail("process {} is hushwalk-mpi {}, and the first process {}: start the same program everywhere",
           job.number(), here, first);
  });
}

void put_together(const Team& team) {
  replace_mechanisms([&](const std::string& name, std::unique_ptr<Mechanism> one) {
    return one->can_be_spread() ? together(team, std::move(one)) : alone(name, std::move(one));
  });
}

}  // namespace

DistributedJob::DistributedJob(const std::string& version) : impl_(new Impl) {
  check_version(impl_->job, version);
  if (is_first()) put_together(impl_->team);
}

DistributedJob::~DistributedJob() {
  if (is_first()) impl_->team.dismiss();
}

bool DistributedJob::is_first() const noexcept { return impl_->job.is_first(); }
int DistributedJob::processes() const noexcept { return impl_->job.size(); }
int DistributedJob::processes_on_this_host() const noexcept { return impl_->job.on_this_host(); }
void DistributedJob::serve() { impl_->team.serve(); }
Graph DistributedJob::open(const std::filesystem::path& path) {
  Graph graph = impl_->team.open(path);
  static_cast<void>(read_notes(path, graph));  // those of another graph are refused
  return graph;
}

std::vector<ProcessUsage> DistributedJob::usage() const { return impl_->team.usage(); }

Import DistributedJob::import_graph(const std::vector<std::filesystem::path>& paths,
                                    const ImportOptions& options, const Progress& progress) {
  return impl_->team.import_graph(paths, options, progress);
}

}  // namespace hushwalk
