// `molgauge train`: benchmark -> features -> energy head -> run folder.

#include "molgauge/train.h"

#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/files/folder_lock.h"
#include "base/core/session/log.h"
#include "base/core/text/counted.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/failure_file.h"
#include "base/runtime/run_log.h"
#include "molecules/datasets/benchmark_selection.h"
#include "molecules/datasets/find_benchmark.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molecules/datasets/trained_molecules.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/seeds.h"
#include "molecules/ood/run/validation_scores.h"
#include "molecules/verbs/torch_verbs.h"
#include "molecules/verbs/train/encoder_tuning.h"
#include "molecules/verbs/train/own_molecules.h"
#include "molecules/verbs/train/prepared_benchmark.h"
#include "molecules/verbs/train/training_needs.h"
#include "molecules/verbs/train/training_session.h"

namespace molgauge::verbs {
namespace {

std::vector<std::uint64_t> seeds_of(const TrainRequest& request) {
  if (request.seed > std::numeric_limits<std::uint64_t>::max() - request.seeds) {
    throw UsageError("--seed " + std::to_string(request.seed) + ": is too large for --seeds " +
                     std::to_string(request.seeds));
  }
  std::vector<std::uint64_t> seeds;
  for (std::size_t i = 0; i < request.seeds; ++i) {
    seeds.push_back(request.seed + i);
  }
  return seeds;
}

void require_folder_for(const TrainRequest& request, const std::vector<std::uint64_t>& seeds) {
  const std::filesystem::path run = request.run;
  if (std::filesystem::exists(run / "config.json") || std::filesystem::exists(run / "checkpoints")) {
    throw InputError(run.string() + ": contains a run of one seed. Name another folder");
  }
  const std::vector<std::uint64_t> earlier = ood::find_seeds(run);
  if (!earlier.empty() && earlier != seeds && request.resume) {
    throw InputError(
        run.string() +
        ": contains runs of other seeds. Name another folder, or start from scratch with --restart");
  }
}

/// Returns the mean over the seeds for each molecule, computed as in `molgauge score`.
std::vector<float> mean_of(const std::vector<ood::ValidationScores>& of_seeds,
                           std::vector<float> ood::ValidationScores::*side, const std::string& run) {
  const std::size_t molecules = (of_seeds.front().*side).size();
  std::vector<double> sums(molecules);
  for (const ood::ValidationScores& own : of_seeds) {
    if ((own.*side).size() != molecules) {
      throw InputError(
          run + ": its seeds were validated on different molecules. Start from scratch with --restart");
    }
    for (std::size_t i = 0; i < molecules; ++i) {
      sums[i] += (own.*side)[i];
    }
  }
  std::vector<float> means;
  means.reserve(sums.size());
  for (const double sum : sums) {
    means.push_back(static_cast<float>(sum / static_cast<double>(of_seeds.size())));
  }
  return means;
}

ood::ValidationScores mean_scores(const std::string& run, const std::vector<std::uint64_t>& seeds) {
  std::vector<ood::ValidationScores> of_seeds;
  for (const std::uint64_t seed : seeds) {
    const std::filesystem::path folder = ood::seed_folder(run, seed);
    auto found = ood::find_validation_scores(folder, ood::identity_of_best_model(folder));
    if (!found.scores) {
      throw InputError(folder.string() + ": " + found.why_none);
    }
    of_seeds.push_back(std::move(*found.scores));
  }
  return ood::calibrate(mean_of(of_seeds, &ood::ValidationScores::id, run),
                        mean_of(of_seeds, &ood::ValidationScores::ood, run));
}

/// Adds the report of one more seed.
void add(TrainReport own, std::uint64_t seed, TrainReport& all) {
  all.seeds.push_back({seed, own.epochs_run, own.best_epoch, own.best_auroc});
  all.resumed = all.resumed || own.resumed;
  all.oom_recoveries += own.oom_recoveries;
  if (all.seeds.size() == 1) {  // the molecules are the same for every seed
    all.failed_records = own.failed_records;
    all.failed = std::move(own.failed);
    all.phases = std::move(own.phases);
    all.batch_size_planned = own.batch_size_planned;
  }
  all.batch_size_used = own.batch_size_used;
}

/// `molgauge train --seeds`: trains one run for each of the seeds request.seed, request.seed + 1, ... Each
/// run has a folder in the run folder (molecules/ood/run/seeds.h). Repeating the call continues a call that
/// was stopped. Stores the mean energies of the validation molecules, which are the same molecules for every
/// seed.
TrainReport train_seeds(const TrainRequest& request) {
  if (!request.compute.memory_trace.empty()) {
    throw UsageError("--memory-trace records one run. Leave out --seeds, or the trace");
  }
  if (!request.ood.empty() && (request.benchmark == "-" || request.ood == "-")) {
    throw UsageError(
        "--seeds reads its inputs once for each seed, so they cannot come from standard input. Name a file");
  }
  if (request.finetune_encoder) {
    throw UsageError(
        "--seeds has no effect with --finetune-encoder, because each seed trains its own encoder and such "
        "runs cannot score together. Train one run for each --seed");
  }
  const std::vector<std::uint64_t> seeds = seeds_of(request);
  require_folder_for(request, seeds);
  make_folder(request.run);
  const FolderLock lock(request.run);
  ood::remove_seeds(request.run);
  ood::remove_validation_scores(request.run);
  forget_checksums(request.run);
  keep_checksums(request.run);
  TrainReport report;
  for (const std::uint64_t seed : seeds) {
    TrainRequest own = request;
    own.seeds = 1;
    own.seed = seed;
    own.run = ood::seed_folder(request.run, seed).string();
    log_info("seed {}: {}", seed, own.run);
    add(train(own), seed, report);
  }
  const ood::ValidationScores mean = mean_scores(request.run, seeds);
  report.best_auroc =
      ood::detection_metrics(std::span<const float>(mean.id), std::span<const float>(mean.ood)).auroc;
  ood::write_validation_scores(request.run, mean, ood::identity_of_seeds(request.run, seeds));
  ood::write_seeds(request.run, seeds);
  return report;
}

/// Throws unless the folder is empty, or has a run that this request continues.
void require_same_run(const TrainRequest& request, const std::filesystem::path& run) {
  if (!ood::find_seeds(run).empty()) {
    throw InputError(run.string() + ": contains runs of several seeds (--seeds). Name another folder");
  }
  if (!request.resume || !std::filesystem::exists(run / "config.json")) {
    return;
  }
  const TrainRequest earlier = ood::read_run_config(run).request;
  if (earlier.encoder != request.encoder || earlier.ood.empty() != request.ood.empty() ||
      earlier.benchmark != request.benchmark || earlier.features != request.features ||
      earlier.splits_cache != request.splits_cache || earlier.finetune_encoder != request.finetune_encoder) {
    throw InputError(
        fmt::format("{}: contains a run of {} ({} features{}) on {}{}. Name another folder, or start from "
                    "scratch with --restart",
                    run.string(), earlier.encoder, earlier.features,
                    earlier.finetune_encoder ? ", layers trained with the head" : "", earlier.benchmark,
                    earlier.splits_cache.empty() ? "" : " with " + earlier.splits_cache));
  }
}

TrainReport train(const TrainRequest& given, runtime::RunLog& log) {
  ood::training_options(given);  // refuses wrong options before any file is read
  TrainRequest request = given;
  OwnMolecules own;
  if (given.ood.empty()) {
    request.benchmark = datasets::find_benchmark(given.benchmark, given.data_path);
  } else {
    request.benchmark = request.splits_cache = ood::own_benchmark_file(given.run).string();
  }
  request.compute.precision = session::resolve_precision(given.compute, given.encoder);
  ood::TrainingOptions options = ood::training_options(request);
  const Device device = runtime::parse_device(request.compute.device);
  train::require_effect_on_device(options.memory_saving, device.is_gpu());
  if (request.finetune_encoder) {
    require_tunable(request, request.compute.precision);
  }
  const std::filesystem::path run = request.run;
  require_same_run(request, run);
  if (!given.ood.empty()) {
    own = prepare_own_molecules(given);
  }
  runtime::BudgetScope memory(request.compute, device);
  TrainReport report;
  const std::string checksum = ood::checksum_of_file(request.benchmark);
  auto benchmark = datasets::benchmark_molecules(request, request.compute);
  datasets::refuse_if_strict(request.strict, benchmark.failed);
  // The folder is not created earlier, because a refused request must not leave a folder.
  make_folder(run);
  const FolderLock lock(run);
  if (!request.resume) {
    datasets::remove_trained_molecules(run);
  }
  log.open(run / "training.log");
  memory.keep_status(run);
  pipeline::FailureLog failed(run, pipeline::FailureLog::Order::as_appended);
  failed.append_all(own.failed);
  failed.append_all(std::exchange(benchmark.failed, {}));
  const auto prepared = prepare_benchmark(request, options, benchmark, device, memory, failed);
  const Preparation& preparation = prepared->preparation();
  const MemoryPlan& plan = preparation.plan.report;

  runtime::report_failed(failed, report);
  log.keep_failed(
      failed, run, csv_texts(request.spreadsheet_safe),
      given.ood.empty() ? pipeline::FailureColumns::of_one_file : pipeline::FailureColumns::of_several_files);
  const std::size_t threads = runtime::threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  memory::Phase phase = memory.phases().begin("train");
  const std::uint64_t needed = memory::remaining_bytes(plan, preparation.live_bytes);
  memory.require({.what = plan.work,
                  .host_bytes = device.is_gpu() ? 0 : needed,
                  .device_bytes = device.is_gpu() ? needed : 0});
  memory::require_fit(plan);
  options.strategy = *preparation.plan.strategy;
  phase.set_planned(memory.projected_peak(needed, needed));
  memory.set_batch(fmt::format("2 x {} molecules", request.batch_size));
  const ood::TrainingResult result =
      prepared->train(options, run, {.after_epoch = {}, .after_step = {}, .phases = &memory.phases()});
  const std::string encoder_identity = prepared->finish(run, request.eval_batch_size);
  phase.end();
  report.oom_recoveries = preparation.oom_recoveries + result.oom_recoveries;
  report.batch_size_planned = result.batch_size_planned;
  report.batch_size_used = result.batch_size_used;
  datasets::write_trained_molecules(run, datasets::trained_molecules(benchmark));
  ood::write_run_config(
      run, {request, encoder_identity, preparation.feature_width, checksum, benchmark.shared_molecules,
            given.ood.empty() ? "" : given.benchmark, own.near_duplicates});
  memory::RunCost cost = memory.cost();
  cost.plans = {preparation.encoding_plan, plan};
  cost.batch_size_planned = result.batch_size_planned;
  cost.batch_size_used = result.batch_size_used;
  cost.oom_recoveries = report.oom_recoveries;
  ood::write_training_stats(run, result, cost);

  if (!result.stopped_early && result.best_epoch + 1 == result.epochs_run) {
    log_warning(
        "the validation AUROC was still improving when the training stopped after {}. Run the same command "
        "with "
        "--epochs {} to continue",
        counted(request.epochs, "epoch"), 2 * request.epochs);
  }
  report.epochs_run = result.epochs_run;
  report.best_epoch = result.best_epoch;
  report.best_auroc = result.best_auroc;
  report.stopped_early = result.stopped_early;
  report.resumed = result.resumed;
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace

TrainReport train(const TrainRequest& request) {
  if (request.seeds > 1) {
    return train_seeds(request);
  }
  runtime::RunLog log;
  return log.keep_error_of([&] { return train(request, log); });
}

}  // namespace molgauge::verbs
