#include "molecules/ood/run/trainer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/uploads.h"
#include "base/train/trainer.h"
#include "molecules/ood/head/head_pass.h"
#include "molecules/ood/run/head_model.h"
#include "molecules/ood/run/training_data.h"
#include "molecules/ood/run/training_rows.h"

namespace molgauge::ood {
namespace {

/// Features that do not change during the training.
class FrozenRows final : public TrainingRows {
 public:
  /// `data` must outlive the object.
  explicit FrozenRows(const TrainingData& data);

  std::int64_t width() const override { return data_.train_id.size(1); }
  at::Device device() const override { return data_.train_id.device(); }
  std::size_t id_rows() const override { return static_cast<std::size_t>(data_.train_id.size(0)); }
  std::size_t ood_rows() const override { return static_cast<std::size_t>(data_.train_ood.size(0)); }
  std::string identity() const override { return data_identity(data_); }
  std::unique_ptr<RowBatch> gather(std::vector<std::int64_t> rows, at::Generator& random) const override;
  std::pair<at::Tensor, at::Tensor> validation(std::size_t /*threads*/) const override {
    return {data_.val_id, data_.val_ood};
  }

 private:
  const TrainingData& data_;
  at::Tensor training_;  ///< [n + m, width], ID first
};

class FrozenBatch final : public RowBatch {
 public:
  explicit FrozenBatch(at::Tensor features) : features_(std::move(features)) {}

  at::Device device() const override { return features_.device(); }
  at::Tensor forward(const EnergyHead& head, const DropoutMasks& masks,
                     const train::PassPlan& plan) override {
    pass_.reset();
    pass_.emplace(head, features_, masks, plan);
    return pass_->energies();
  }
  void backward(const at::Tensor& gradient) override { pass_->backward(gradient); }

 private:
  at::Tensor features_;
  std::optional<HeadPass> pass_;
};

FrozenRows::FrozenRows(const TrainingData& data)
    : data_(data), training_(at::cat({data.train_id, data.train_ood})) {}

std::unique_ptr<RowBatch> FrozenRows::gather(std::vector<std::int64_t> rows, at::Generator&) const {
  const at::Tensor index = at::from_blob(rows.data(), {static_cast<std::int64_t>(rows.size())}, at::kLong);
  return std::make_unique<FrozenBatch>(training_.index_select(0, torch::moved(index, training_.device())));
}

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

/// Trains on the rows that `make_rows` returns. If memory runs out, `make_rows` is called again.
TrainingResult train_on(const std::function<std::unique_ptr<TrainingRows>()>& make_rows, at::Device device,
                        const memory::Workload& preparing, const TrainingOptions& options,
                        const std::filesystem::path& run, const TrainingHooks& hooks) {
  validate(options);
  const torch::OperatorThreads serial(1);
  std::unique_ptr<TrainingRows> rows;
  std::optional<HeadModel> model;
  std::optional<train::Trainer> trainer;
  memory::Recovery recovery(preparing, torch::allocator_access(device));
  recovery.retry_until_fits("preparing the training", [&] {
    trainer.reset();
    model.reset();
    rows = make_rows();
    model.emplace(*rows, options, run, hooks, serial.former());
    trainer.emplace(*model, trainer_options(options, *model),
                    train::RunFolder{run, {resume_identity(options), rows->identity()}});
  });
  trainer->run();
  TrainingResult result = result_of(*trainer, *model, options);
  result.oom_recoveries += recovery.counts().recoveries;
  return result;
}

memory::Workload preparation(const std::function<std::size_t()>& molecules) {
  memory::Workload preparing;
  preparing.name = "preparing the training";
  preparing.largest_contributor = [=](std::size_t) {
    return "the features of " + std::to_string(molecules()) + " training molecules";
  };
  return preparing;
}

}  // namespace

TrainingResult train_energy_head(const TrainingData& data, const TrainingOptions& options,
                                 const std::filesystem::path& run, const TrainingHooks& hooks) {
  const auto make_rows = [&] {
    validate(data);
    return std::make_unique<FrozenRows>(data);
  };
  const auto molecules = [&] {
    return static_cast<std::size_t>(data.train_id.size(0) + data.train_ood.size(0));
  };
  return train_on(make_rows, data.train_id.device(), preparation(molecules), options, run, hooks);
}

TrainingResult train_with_encoder(const encoders::TrainableEncoder& encoder, const TuningMolecules& molecules,
                                  const std::string& identity, const TrainingOptions& options,
                                  const std::filesystem::path& run, const TrainingHooks& hooks) {
  const auto make_rows = [&] { return std::make_unique<TunedRows>(encoder, molecules, identity); };
  const auto count = [&] { return molecules.train_id.size() + molecules.train_ood.size(); };
  const torch::DeterministicSums in_order(encoder.device());
  return train_on(make_rows, encoder.device(), preparation(count), options, run, hooks);
}

}  // namespace molgauge::ood
