#include "molecules/baselines/detectors/ledoit_wolf.h"

#include <algorithm>

#include "base/core/error.h"
#include "base/numerics/torch/operator_threads.h"

namespace molgauge::baselines {
namespace {

constexpr std::int64_t kRowsAtATime = 2048;

struct Moments {
  at::Tensor product;         ///< X'X
  double fourth_moments = 0;  ///< sum over the rows of |x|^4
};

Moments moments_of(const at::Tensor& rows) {
  Moments moments{at::zeros({rows.size(1), rows.size(1)}, at::kDouble)};
  for (std::int64_t first = 0; first < rows.size(0); first += kRowsAtATime) {
    const at::Tensor block =
        rows.narrow(0, first, std::min(kRowsAtATime, rows.size(0) - first)).to(at::kDouble);
    moments.product.addmm_(block.t(), block);
    moments.fourth_moments += block.square().sum(1).square_().sum().item<double>();
  }
  return moments;
}

}  // namespace

ShrunkCovariance ledoit_wolf(const at::Tensor& centred) {
  if (centred.dim() != 2 || centred.size(0) == 0) {
    throw InputError("a covariance needs at least one molecule");
  }
  const torch::OperatorThreads serial(1);
  const auto n = static_cast<double>(centred.size(0)), p = static_cast<double>(centred.size(1));
  const Moments moments = moments_of(centred);
  at::Tensor covariance = moments.product / n;
  const auto trace = covariance.trace().item<double>();
  const double mu = trace / p;
  const auto squares = covariance.square().sum().item<double>();
  const double delta = (squares - 2 * mu * trace + p * mu * mu) / p;
  const double beta = std::min((moments.fourth_moments / n - squares) / (n * p), delta);
  ShrunkCovariance result;
  result.mean_variance = mu;
  result.shrinkage = delta > 0 ? beta / delta : 0;
  result.covariance = covariance.mul_(1 - result.shrinkage);
  result.covariance.diagonal().add_(result.shrinkage * mu);
  return result;
}

}  // namespace molgauge::baselines
