// `headroom train`: benchmark -> features -> energy head -> run folder.

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/log.h"
#include "core/worker_group.h"
#include "datasets/find_benchmark.h"
#include "engine/benchmark_molecules.h"
#include "engine/benchmark_selection.h"
#include "engine/cuda_allocator.h"
#include "engine/encoded_parts.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "ood/run_config.h"
#include "ood/run_results.h"
#include "ood/trainer.h"
#include "ops/device.h"
#include "ops/device_memory.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

struct EncodedBenchmark {
  ood::TrainingData data;
  std::string encoder_identity;
  std::size_t feature_width = 0;
  std::size_t oom_recoveries = 0;
};

EncodedBenchmark encode_benchmark(const TrainRequest& request, c10::Device device,
                                  memory::PhaseRecorder& recorder, std::vector<FailedMolecule>& failed) {
  auto benchmark = benchmark_molecules(request, request.compute);
  refuse_if_strict(request.strict, benchmark.failed);
  failed = std::move(benchmark.failed);
  EncodingSession session({.encoder = request.encoder,
                           .store = request.store,
                           .weights = request.weights,
                           .features = request.features,
                           .strict = request.strict,
                           .compute = request.compute},
                          recorder);
  PartEncoder encoder(session, request.splits_cache.empty() ? request.benchmark : request.splits_cache);
  encoder.add("train_id", benchmark.train_id);
  encoder.add("train_ood", benchmark.train_ood);
  encoder.add("val_id", benchmark.val_id);
  encoder.add("val_ood", benchmark.val_ood);
  const auto parts = encoder.encode(failed);
  return {{parts[0].to(device), parts[1].to(device), parts[2].to(device), parts[3].to(device)},
          encoder_identity(session.encoder()),
          session.encoder().width(),
          session.oom_recoveries()};
}

/// The folder holds nothing, or a run that this request continues.
void require_same_run(const TrainRequest& request, const std::filesystem::path& run) {
  if (!request.resume || !std::filesystem::exists(run / "config.json")) {
    return;
  }
  const TrainRequest earlier = ood::read_run_config(run).request;
  if (earlier.encoder != request.encoder || earlier.benchmark != request.benchmark ||
      earlier.features != request.features || earlier.splits_cache != request.splits_cache) {
    throw InputError(fmt::format(
        "{}: holds a run of {} ({} features) on {}{}; name another folder, or begin anew with --restart",
        run.string(), earlier.encoder, earlier.features, earlier.benchmark,
        earlier.splits_cache.empty() ? "" : " with " + earlier.splits_cache));
  }
}

}  // namespace

TrainReport train(const TrainRequest& given) {
  TrainRequest request = given;
  request.benchmark = datasets::find_benchmark(given.benchmark, given.data_path);
  const ood::TrainingOptions options = ood::training_options(request);
  const c10::Device device = ops::parse_device(request.compute.device);
  ood::require_effect_on_device(options.frugality, device.is_cuda());
  set_cuda_allocator(request.cuda_allocator, device);
  const std::filesystem::path run = request.run;
  require_same_run(request, run);
  memory::PhaseRecorder recorder(ops::device_probe(device));
  TrainReport report;
  const EncodedBenchmark encoded = encode_benchmark(request, device, recorder, report.failed);

  make_folder(run);
  const LogFile log((run / "training.log").string());
  const std::size_t threads = request.compute.threads > 0 ? request.compute.threads : available_processors();
  const ops::OperatorThreads operator_threads(static_cast<int>(threads));
  memory::Phase phase = recorder.begin("train");
  const ood::TrainingResult result = ood::train_energy_head(encoded.data, options, run);
  phase.end();
  report.oom_recoveries = encoded.oom_recoveries + result.oom_recoveries;
  report.batch_size_planned = result.batch_size_planned;
  report.batch_size_used = result.batch_size_used;
  ood::write_run_config(run, {request, encoded.encoder_identity, encoded.feature_width});
  ood::write_training_stats(run, result,
                            {.device = device.str(),
                             .phases = recorder.reports(),
                             .batch_size_planned = result.batch_size_planned,
                             .batch_size_used = result.batch_size_used,
                             .oom_recoveries = report.oom_recoveries});

  report.epochs_run = result.epochs_run;
  report.best_epoch = result.best_epoch;
  report.best_auroc = result.best_auroc;
  report.stopped_early = result.stopped_early;
  report.resumed = result.resumed;
  report.phases = recorder.reports();
  return report;
}

}  // namespace headroom::verbs
