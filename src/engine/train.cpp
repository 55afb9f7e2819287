// `headroom train`: benchmark -> features -> energy head -> run folder.

#include <utility>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/folder_lock.h"
#include "core/log.h"
#include "datasets/find_benchmark.h"
#include "datasets/ood_benchmark.h"
#include "datasets/trained_molecules.h"
#include "engine/torch_verbs.h"
#include "engine/train_seeds.h"
#include "ood/run/run_config.h"
#include "ood/run/run_results.h"
#include "ood/run/seeds.h"
#include "ood/run/trainer.h"
#include "session/device_choice.h"
#include "session/encoding/own_molecules.h"
#include "session/failed_records.h"
#include "session/run_log.h"
#include "session/scoring/trained_run.h"
#include "session/training/benchmark_selection.h"
#include "session/training/encoded_sides.h"
#include "session/training/training_needs.h"
#include "session/training/training_session.h"
#include "torch/arrays.h"
#include "torch/device.h"
#include "torch/operator_threads.h"

namespace headroom::verbs {
namespace {

using datasets::Side;

struct EncodedBenchmark {
  ood::TrainingData data;
  std::string encoder_identity;
  std::size_t feature_width = 0;
  std::size_t oom_recoveries = 0;
  MemoryPlan encoding_plan;
  ood::TrainingPlan training_plan;
};

EncodedBenchmark encode_benchmark(const TrainRequest& request, const ood::TrainingOptions& options,
                                  const datasets::OodBenchmark& benchmark, Device device,
                                  session::MemorySession& memory, pipeline::FailureLog& failed) {
  session::EncodingSession session({.encoder = request.encoder,
                                    .store = request.store,
                                    .weights = request.weights,
                                    .features = request.features,
                                    .strict = request.strict,
                                    .for_a_head = true,
                                    .compute = request.compute},
                                   memory);
  session::SideEncoder encoder(session,
                               request.splits_cache.empty() ? request.benchmark : request.splits_cache);
  for (const Side side : {Side::train_id, Side::train_ood, Side::val_id, Side::val_ood}) {
    encoder.add(side, benchmark.of(side));
  }
  // Planned now, so that a request that does not fit is refused before the work and not after it.
  const std::size_t threads = session::threads_of(request.compute);
  ood::TrainingPlan training;
  {
    const torch::OperatorThreads operator_threads(static_cast<int>(threads));
    training = session::plan_training(options, session::training_sizes(benchmark, session.encoder().width()),
                                      threads, memory);
  }
  memory.foresee(session::need_of_training(
      training.report, memory.on_device(),
      session::training_sizes(benchmark, session.encoder().width()).feature_bytes()));
  const auto sides = encoder.encode(failed);
  const auto on = [&](Side side) { return torch::on_device(sides[side], torch::to_c10(device)); };
  return {{on(Side::train_id), on(Side::train_ood), on(Side::val_id), on(Side::val_ood)},
          session::encoder_identity(session.encoder()),
          session.encoder().width(),
          session.oom_recoveries(),
          session.plan(),
          std::move(training)};
}

/// Requires a folder that is empty, or has a run that this request continues.
void require_same_run(const TrainRequest& request, const std::filesystem::path& run) {
  if (!ood::find_seeds(run).empty()) {
    throw InputError(run.string() + ": holds runs of several seeds (--seeds); name another folder");
  }
  if (!request.resume || !std::filesystem::exists(run / "config.json")) {
    return;
  }
  const TrainRequest earlier = ood::read_run_config(run).request;
  if (earlier.encoder != request.encoder || earlier.ood.empty() != request.ood.empty() ||
      earlier.benchmark != request.benchmark || earlier.features != request.features ||
      earlier.splits_cache != request.splits_cache) {
    throw InputError(fmt::format(
        "{}: holds a run of {} ({} features) on {}{}; name another folder, or begin anew with --restart",
        run.string(), earlier.encoder, earlier.features, earlier.benchmark,
        earlier.splits_cache.empty() ? "" : " with " + earlier.splits_cache));
  }
}

TrainReport train(const TrainRequest& given, session::RunLog& log) {
  ood::training_options(given);  // refuses wrong options before any file is read
  TrainRequest request = given;
  session::OwnMolecules own;
  if (given.ood.empty()) {
    request.benchmark = datasets::find_benchmark(given.benchmark, given.data_path);
  } else {
    request.benchmark = request.splits_cache = ood::own_benchmark_file(given.run).string();
  }
  request.compute.precision = session::resolve_precision(given.compute, given.encoder);
  ood::TrainingOptions options = ood::training_options(request);
  const Device device = session::parse_device(request.compute.device);
  train::require_effect_on_device(options.frugality, device.is_gpu());
  const std::filesystem::path run = request.run;
  require_same_run(request, run);
  if (!given.ood.empty()) {
    own = session::prepare_own_molecules(given);
  }
  session::MemorySession memory(request.compute, device);
  TrainReport report;
  const std::string checksum = ood::checksum_of_file(request.benchmark);
  auto benchmark = session::benchmark_molecules(request, request.compute);
  session::refuse_if_strict(request.strict, benchmark.failed);
  // Not earlier, because a refused request must not leave a folder behind.
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
  const EncodedBenchmark encoded = encode_benchmark(request, options, benchmark, device, memory, failed);

  session::report_failed(failed, report);
  log.keep_failed(
      failed, run, csv_texts(request.spreadsheet_safe),
      given.ood.empty() ? pipeline::FailureColumns::of_one_file : pipeline::FailureColumns::of_several_files);
  const std::size_t threads = session::threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  memory::Phase phase = memory.phases().begin("train");
  const std::uint64_t needed =
      session::bytes_to_come(encoded.training_plan.report, session::feature_bytes(encoded.data));
  memory.require({.what = encoded.training_plan.report.work,
                  .host_bytes = device.is_gpu() ? 0 : needed,
                  .device_bytes = device.is_gpu() ? needed : 0});
  memory::require_fit(encoded.training_plan.report);
  options.way = *encoded.training_plan.way;
  phase.set_planned(memory.projected_peak(needed, needed));
  memory.set_batch(fmt::format("2 x {} molecules", request.batch_size));
  const ood::TrainingResult result = ood::train_energy_head(
      encoded.data, options, run, {.after_epoch = {}, .after_step = {}, .phases = &memory.phases()});
  session::keep_validation_scores(run, encoded.data, request.eval_batch_size);
  phase.end();
  report.oom_recoveries = encoded.oom_recoveries + result.oom_recoveries;
  report.batch_size_planned = result.batch_size_planned;
  report.batch_size_used = result.batch_size_used;
  datasets::write_trained_molecules(run, datasets::trained_molecules(benchmark));
  ood::write_run_config(
      run, {request, encoded.encoder_identity, encoded.feature_width, checksum, benchmark.shared_molecules,
            given.ood.empty() ? "" : given.benchmark, own.near_duplicates});
  ood::RunCost cost = memory.cost();
  cost.plans = {encoded.encoding_plan, encoded.training_plan.report};
  cost.batch_size_planned = result.batch_size_planned;
  cost.batch_size_used = result.batch_size_used;
  cost.oom_recoveries = report.oom_recoveries;
  ood::write_training_stats(run, result, cost);

  if (!result.stopped_early && result.best_epoch + 1 == result.epochs_run) {
    log_warning(
        "the best epoch is the last one: the training was still getting better when its {} ended; the same "
        "command with --epochs {} goes on from here",
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
  session::RunLog log;
  return log.keep_error_of([&] { return train(request, log); });
}

}  // namespace headroom::verbs
