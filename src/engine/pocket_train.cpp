// `headroom pocket train`: graph set and rows of ligands -> run folder.

#include <filesystem>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/csv.h"
#include "core/error.h"
#include "core/folder_lock.h"
#include "core/log.h"
#include "engine/torch_verbs.h"
#include "memory/plan/planner.h"
#include "options/identity.h"
#include "options/tables.h"
#include "pocket/training/plan.h"
#include "pocket/training/request_options.h"
#include "pocket/training/run_files.h"
#include "pocket/training/selection.h"
#include "pocket/training/trainer.h"
#include "session/memory_session.h"
#include "session/run_log.h"
#include "session/training/training_session.h"
#include "torch/cpu_tensor_memory.h"
#include "torch/operator_threads.h"

namespace headroom::verbs {
namespace {

constexpr std::size_t kLeftOutLogged = 20;

void require_cpu(const std::string& device) {
  if (device != "auto" && device != "cpu") {
    throw UsageError(
        fmt::format("--device {}: pocket encoders are trained on the CPU; leave it out", device));
  }
}

void keep_left_out(const std::vector<pocket::LeftOut>& left_out, const std::filesystem::path& run) {
  std::string table = "pocket,reason\n";
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    table += csv_field(left_out[i].name) + "," + csv_field(left_out[i].reason) + "\n";
    if (i < kLeftOutLogged) {
      log_warning("{}: {}", left_out[i].name, left_out[i].reason);
    }
  }
  if (left_out.size() > kLeftOutLogged) {
    log_warning("{} more are left out; pockets_left_out.csv lists all", left_out.size() - kLeftOutLogged);
  }
  if (left_out.empty()) {
    std::filesystem::remove(run / "pockets_left_out.csv");
  } else {
    replace_file(run / "pockets_left_out.csv", table);
  }
}

PocketTrainReport train(const PocketTrainRequest& request, session::RunLog& log) {
  pocket::training_options(request, 1);  // refuses wrong options before any file is read
  require_cpu(request.compute.device);
  session::MemorySession memory(request.compute, Device{});
  const pocket::GraphSet graphs = pocket::GraphSet::open(request.graphs);
  const io::KeyedRows rows = io::read_keyed_rows(request.ligands);
  pocket::TrainingOptions options = pocket::training_options(request, rows.width);
  const pocket::SelectedPockets selected = pocket::select_pockets(request, graphs, rows);
  const pocket::TrainingData data{&graphs, graphs.normalization(), &rows, selected.train,
                                  selected.validation};
  // Not earlier, because a refused request must not leave a folder behind.
  const std::filesystem::path run = request.run;
  make_folder(run);
  const FolderLock lock(run);
  log.open(run / "training.log");
  memory.keep_status(run);
  keep_left_out(selected.left_out, run);
  log_info("{} to train on, {} for validation, {} for test; rows of {} numbers",
           counted(selected.train.size(), "pocket"), selected.validation.size(), selected.split.test.size(),
           rows.width);

  const std::size_t threads = session::threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  pocket::TrainingPlan plan;
  {
    const std::uint64_t room = memory.room().host;
    const std::uint64_t living = torch::cpu_tensor_memory().allocated_bytes();
    const session::PlanningScope planning;
    plan = pocket::plan_training(data, options, threads, room + living);
  }
  memory::Phase phase = memory.phases().begin("train");
  const std::uint64_t needed = session::bytes_to_come(plan.report, 0);
  memory.require({.what = "training a pocket encoder", .host_bytes = needed});
  memory::require_fit(plan.report);
  options.way = plan.way;
  phase.set_planned(memory.projected_peak(needed, 0));
  memory.set_batch(fmt::format("{} pockets", plan.report.effective_batch));
  if (!request.resume || !std::filesystem::exists(run / pocket::kConfigFile)) {
    pocket::write_config(run, {request, rows.width, graphs.normalization()});
    pocket::write_split(run / pocket::kSplitFile, selected.split);
  }
  const PocketTrainRequest defaults;
  const std::string identity =
      options::identity_as_json(options::view(request), options::view(defaults), options::Part::training);
  const pocket::TrainingResult result = pocket::train_encoder(data, options, identity, run, &memory.phases());
  phase.end();
  pocket::write_config(run, {request, rows.width, graphs.normalization()});
  pocket::write_split(run / pocket::kSplitFile, selected.split);

  PocketTrainReport report;
  report.train = selected.train.size();
  report.validation = selected.validation.size();
  report.test = selected.split.test.size();
  report.left_out = selected.left_out.size();
  report.epochs_run = result.epochs_run;
  report.best_epoch = result.best_epoch;
  report.best_validation_loss = result.best_validation_loss;
  report.best_validation_cosine = result.history.at(result.best_epoch).validation_cosine;
  report.stopped_early = result.stopped_early;
  report.resumed = result.resumed;
  report.oom_recoveries = result.oom_recoveries;
  report.seconds = result.seconds;
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace

PocketTrainReport train_pockets(const PocketTrainRequest& request) {
  session::RunLog log;
  return log.keep_error_of([&] { return train(request, log); });
}

}  // namespace headroom::verbs
