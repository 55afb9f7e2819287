#include "base/numerics/torch/operators.h"

#include <ATen/ATen.h>

namespace molgauge::torch {

at::Tensor Operators::zeros(std::int64_t rows, std::int64_t width, const Tensor& like) {
  return at::zeros({rows, width}, like.options());
}
at::Tensor Operators::add(const Tensor& a, const Tensor& b) { return a + b; }
at::Tensor Operators::scale(const Tensor& x, double factor) { return factor * x; }
at::Tensor Operators::join_columns(const Tensor& a, const Tensor& b) { return at::cat({a, b}, 1); }
at::Tensor Operators::pair_up(const Tensor& a, const Tensor& b) { return at::stack({a, b}, 2); }
at::Tensor Operators::mean_over_second(const Tensor& x) { return x.mean(1); }
at::Tensor Operators::select_rows(const Tensor& table, const Tensor& numbers) {
  return table.index_select(0, numbers);
}

}  // namespace molgauge::torch
