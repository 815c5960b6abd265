// A launcher says in the environment how many processes it started.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "hushwalk/error.h"
#include "mechanism/mechanism.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

// A variable of the environment, which has its old value again at the end.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

constexpr const char* launched = "OMPI_COMM_WORLD_SIZE";

SharedArtefact make_artefact(const Graph& graph) {
  return SharedArtefact::make(graph, {.mechanism = "shared", .scope = Scope::edge});
}

void expect_no_noise(const auto& action) {
  try {
    action();
    ADD_FAILURE() << "noise was drawn";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_NE(std::string(error.what()).find(launched), std::string::npos) << error.what();
  }
}

TEST(SeveralProcesses, MakeNoRankerAndNoArtefact) {
  const Graph graph = testing::karate();
  const Variable two(launched, "2");
  expect_no_noise([&] { PrivateRanker(graph, {}); });
  expect_no_noise([&] { make_artefact(graph); });
}

TEST(SeveralProcesses, AreNotOneThatWasLaunchedAlone) {
  const Graph graph = testing::karate();
  const Variable one(launched, "1"), pmi("PMI_SIZE", "1"), slurm("SLURM_STEP_NUM_TASKS", "1");
  EXPECT_NO_THROW(PrivateRanker(graph, {}));
  EXPECT_NO_THROW(make_artefact(graph));
}

// The processes of a job, which draw noise as one, make theirs so.
TEST(SeveralProcesses, MayMakeARankerByAPlan) {
  const Graph graph = testing::karate();
  const Variable two(launched, "2");
  EXPECT_NO_THROW(planned_ranker(graph, make_plan(graph.facts(), {}), {}));
}

}  // namespace
}  // namespace hushwalk
