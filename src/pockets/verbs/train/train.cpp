// `molgauge pocket train`: graph set and rows of ligands -> run folder.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/core/text/counted.h"
#include "base/core/text/csv.h"
#include "base/memory/plan/planner.h"
#include "base/memory/plan/run_cost.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/options/identity.h"
#include "base/options/tables.h"
#include "base/runtime/budget_scope.h"
#include "base/runtime/run_log.h"
#include "base/train/collectives/launch.h"
#include "base/train/collectives/process_group.h"
#include "pockets/training/request_options.h"
#include "pockets/training/run_files.h"
#include "pockets/training/trainer.h"
#include "pockets/verbs/pocket_rows.h"
#include "pockets/verbs/pocket_torch.h"
#include "pockets/verbs/train/pocket_training.h"

namespace molgauge::verbs {
namespace {

constexpr std::size_t kLeftOutLogged = 20;
/// Percentage of the free memory that all processes on a machine together may use if they have no budget.
constexpr double kPercentOfFreeMemory = 90;

void keep_left_out(const std::vector<pocket::LeftOut>& left_out, const std::filesystem::path& run) {
  std::string table = "pocket,reason\n";
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    table += csv_field(left_out[i].name) + "," + csv_field(left_out[i].reason) + "\n";
    if (i < kLeftOutLogged) {
      log_warning("{}: {}", left_out[i].name, left_out[i].reason);
    }
  }
  if (left_out.size() > kLeftOutLogged) {
    log_warning("{} more are left out. pockets_left_out.csv lists all", left_out.size() - kLeftOutLogged);
  }
  if (left_out.empty()) {
    std::filesystem::remove(run / "pockets_left_out.csv");
  } else {
    replace_file(run / "pockets_left_out.csv", table);
  }
}

/// If several processes run on one machine, each process gets a share of the processors and of the free
/// memory.
ComputeOptions share_of_machine(ComputeOptions compute, const train::Launch& launch) {
  if (launch.local_processes > 1 && compute.threads == 0) {
    compute.threads = std::max<std::size_t>(1, runtime::threads_of(compute) / launch.local_processes);
  }
  if (launch.local_processes > 1 && compute.memory_budget.empty()) {
    compute.memory_budget =
        fmt::format("{:.1f}%", kPercentOfFreeMemory / static_cast<double>(launch.local_processes));
  }
  // With --device cuda, each process has its own GPU.
  if (launch.local_processes > 1 && compute.device == "cuda") {
    compute.device = fmt::format("cuda:{}", launch.local_rank);
  }
  return compute;
}

void describe(const PocketTrainRequest& request, const PocketTraining& training) {
  pocket::write_config(request.run, {request, training.ligands().width, training.data().normalization});
  pocket::write_split(std::filesystem::path(request.run) / pocket::kSplitFile, training.selected().split);
}

PocketTrainReport report_of(const PocketTraining& training, const pocket::TrainingResult& result) {
  PocketTrainReport report;
  report.train = training.selected().train.size();
  report.validation = training.selected().validation.size();
  report.test = training.selected().split.test.size();
  report.left_out = training.selected().left_out.size();
  report.epochs_run = result.epochs_run;
  report.best_epoch = result.best_epoch;
  report.best_validation_loss = result.best_validation_loss;
  report.best_validation_cosine = result.history.at(result.best_epoch).validation_cosine;
  report.stopped_early = result.stopped_early;
  report.resumed = result.resumed;
  report.oom_recoveries = result.oom_recoveries;
  report.seconds = result.seconds;
  return report;
}

/// Writes training_stats.json. The file has the times and the memory of the training, for `molgauge report`
/// and `molgauge memory report`.
void write_stats(const std::filesystem::path& run, const pocket::TrainingResult& result, memory::RunCost cost,
                 const MemoryPlan& plan) {
  cost.batch_size_planned = result.pockets_planned;
  cost.batch_size_used = result.pockets_used;
  cost.oom_recoveries = result.oom_recoveries;
  cost.plans = {plan};
  nlohmann::ordered_json fields;
  fields["train_time_seconds"] = result.seconds;
  fields["avg_epoch_time_seconds"] =
      result.seconds / static_cast<double>(std::max<std::size_t>(1, result.epochs_run));
  fields["epochs_run"] = result.epochs_run;
  fields["best_epoch"] = result.best_epoch;
  fields["best_validation_loss"] = result.best_validation_loss;
  fields["stopped_early"] = result.stopped_early;
  memory::add_cost(fields, cost);
  replace_file(run / "training_stats.json", json_text(fields));
}

/// Trains in one process of `group`, or alone if `group` is null. Only the first process of a group writes
/// files.
PocketTrainReport train(const PocketTrainRequest& request, runtime::RunLog& log, train::ProcessGroup* group) {
  const bool writes = group == nullptr || group->is_first();
  const Device device = parse_pocket_device(request.compute.device);
  runtime::BudgetScope memory(request.compute, device);
  const std::size_t threads = runtime::threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  PocketTraining training(request, group != nullptr ? group->size() : 1);
  const MemoryPlan& plan = training.plan(memory, threads);
  memory::Phase phase = memory.phases().begin("train");
  const std::uint64_t needed = memory::remaining_bytes(plan, 0);
  memory.require({});
  memory::require_fit(plan);
  phase.set_planned(device.is_gpu() ? memory.projected_peak(0, needed) : memory.projected_peak(needed, 0));

  // The folder is not created earlier, because a refused request must not create files.
  const std::filesystem::path run = request.run;
  std::optional<FolderLock> lock;
  if (writes) {
    make_folder(run);
    lock.emplace(run);
    log.open(run / "training.log");
    memory.keep_status(run);
    memory.set_batch(fmt::format("{} pockets", plan.effective_batch));
    keep_left_out(training.selected().left_out, run);
    log_info("{} for training, {} for validation, {} for test, {} features",
             counted(training.selected().train.size(), "pocket"), training.selected().validation.size(),
             training.selected().split.test.size(), training.ligands().width);
    if (device.is_gpu()) {
      log_info("passes run on {}", device.text());
    }
    if (group != nullptr) {
      log_info("{} processes train together", group->size());
    }
    if (!request.resume || !std::filesystem::exists(run / pocket::kConfigFile)) {
      describe(request, training);
    }
  }
  const std::string identity = options::identity_as_json(options::view(request), options::Part::training);
  const pocket::TrainingResult result =
      pocket::train_encoder(training.data(), training.options(), identity, run, &memory.phases(), group);
  phase.end();
  PocketTrainReport report = report_of(training, result);
  report.phases = memory.phases().reports();
  if (writes) {
    describe(request, training);
    write_stats(run, result, memory.cost(), plan);
  }
  return report;
}

PocketTrainReport train_in_group(PocketTrainRequest request, runtime::RunLog& log,
                                 const train::Launch& launch) {
  request.compute = share_of_machine(request.compute, launch);
  train::ProcessGroup group(launch, static_cast<double>(request.process_timeout));
  try {
    PocketTrainReport report = train(request, log, &group);
    report.rank = launch.rank;
    report.processes = launch.processes;
    return report;
  } catch (const std::exception& problem) {
    group.leave(problem);
    throw;
  }
}

}  // namespace

PocketTrainReport train_pockets(const PocketTrainRequest& request) {
  runtime::RunLog log;
  return log.keep_error_of([&] {
    pocket::training_options(request, 1);  // refuses wrong options before any file is read
    const auto launch = train::launch_of_environment();
    return launch ? train_in_group(request, log, *launch) : train(request, log, nullptr);
  });
}

}  // namespace molgauge::verbs
