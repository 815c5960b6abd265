// Evaluations as CSV, JSON lines and JSON, and one that can be interrupted.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "hushwalk/evaluation.h"
#include "hushwalk/output_file.h"

namespace hushwalk {

inline constexpr const char* evaluation_warning = "not private: an evaluation reads every edge";

// The measures of a row, in the order to show them.
struct EvaluationColumn {
  const char* name;
  Measure EvaluationRow::* measure;
};
inline constexpr std::array<EvaluationColumn, 10> evaluation_columns = {
    {{"ndcg", &EvaluationRow::ndcg},
     {"recall", &EvaluationRow::recall},
     {"new_ndcg", &EvaluationRow::new_ndcg},
     {"new_recall", &EvaluationRow::new_recall},
     {"l1", &EvaluationRow::l1},
     {"kendall", &EvaluationRow::kendall},
     {"gain", &EvaluationRow::gain},
     {"rank_coverage", &EvaluationRow::rank_coverage},
     {"rank_width", &EvaluationRow::rank_width},
     {"rank_share", &EvaluationRow::rank_share}}};

// Rows, written one by one: begin(), row() for each, end(). For one thread; keeps neither graph nor request.
class EvaluationWriter {
 public:
  virtual ~EvaluationWriter() = default;
  EvaluationWriter(const EvaluationWriter&) = delete;
  EvaluationWriter& operator=(const EvaluationWriter&) = delete;

  virtual std::string begin() { return ""; }
  virtual std::string row(const EvaluationRow& row) = 0;
  virtual std::string end() { return ""; }

 protected:
  EvaluationWriter() = default;
};
// `format` is json, jsonl or csv.
std::unique_ptr<EvaluationWriter> evaluation_writer(const std::string& format, const Graph& graph,
                                                    const EvaluationRequest& request);

// evaluate() into a file of JSON lines that grows by whole lines, so that work which stops half-way goes on
// where it was: the one output that is written under its own name from the start. Its first line says what is
// evaluated. `on_resumed`, on the calling thread, is told how many rows were there. Error{usage} when the
// file belongs to other work or another process is writing it.
EvaluationSummary evaluate_resumably(const Graph& graph, const EvaluationRequest& request,
                                     const std::filesystem::path& file, Permissions permissions,
                                     const std::function<void(std::size_t rows)>& on_resumed,
                                     const Progress& progress = {});

std::string tuned_json(const Tuned& tuned, const TuneRequest& request);

}  // namespace hushwalk
