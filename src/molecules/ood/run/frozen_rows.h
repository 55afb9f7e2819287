#pragma once

#include "molecules/ood/run/training_data.h"
#include "molecules/ood/run/training_rows.h"

namespace molgauge::ood {

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

}  // namespace molgauge::ood
