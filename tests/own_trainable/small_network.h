#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/train/adamw.h"
#include "base/train/model.h"

namespace molgauge::test {

/// Rows [n, width] and their targets [n].
struct Measured {
  at::Tensor rows, values;
};

/// Reproducible values that a small network can learn.
Measured made_up_measurements(std::int64_t rows);

/// The smallest trainable model: value = w . tanh(A x). It has two groups of parameters and is trained by
/// least squares with dropout. It defines only its parameters, batches and score.
class SmallNetwork final : public train::Model {
 public:
  /// `frozen`: whether the first layer is frozen. Otherwise it learns at a tenth of the rate of the second
  /// layer. `run`: the folder of best.safetensors, or none.
  SmallNetwork(Measured training, Measured validation, bool frozen = false,
               std::optional<std::filesystem::path> run = {});

  const train::Parameters& parameters() const override { return parameters_; }
  train::Optimizer& optimizer() override { return optimizer_; }
  std::size_t batches() const override { return 2; }
  std::int64_t rows(std::size_t /*batch*/) const override { return training_.rows.size(0) / 2; }
  std::unique_ptr<train::Batch> draw(std::size_t batch) override;
  /// Minus the mean squared error.
  double validate() override;
  void keep_best() override;

  void save(train::Checkpoint& checkpoint) const override;
  void restore(const train::Checkpoint& checkpoint, const std::string& file) override;
  void write_best() override;

  /// Makes a synthetic batch, for plans.
  std::unique_ptr<train::Batch> made_up_batch(std::int64_t rows);

 private:
  Measured training_, validation_;
  at::Tensor first_, second_;
  train::Parameters parameters_;
  train::AdamW optimizer_;
  at::Generator dropout_;
  std::optional<std::filesystem::path> run_;
  io::TensorMap best_;
};

}  // namespace molgauge::test
