#include "base/numerics/torch/harmonics_by_operators.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <ATen/ATen.h>

namespace molgauge::torch {
namespace {

constexpr int kMax = 3;
constexpr double kLeastLength = 1e-12;

}  // namespace

at::Tensor harmonics_by_operators(const at::Tensor& vectors, int most) {
  if (most > kMax) {
    throw std::invalid_argument("harmonics on a GPU go up to degree 3");
  }
  const at::Tensor unit = vectors / at::norm(vectors, 2, {1}, /*keepdim=*/true).clamp_min(kLeastLength);
  const at::Tensor x = unit.select(1, 0), y = unit.select(1, 1), z = unit.select(1, 2);
  // Uses the formulas of base/numerics/ops/equivariant/harmonics.h for a unit vector. The polar axis is y.
  std::vector<at::Tensor> made = {at::ones_like(x)};
  if (most >= 1) {
    for (const at::Tensor& coordinate : {x, y, z}) {
      made.push_back(std::sqrt(3.0) * coordinate);
    }
  }
  const at::Tensor across = x * x + z * z;
  if (most >= 2) {
    made.push_back(std::sqrt(15.0) * x * z);
    made.push_back(std::sqrt(15.0) * x * y);
    made.push_back(std::sqrt(5.0) * (y * y - across / 2));
    made.push_back(std::sqrt(15.0) * y * z);
    made.push_back(std::sqrt(15.0) / 2 * (z * z - x * x));
  }
  if (most >= 3) {
    made.push_back(std::sqrt(70.0) / 4 * x * (3 * z * z - x * x));
    made.push_back(std::sqrt(105.0) * x * y * z);
    made.push_back(std::sqrt(42.0) / 4 * x * (4 * y * y - across));
    made.push_back(std::sqrt(7.0) / 2 * y * (2 * y * y - 3 * across));
    made.push_back(std::sqrt(42.0) / 4 * z * (4 * y * y - across));
    made.push_back(std::sqrt(105.0) / 2 * y * (z * z - x * x));
    made.push_back(std::sqrt(70.0) / 4 * z * (z * z - 3 * x * x));
  }
  return at::stack(made, 1);
}

}  // namespace molgauge::torch
