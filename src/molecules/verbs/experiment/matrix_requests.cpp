#include "molecules/verbs/experiment/matrix_requests.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/options/identity.h"
#include "base/options/tables.h"
#include "molecules/baselines/detectors/methods.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/experiments/specification/method_options.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/run_config.h"

namespace molgauge::verbs {
namespace {

/// Runs `fill`, which sets the options of a request. Turns a UsageError into an InputError with the line of
/// the specification.
template <typename Fill>
void name_the_line(const experiment::Spec& spec, const matrix::Cell& cell, Fill fill) {
  try {
    fill();
  } catch (const UsageError& problem) {
    throw InputError(fmt::format("{}: {}", place_of(spec, cell), problem.what()));
  }
}

template <typename Request>
Request request_of(const experiment::Spec& spec, const matrix::Cell& cell) {
  Request request;
  static_cast<BenchmarkDraw&>(request) = draw_of(spec, cell.benchmark, cell.data_seed);
  request.encoder = cell.encoder;
  request.seed = cell.seed;
  request.compute.quiet = true;
  return request;
}

}  // namespace

std::string place_of(const experiment::Spec& spec, const matrix::Cell& cell) {
  const auto method = std::find_if(spec.methods.begin(), spec.methods.end(),
                                   [&](const auto& candidate) { return candidate.name == cell.method; });
  const std::size_t line = method == spec.methods.end() ? 0 : method->line;
  return fmt::format("{}:{}: method '{}'", spec.file, line, cell.method);
}

BenchmarkDraw draw_of(const experiment::Spec& spec, const std::string& benchmark, std::uint64_t data_seed) {
  BenchmarkDraw draw = spec.draw;
  draw.data_seed = data_seed;
  draw.allow_overlap = std::any_of(
      spec.benchmarks.begin(), spec.benchmarks.end(),
      [&](const auto& candidate) { return candidate.name == benchmark && candidate.allow_overlap; });
  return draw;
}

std::string to_text(const BenchmarkDraw& draw) {
  return fmt::format("{} data-seed {}", identity_as_text(options::view(draw), options::Part::draw),
                     draw.data_seed);
}

TrainRequest train_request(const experiment::Spec& spec, const matrix::Cell& cell) {
  auto request = request_of<TrainRequest>(spec, cell);
  name_the_line(spec, cell, [&] {
    for (const auto& [name, value] : cell.options) {
      experiment::set_energy_option(request, name, value);
    }
    ood::training_options(request);
  });
  return request;
}

BaselineRequest baseline_request(const experiment::Spec& spec, const matrix::Cell& cell) {
  auto request = request_of<BaselineRequest>(spec, cell);
  request.method = cell.kind;
  request.compute.threads = 1;
  name_the_line(spec, cell, [&] {
    for (const auto& [name, value] : cell.options) {
      experiment::set_baseline_option(request, name, value);
    }
    if (baselines::methods_of(request).size() != 1) {
      throw UsageError("a matrix needs a [[method]] with a kind for each baseline");
    }
    baselines::classifier_options(
        request, baselines::objective_of(request.method).value_or(baselines::ObjectiveKind::supervised));
    baselines::method_options(request);
  });
  return request;
}

}  // namespace molgauge::verbs
