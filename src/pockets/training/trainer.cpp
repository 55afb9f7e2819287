#include "pockets/training/trainer.h"

#include <optional>
#include <string>

#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/train/trainer.h"
#include "pockets/training/model.h"

namespace molgauge::pocket {
namespace {

constexpr const char* kValidationRule = "\nvalidation: all ligands of the part";

memory::Workload preparation() {
  memory::Workload preparing;
  preparing.name = "preparing the training";
  preparing.largest_contributor = [](std::size_t) { return "the encoder's parameters and their moments"; };
  return preparing;
}

}  // namespace

TrainingResult train_encoder(const TrainingData& data, const TrainingOptions& options,
                             const std::string& options_identity, const std::filesystem::path& run,
                             memory::PhaseRecorder* phases, train::ProcessGroup* group) {
  const c10::Device device = torch::to_c10(options.device);
  const torch::OperatorThreads serial(1);
  const torch::DeterministicSums in_order(device);
  const train::TrainingIdentity identity{options_identity + kValidationRule, data.identity()};
  std::optional<train::RunFolder> folder;
  if (group == nullptr || group->is_first()) {
    folder = {run, identity, options.save_every};
  }
  if (group != nullptr) {
    train::require_same(*group, identity.options, "options");
    train::require_same(*group, identity.data, "pockets or ligands");
    train::require_same(*group, std::to_string(options.epochs) + " and " + std::to_string(options.patience),
                        "--epochs and --patience");
  }
  std::optional<PocketModel> model;
  std::optional<train::Trainer> trainer;
  memory::Recovery recovery(preparation(), torch::allocator_access(device));
  recovery.retry_until_fits("preparing the training", [&] {
    trainer.reset();
    model.reset();
    model.emplace(data, options, run, phases, serial.former(), group);
    trainer.emplace(*model,
                    train::TrainerOptions{.epochs = options.epochs,
                                          .patience = options.patience,
                                          .early_stopping = EarlyStoppingRule::plain,
                                          .validation_steps = 0,
                                          .resume = options.resume,
                                          .step = model->step_options(),
                                          .processes = group},
                    folder);
  });
  trainer->run();
  const train::TrainingState& state = trainer->state();
  const memory::RecoveryCounts memory = trainer->memory();
  return {.epochs_run = state.epoch,
          .best_epoch = state.best_epoch,
          .best_validation_loss = -state.stopping.best,
          .stopped_early = state.epoch < options.epochs,
          .resumed = trainer->resumed(),
          .seconds = trainer->seconds(),
          .history = model->history(),
          .oom_recoveries = memory.recoveries + recovery.counts().recoveries,
          .pockets_planned = memory.planned,
          .pockets_used = memory.used};
}

}  // namespace molgauge::pocket
