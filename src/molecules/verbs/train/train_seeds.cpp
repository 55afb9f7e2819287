#include "molecules/verbs/train/train_seeds.h"

#include <limits>
#include <span>
#include <utility>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/files/folder_lock.h"
#include "base/core/session/log.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/seeds.h"
#include "molecules/ood/run/validation_scores.h"
#include "molecules/verbs/torch_verbs.h"

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

}  // namespace

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

}  // namespace molgauge::verbs
