#include "ood/run/trainer.h"

#include <optional>
#include <string>

#include "ood/run/head_model.h"
#include "torch/allocator_access.h"
#include "torch/operator_threads.h"
#include "train/trainer.h"

namespace headroom::ood {
namespace {

train::TrainerOptions trainer_options(const TrainingOptions& options, const HeadModel& model) {
  return {.epochs = options.epochs,
          .patience = options.patience,
          .early_stopping = options.early_stopping,
          .validation_steps = options.eval_steps,
          .resume = options.resume,
          .step = model.step_options()};
}

TrainingResult result_of(const train::Trainer& trainer, const HeadModel& model,
                         const TrainingOptions& options) {
  const train::TrainingState& state = trainer.state();
  const double seconds = trainer.seconds();
  const memory::RecoveryCounts memory = trainer.memory();
  const auto items = [](std::size_t rows) { return (rows + 1) / 2; };
  return {state.epoch,
          state.best_epoch,
          state.stopping.best,
          state.epoch < options.epochs,
          trainer.resumed(),
          seconds,
          seconds / static_cast<double>(state.epoch),
          model.progress().curve,
          memory.recoveries + model.recoveries(),
          items(memory.planned),
          items(memory.used)};
}

}  // namespace

TrainingResult train_energy_head(const TrainingData& data, const TrainingOptions& options,
                                 const std::filesystem::path& run, const TrainingHooks& hooks) {
  validate(options);
  const torch::OperatorThreads serial(1);
  memory::Workload preparing;
  preparing.name = "preparing the training";
  preparing.largest_contributor = [&](std::size_t) {
    return "the features of " + std::to_string(data.train_id.size(0) + data.train_ood.size(0)) +
           " training molecules";
  };
  std::optional<HeadModel> model;
  std::optional<train::Trainer> trainer;
  memory::Recovery recovery(preparing, torch::allocator_access(data.train_id.device()));
  recovery.insist("preparing the training", [&] {
    trainer.reset();
    validate(data);
    model.emplace(data, options, run, hooks, serial.former());
    trainer.emplace(*model, trainer_options(options, *model),
                    train::RunFolder{run, {resume_identity(options), data_identity(data)}});
  });
  trainer->run();
  TrainingResult result = result_of(*trainer, *model, options);
  result.oom_recoveries += recovery.counts().recoveries;
  return result;
}

}  // namespace headroom::ood
