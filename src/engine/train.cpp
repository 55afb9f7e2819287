// `headroom train`: benchmark -> features -> energy head -> run folder.

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/folder_lock.h"
#include "core/log.h"
#include "core/worker_group.h"
#include "datasets/find_benchmark.h"
#include "datasets/ood_benchmark.h"
#include "engine/benchmark_molecules.h"
#include "engine/benchmark_selection.h"
#include "engine/encoded_parts.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "ood/run_config.h"
#include "ood/run_results.h"
#include "ood/trainer.h"
#include "ops/device.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

struct MoleculeCounts {
  std::size_t training = 0, validation = 0;  ///< both sides
};

struct EncodedBenchmark {
  ood::TrainingData data;
  std::string encoder_identity;
  std::size_t feature_width = 0;
  std::size_t oom_recoveries = 0;
  MoleculeCounts molecules;
};

std::uint64_t feature_bytes(std::size_t width, const MoleculeCounts& molecules) {
  return (molecules.training + molecules.validation) * width * sizeof(float);
}

/// What training takes at most beside the features: those of the training molecules side by side; the head
/// with its gradients, the optimiser's two moments, the best and the replicas that share a batch; one batch
/// and its activations, of training or of validation.
std::uint64_t training_bytes(const TrainRequest& request, std::size_t width,
                             const MoleculeCounts& molecules) {
  constexpr std::size_t replicas = 16, copies = 5 + replicas;
  const std::size_t features = molecules.training * width;
  const std::size_t head = (width + request.hidden_dim) * request.hidden_dim;
  const std::size_t rows = 2 * std::max(request.batch_size, request.eval_batch_size);
  const std::size_t batch = std::min(rows, molecules.training) * (3 * width + 8 * request.hidden_dim);
  return (features + copies * head + batch) * sizeof(float);
}

EncodedBenchmark encode_benchmark(const TrainRequest& request, const datasets::OodBenchmark& benchmark,
                                  c10::Device device, MemorySession& memory,
                                  std::vector<FailedMolecule>& failed) {
  EncodingSession session({.encoder = request.encoder,
                           .store = request.store,
                           .weights = request.weights,
                           .features = request.features,
                           .strict = request.strict,
                           .for_a_head = true,
                           .compute = request.compute},
                          memory);
  PartEncoder encoder(session, request.splits_cache.empty() ? request.benchmark : request.splits_cache);
  encoder.add("train_id", benchmark.train_id);
  encoder.add("train_ood", benchmark.train_ood);
  encoder.add("val_id", benchmark.val_id);
  encoder.add("val_ood", benchmark.val_ood);
  const std::size_t width = session.encoder().width();
  const MoleculeCounts molecules{.training = benchmark.train_id.size() + benchmark.train_ood.size(),
                                 .validation = benchmark.val_id.size() + benchmark.val_ood.size()};
  session.set_later_bytes(feature_bytes(width, molecules) + training_bytes(request, width, molecules));
  const auto parts = encoder.encode(failed);
  return {{parts[0].to(device), parts[1].to(device), parts[2].to(device), parts[3].to(device)},
          encoder_identity(session.encoder()),
          width,
          session.oom_recoveries(),
          molecules};
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
  request.compute.precision = resolve_precision(given.compute);
  const ood::TrainingOptions options = ood::training_options(request);
  const c10::Device device = ops::parse_device(request.compute.device);
  ood::require_effect_on_device(options.frugality, device.is_cuda());
  const std::filesystem::path run = request.run;
  require_same_run(request, run);
  MemorySession memory(request.compute, device);
  TrainReport report;
  auto benchmark = benchmark_molecules(request, request.compute);
  refuse_if_strict(request.strict, benchmark.failed);
  report.failed = std::move(benchmark.failed);
  // Not sooner: what is refused leaves no folder behind.
  make_folder(run);
  const FolderLock lock(run);
  memory.keep_status(run);
  const EncodedBenchmark encoded = encode_benchmark(request, benchmark, device, memory, report.failed);

  const LogFile log((run / "training.log").string());
  const std::size_t threads = request.compute.threads > 0 ? request.compute.threads : available_processors();
  const ops::OperatorThreads operator_threads(static_cast<int>(threads));
  memory::Phase phase = memory.phases().begin("train");
  const std::uint64_t needed = training_bytes(request, encoded.feature_width, encoded.molecules);
  memory.require("training", device.is_cuda() ? 0 : needed, device.is_cuda() ? needed : 0);
  phase.set_planned(memory.projected_peak(needed, needed));
  memory.set_batch(fmt::format("2 x {} molecules", request.batch_size));
  const ood::TrainingResult result = ood::train_energy_head(
      encoded.data, options, run, {.after_epoch = {}, .after_step = {}, .phases = &memory.phases()});
  phase.end();
  report.oom_recoveries = encoded.oom_recoveries + result.oom_recoveries;
  report.batch_size_planned = result.batch_size_planned;
  report.batch_size_used = result.batch_size_used;
  ood::write_run_config(run, {request, encoded.encoder_identity, encoded.feature_width});
  ood::RunCost cost = memory.cost();
  cost.batch_size_planned = result.batch_size_planned;
  cost.batch_size_used = result.batch_size_used;
  cost.oom_recoveries = report.oom_recoveries;
  ood::write_training_stats(run, result, cost);

  report.epochs_run = result.epochs_run;
  report.best_epoch = result.best_epoch;
  report.best_auroc = result.best_auroc;
  report.stopped_early = result.stopped_early;
  report.resumed = result.resumed;
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace headroom::verbs
