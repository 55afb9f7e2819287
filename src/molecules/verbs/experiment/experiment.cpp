// `molgauge experiment`: specification -> benchmarks -> features -> runs -> tables.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "base/core/hash.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/runtime/budget_scope.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/failure_file.h"
#include "base/runtime/run_log.h"
#include "molecules/encoders/registry.h"
#include "molecules/experiments/matrix/cluster_bootstrap.h"
#include "molecules/experiments/matrix/matrix.h"
#include "molecules/experiments/matrix/matrix_stats.h"
#include "molecules/experiments/matrix/sensitivity_tables.h"
#include "molecules/experiments/matrix/summary.h"
#include "molecules/experiments/matrix/tables.h"
#include "molecules/experiments/specification/spec.h"
#include "molecules/ood/losses/hard_pairs.h"
#include "molecules/pages/predictions.h"
#include "molecules/pages/scaffold_scores.h"
#include "molecules/verbs/experiment/cell_kind.h"
#include "molecules/verbs/experiment/matrix_requests.h"
#include "molecules/verbs/experiment/matrix_runner.h"
#include "molecules/verbs/experiment/matrix_tuning.h"
#include "molecules/verbs/torch_verbs.h"
#include "molecules/verbs/train/encoder_tuning.h"

namespace molgauge::verbs {
namespace {

/// Throws InputError with the line of the specification if it requests a hard-pair validation and no run has
/// the DPO loss.
void require_weighed_pairs(const experiment::Spec& spec, const std::vector<matrix::Cell>& cells,
                           const CellKinds& kinds) {
  const auto weighs = [&](const matrix::Cell& cell) {
    return kinds.of(cell).pair_beta(spec, cell).has_value();
  };
  if (spec.hard_pairs && std::none_of(cells.begin(), cells.end(), weighs)) {
    throw InputError(
        fmt::format("{}:{}: [hard-pairs] has no effect, because no method is an energy head with loss = "
                    "\"dpo\". Remove it, or add such a method",
                    spec.file, spec.hard_pairs->line));
  }
}

/// Writes hard_pair_validation.json into the folder of every finished run with the DPO loss, if the
/// specification requests it. The values are computed from the energies in detailed_predictions.csv.
void validate_hard_pairs(const experiment::Spec& spec, const std::vector<matrix::CellOutcome>& outcomes,
                         const CellKinds& kinds, const std::filesystem::path& folder) {
  if (!spec.hard_pairs) {
    return;
  }
  for (const auto& [cell, ended, found] : outcomes) {
    const auto beta = ended.result ? kinds.of(cell).pair_beta(spec, cell) : std::nullopt;
    if (beta) {
      const auto run = folder / cell.folder();
      const auto energies = report::read_predictions(run / "detailed_predictions.csv");
      ood::write_hard_pairs(run, ood::validate_hard_pairs(energies.id_scores, energies.ood_scores, *beta,
                                                          spec.hard_pairs->pairs, cell.seed));
    }
  }
}

MeanAndDeviation mean_and_deviation(const matrix::Estimate& estimate) {
  return {estimate.mean, estimate.standard_deviation};
}

void describe(const std::vector<matrix::CellOutcome>& outcomes, ExperimentReport& report) {
  for (const auto& outcome : outcomes) {
    report.computed += outcome.found ? 0 : 1;
    report.failed += outcome.ended.result ? 0 : 1;
    report.over_budget += outcome.ended.over_budget ? 1 : 0;
  }
  for (const auto& summary : matrix::summarize(outcomes)) {
    report.rows.push_back({summary.benchmark, summary.encoder, summary.variant, summary.auroc.count,
                           summary.failed, mean_and_deviation(summary.auroc),
                           mean_and_deviation(summary.aupr), mean_and_deviation(summary.fpr95),
                           mean_and_deviation(summary.validation_auroc)});
  }
}

void require_known_encoders(const experiment::Spec& spec) {
  for (const std::string& name : spec.encoders) {
    try {
      encoders::require_encoder(name);
    } catch (const UsageError& problem) {
      throw InputError(fmt::format("{}:{}: {}", spec.file, spec.encoders_line, problem.what()));
    }
  }
}

/// Throws UsageError with the line of the specification if the layers of an encoder cannot be trained with
/// the options of this call.
void require_tunable_cells(const experiment::Spec& spec, const std::vector<matrix::Cell>& cells,
                           const CellKinds& kinds, const ComputeOptions& compute) {
  for (const matrix::Cell& cell : cells) {
    if (!kinds.of(cell).trains_encoder(spec, cell)) {
      continue;
    }
    try {
      require_tunable(train_request(spec, cell), compute.precision);
    } catch (const UsageError& problem) {
      throw UsageError(fmt::format("{}: {}", place_of(spec, cell), problem.what()));
    }
  }
}

/// Returns the specification without the encoders whose layers are trained in every cell that uses them.
experiment::Spec with_features(const experiment::Spec& spec, const std::vector<matrix::Cell>& cells,
                               const CellKinds& kinds) {
  experiment::Spec with_features = spec;
  std::erase_if(with_features.encoders, [&](const std::string& encoder) {
    return std::none_of(cells.begin(), cells.end(), [&](const matrix::Cell& cell) {
      return cell.encoder == encoder && !kinds.of(cell).trains_encoder(spec, cell);
    });
  });
  return with_features;
}

/// Returns the failed molecules without repetitions. A record can fail several times because several draws
/// contain it or several encoders encode it.
pipeline::FailureLog once_each(const pipeline::FailureLog& failed, const std::filesystem::path& scratch) {
  pipeline::FailureLog distinct(scratch, pipeline::FailureLog::Order::as_appended);
  std::set<Hash128> known;
  failed.for_each([&](const FailedMolecule& molecule) {
    const std::string what =
        fmt::format("{}\n{}\n{}\n{}", molecule.file, molecule.line, molecule.text, molecule.reason);
    if (known.insert(hash128(what)).second) {
      distinct.append(molecule);
    }
    return true;
  });
  return distinct;
}

ExperimentReport run_experiment(const ExperimentRequest& request, runtime::RunLog& log) {
  const Device device = runtime::parse_device(request.compute.device);
  const std::filesystem::path folder = request.out;
  const std::size_t threads = runtime::threads_of(request.compute);
  const experiment::Spec spec = experiment::read_spec(request.spec, request.data_path);
  require_known_encoders(spec);
  const auto cells = matrix::expand(spec);
  const CellKinds kinds;
  for (const auto& cell : cells) {
    kinds.of(cell).require_valid(spec, cell);
  }
  require_tunable_cells(spec, cells, kinds, request.compute);
  require_weighed_pairs(spec, cells, kinds);
  make_folder(folder);
  // The lock is needed because recipes, status.json and tables are also written before and after the runs.
  const FolderLock lock(folder);
  pipeline::FailureLog failed(folder, pipeline::FailureLog::Order::as_appended);
  const MatrixBenchmarks benchmarks(spec, folder, request.compute, failed);
  for (const auto& cell : cells) {
    kinds.of(cell).require_sufficient({cell, spec, benchmarks});
  }
  ExperimentReport report;
  report.runs = cells.size();
  if (request.plan_only) {
    return report;
  }

  log.open(folder / "experiment.log");
  runtime::BudgetScope memory(request.compute, device);
  memory.keep_status(folder);
  const session::EncodingSettings encoding{.encoder = "",
                                           .store = request.store,
                                           .weights = request.weights,
                                           .for_a_head = true,
                                           .placement = request.placement,
                                           .compute = request.compute};
  MatrixFeatures features(spec, benchmarks, encoding, device, memory);
  MatrixTuning tuning(spec, benchmarks, encoding, memory, folder);
  MatrixRunner runner(spec, benchmarks, features, tuning, kinds, memory, request.spreadsheet_safe);
  const experiment::Spec encoded = with_features(spec, cells, kinds);
  const std::vector<matrix::Cell> unfinished = matrix::unfinished_cells(cells, runner, folder);
  std::vector<matrix::Cell> tuned = unfinished;
  std::erase_if(tuned, [&](const matrix::Cell& cell) { return !kinds.of(cell).trains_encoder(spec, cell); });
  features.declare_requirement(encoded);
  tuning.declare_requirement(tuned);
  runner.declare_requirement(unfinished);
  features.encode(encoded, failed);
  tuning.keep(failed);
  const pipeline::FailureLog left_out = once_each(failed, folder);
  const CsvTexts texts = csv_texts(request.spreadsheet_safe);
  log.keep_failed(left_out, folder, texts, pipeline::FailureColumns::of_several_files);
  // Runs execute in parallel, so each operator gets only one thread.
  const torch::OperatorThreads operator_threads(1);
  replace_file(folder / "spec.toml", spec.text);
  memory::Phase phase = memory.phases().begin("runs");
  const std::size_t jobs = request.jobs > 0 ? request.jobs : threads;
  const auto outcomes =
      matrix::run_matrix(cells, runner, {.folder = folder, .jobs = jobs, .quiet = request.compute.quiet});
  phase.set_planned(runner.projected_peak());
  phase.end();
  matrix::write_tables(folder, outcomes, texts);
  auto comparisons = matrix::compare(outcomes);
  matrix::add_bootstrap(comparisons, outcomes, report::scaffold_scores(folder));
  matrix::write_significance(folder, comparisons);
  matrix::write_sensitivity_tables(folder, outcomes);
  validate_hard_pairs(spec, outcomes, kinds, folder);
  describe(outcomes, report);
  report.failed_records = left_out.size();
  report.failed_molecules = left_out.first(runtime::kFailuresReported);
  report.phases = memory.phases().reports();
  if (report.computed > 0) {
    matrix::write_matrix_stats(folder,
                               {report.phases, device.text(), jobs, report.computed, memory.budget()});
  }
  return report;
}

}  // namespace

ExperimentReport run_experiment(const ExperimentRequest& request) {
  runtime::RunLog log;
  return log.keep_error_of([&] { return run_experiment(request, log); });
}

}  // namespace molgauge::verbs
