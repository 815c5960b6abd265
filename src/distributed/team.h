// What the first process asks of the others, and how they do it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "distributed/job.h"
#include "distributed/part.h"
#include "hushwalk/import.h"
#include "hushwalk/plan.h"
#include "mechanism/mechanism.h"

namespace hushwalk {

class Team {
 public:
  explicit Team(const Job& job) : job_(job) {}

  // In the first process. Asks the others for something, and runs `work` while they do it; what it throws on
  // its own ends the job.
  void run(const Json& request, const std::function<void()>& work) const;
  void dismiss() const;

  // In the others: until they are dismissed.
  void serve();

  // In the first process: a graph over all of them.
  Graph open(const std::filesystem::path& path);

  // In the first process: texts that each reads some of, as a graph that can be saved.
  Import import_graph(const std::vector<std::filesystem::path>& paths, const ImportOptions& options,
                      const Progress& progress);

  // In the first process: of all of them.
  std::vector<ProcessUsage> usage() const;

  const Job& job() const noexcept { return job_; }

 private:
  const Job& job_;
};

// A mechanism of the first process, which has the others do the same: each counts links of its own rows and
// draws the noise of its own nodes. Graphs that are here as a whole are left to `inner`.
std::unique_ptr<Mechanism> together(const Team& team, std::unique_ptr<Mechanism> inner);
// Error{usage} for graphs that are spread.
std::unique_ptr<Mechanism> alone(std::string name, std::unique_ptr<Mechanism> inner);

// What travels.
Json seeds_json(std::span<const SeedVector> seeds);

// The source of noise of a release, in the first process: the others get its keys as they are asked for.
class SendingNoise final : public NoiseSource {
 public:
  SendingNoise(const Job& job, NoiseSource& source);
  std::unique_ptr<NoiseSource> answer(std::uint64_t number) override;
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override { return source_.piece(address); }

 private:
  const Job& job_;
  NoiseSource& source_;
};

}  // namespace hushwalk
