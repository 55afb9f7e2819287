#include "engine/matrix_runner.h"

#include <fmt/format.h>

#include "engine/energy_cell.h"
#include "engine/matrix_requests.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {

std::string MatrixRunner::data_identity(const experiment::Cell& cell) const {
  return fmt::format("{} benchmark {} features {}\n", to_text(draw_of(spec_, cell.data_seed)),
                     benchmarks_.identity(cell.benchmark), features_.identity(cell.encoder));
}

std::string MatrixRunner::identity(const experiment::Cell& cell) {
  return (cell.kind == "energy-head" ? energy_identity(train_request(spec_, cell))
                                     : baseline_identity(baseline_request(spec_, cell))) +
         " " + data_identity(cell);
}

experiment::CellResult MatrixRunner::run(const experiment::Cell& cell, const std::filesystem::path& folder) {
  ops::join_operator_threads();
  const auto sides = features_.of(cell);
  if (cell.kind != "energy-head") {
    BaselineRequest request = baseline_request(spec_, cell);
    request.benchmark = benchmarks_.file(cell.benchmark);
    return baselines_.run(request, *sides, {features_.identity(cell.encoder), data_identity(cell)}, folder);
  }
  TrainRequest request = train_request(spec_, cell);
  request.benchmark = benchmarks_.file(cell.benchmark);
  request.run = folder.string();
  return run_energy_cell(request, *sides, features_.identity(cell.encoder), folder);
}

}  // namespace headroom::verbs
