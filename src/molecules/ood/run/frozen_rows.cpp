#include "molecules/ood/run/frozen_rows.h"

#include <optional>

#include "base/numerics/torch/uploads.h"
#include "molecules/ood/head/head_pass.h"

namespace molgauge::ood {
namespace {

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

}  // namespace

FrozenRows::FrozenRows(const TrainingData& data)
    : data_(data), training_(at::cat({data.train_id, data.train_ood})) {}

std::unique_ptr<RowBatch> FrozenRows::gather(std::vector<std::int64_t> rows, at::Generator&) const {
  const at::Tensor index = at::from_blob(rows.data(), {static_cast<std::int64_t>(rows.size())}, at::kLong);
  return std::make_unique<FrozenBatch>(training_.index_select(0, torch::moved(index, training_.device())));
}

}  // namespace molgauge::ood
