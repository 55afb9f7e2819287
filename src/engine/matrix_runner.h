#pragma once

#include <map>
#include <string>

#include "engine/matrix_benchmarks.h"
#include "engine/matrix_features.h"
#include "experiment/matrix.h"
#include "headroom/train.h"

namespace headroom::verbs {

/// What a cell of an energy method asks `headroom train` for; the run folder is left empty. Throws InputError
/// naming the specification's line when its options do not go together.
TrainRequest train_request(const experiment::Spec& spec, const experiment::Cell& cell,
                           const std::string& benchmark_file);

/// Trains and evaluates the cells of a matrix, each with one thread. A cell's folder is a run folder like any
/// other: `headroom evaluate` and `headroom score` take it.
class MatrixRunner : public experiment::CellRunner {
 public:
  MatrixRunner(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks, MatrixFeatures& features,
               c10::Device device)
      : spec_(spec), benchmarks_(benchmarks), features_(features), device_(device) {}

  std::string identity(const experiment::Cell& cell) override;
  experiment::CellResult run(const experiment::Cell& cell, const std::filesystem::path& folder) override;

 private:
  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  MatrixFeatures& features_;
  c10::Device device_;
};

}  // namespace headroom::verbs
