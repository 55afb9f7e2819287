#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/train/optimizer.h"
#include "base/train/parameters.h"

namespace molgauge::train {

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

/// Adam (Kingma and Ba 2015, arXiv:1412.6980) as in torch.optim.Adam. The weight decay of a group is added to
/// the gradient (L2), not decoupled. Parameters must be contiguous and on the CPU. If the parameters of a
/// group are views of one array, they are updated in one loop. Their gradients must then be contiguous as
/// well.
class Adam final : public Optimizer {
 public:
  Adam(Parameters parameters, const AdamOptions& options);

  void step(const Clock& clock) override;
  std::int64_t steps() const { return steps_; }
  std::uint64_t state_bytes() const override;
  void save(io::TensorMap& tensors) const override;
  void restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source) override;

 private:
  Parameters parameters_;
  AdamOptions options_;
  std::vector<float> mean_, square_mean_;  ///< moments of all trained parameters, in their order
  std::int64_t steps_ = 0;
};

}  // namespace molgauge::train
