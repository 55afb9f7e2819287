#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::train {

struct AdamOptions {
  double learning_rate = 0.01;
  double weight_decay = 5e-4;  ///< added to the gradient (L2), not decoupled
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

/// Adam (Kingma and Ba 2015, arXiv:1412.6980) over one array of parameters, as torch.optim.Adam has it.
class Adam {
 public:
  Adam(std::size_t count, const AdamOptions& options)
      : options_(options), mean_(count), square_mean_(count) {}

  /// Both of the size this was made for.
  void step(std::span<float> parameters, std::span<const float> gradient);

 private:
  AdamOptions options_;
  std::vector<float> mean_, square_mean_;
  std::size_t steps_ = 0;
};

}  // namespace headroom::train
