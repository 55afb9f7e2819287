#include "molecules/ood/run/tuned_rows.h"

#include "base/core/error.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/encoders/tuned_tensors.h"

namespace molgauge::ood {
namespace {

class TunedBatch final : public RowBatch {
 public:
  TunedBatch(const encoders::TrainableEncoder& encoder, std::vector<std::int64_t> molecules, at::Tensor keys)
      : encoder_(encoder), molecules_(std::move(molecules)), keys_(std::move(keys)) {}

  at::Device device() const override { return encoder_.device(); }
  at::Tensor forward(const EnergyHead& head, const DropoutMasks& masks,
                     const train::PassPlan& plan) override {
    pass_.reset();
    pass_ = std::make_unique<train::ShardedPass>(tuned_pass(head, encoder_, molecules_, keys_, masks, plan));
    return pass_->outputs();
  }
  void backward(const at::Tensor& gradient) override { pass_->backward(gradient); }

 private:
  const encoders::TrainableEncoder& encoder_;
  std::vector<std::int64_t> molecules_;
  at::Tensor keys_;
  std::unique_ptr<train::ShardedPass> pass_;
};

std::string name_in_files(const encoders::TrainableEncoder::Parameter& parameter) {
  return encoders::kTunedPrefix + parameter.name;
}

/// Computes the features of molecules with matrix products in `precision`. The head chooses its own
/// precision.
at::Tensor rows_of(const encoders::TrainableEncoder& encoder, const std::vector<at::Tensor>& trained,
                   std::span<const std::int64_t> molecules, const at::Tensor& keys,
                   at::ScalarType precision) {
  const torch::Autocast autocast(encoder.device(), precision);
  return encoder.rows(trained, molecules, keys).to(at::kFloat);
}

}  // namespace

TunedRows::TunedRows(const encoders::TrainableEncoder& encoder, const TuningMolecules& molecules,
                     std::string identity)
    : encoder_(encoder), molecules_(molecules), identity_(std::move(identity)) {
  const std::pair<const char*, const std::vector<std::int64_t>*> parts[] = {
      {"train_id", &molecules.train_id},
      {"train_ood", &molecules.train_ood},
      {"val_id", &molecules.val_id},
      {"val_ood", &molecules.val_ood}};
  for (const auto& [name, part] : parts) {
    if (part->empty()) {
      throw InputError(std::string(name) +
                       ": no molecules. Training needs at least one ID and one OOD molecule each for "
                       "training and validation");
    }
  }
}

std::vector<train::ParameterGroup> TunedRows::groups(const TrainingOptions& options) const {
  train::ParameterGroup group{.name = "encoder",
                              .parameters = {},
                              .options = {.learning_rate = options.encoder_lr,
                                          .weight_decay = options.weight_decay,
                                          .schedule = train::falling_rate()}};
  for (const encoders::TrainableEncoder::Parameter& parameter : encoder_.parameters()) {
    group.parameters.push_back({name_in_files(parameter), parameter.value});
  }
  return {group};
}

void TunedRows::add_to_best(io::TensorMap& tensors) const {
  for (const encoders::TrainableEncoder::Parameter& parameter : encoder_.parameters()) {
    tensors[name_in_files(parameter)] = torch::to_file(parameter.value);
  }
}

std::unique_ptr<RowBatch> TunedRows::gather(std::vector<std::int64_t> rows, at::Generator& random) const {
  const auto count = static_cast<std::int64_t>(rows.size());
  // The generator is on the device, the keys are on the CPU.
  const at::Tensor keys =
      at::empty({count}, at::TensorOptions(device()).dtype(at::kLong)).random_(random).cpu();
  const auto id_rows = static_cast<std::int64_t>(molecules_.train_id.size());
  for (std::int64_t& row : rows) {
    row = row < id_rows ? molecules_.train_id[static_cast<std::size_t>(row)]
                        : molecules_.train_ood[static_cast<std::size_t>(row - id_rows)];
  }
  return std::make_unique<TunedBatch>(encoder_, std::move(rows), keys);
}

std::pair<at::Tensor, at::Tensor> TunedRows::validation(std::size_t threads) const {
  return {encoder_.features(molecules_.val_id, threads), encoder_.features(molecules_.val_ood, threads)};
}

train::ShardedPass tuned_pass(const EnergyHead& head, const encoders::TrainableEncoder& encoder,
                              std::vector<std::int64_t> molecules, const at::Tensor& keys,
                              const DropoutMasks& masks, const train::PassPlan& plan) {
  std::vector<train::Parameter> parameters = head.parameters();
  const std::size_t of_head = parameters.size();
  for (const encoders::TrainableEncoder::Parameter& parameter : encoder.parameters()) {
    parameters.push_back({name_in_files(parameter), parameter.value});
  }
  const auto count = static_cast<std::int64_t>(molecules.size());
  return {std::move(parameters), count, encoder.device(),
          [&encoder, of_head, molecules = std::move(molecules), keys, masks, precision = plan.precision](
              const std::vector<train::Parameter>& own, const train::RowRange& rows) {
            const auto split = own.begin() + static_cast<std::ptrdiff_t>(of_head);
            std::vector<at::Tensor> trained;
            for (auto parameter = split; parameter != own.end(); ++parameter) {
              trained.push_back(parameter->value);
            }
            const auto some = std::span<const std::int64_t>(molecules).subspan(
                static_cast<std::size_t>(rows.first), static_cast<std::size_t>(rows.last - rows.first));
            return head_energies({own.begin(), split},
                                 rows_of(encoder, trained, some, rows.of(keys), precision),
                                 {rows.of(masks.first), rows.of(masks.second)}, precision);
          },
          plan};
}

void restore_tuned(encoders::TrainableEncoder& encoder, const io::TensorMap& tensors,
                   const std::string& file) {
  std::vector<at::Tensor> numbers;
  for (const encoders::TrainableEncoder::Parameter& parameter : encoder.parameters()) {
    numbers.push_back(torch::take_tensor(tensors, name_in_files(parameter), parameter.value.sizes(), file));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    encoder.set_numbers(i, numbers[i]);
  }
}

}  // namespace molgauge::ood
