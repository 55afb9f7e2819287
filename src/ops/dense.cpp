#include "ops/dense.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>

#include "ops/cpu/instruction_level.h"
#include "ops/kernel_choice.h"
#include "ops/row_blocks.h"
#include "ops/torch_compatibility.h"

namespace headroom::ops {
namespace {

bool can_be_packed(const at::Tensor& weight) {
  return weight.defined() && weight.is_cpu() && weight.scalar_type() == at::kFloat && !weight.requires_grad();
}

}  // namespace

Dense::Dense(Linear linear, Activation activation, Precision precision)
    : linear_(std::move(linear)), activation_(activation) {
  prepare(precision);
}

Dense::Dense(Linear linear, LayerNorm normalization, Activation activation, Precision precision)
    : linear_(std::move(linear)), normalization_(std::move(normalization)), activation_(activation) {
  prepare(precision);
}

void Dense::prepare(Precision precision) {
  if (can_be_packed(linear_.weight)) {
    pack(precision);
  } else if (precision == Precision::bf16 && linear_.weight.defined() && linear_.weight.is_cuda()) {
    rounded_ = {linear_.weight.to(at::kBFloat16), linear_.bias};
    linear_ = {};
  }
}

void Dense::pack(Precision precision) {
  const at::Tensor weight = linear_.weight.contiguous(), bias = linear_.bias.contiguous();
  cpu::PlainLayer plain{.in = weight.size(1),
                        .out = weight.size(0),
                        .weight = read_numbers<float>(weight),
                        .bias = read_numbers<float>(bias),
                        .norm_weight = nullptr,
                        .norm_bias = nullptr,
                        .activation = activation_};
  at::Tensor norm_weight, norm_bias;
  if (normalization_) {
    norm_weight = normalization_->weight.contiguous();
    norm_bias = normalization_->bias.contiguous();
    plain.norm_weight = read_numbers<float>(norm_weight);
    plain.norm_bias = read_numbers<float>(norm_bias);
  }
  packed_ = std::make_shared<const cpu::PackedLayer>(plain, precision, cpu::kernels());
}

at::Tensor Dense::product(const at::Tensor& x) const {
  return rounded_ ? apply(*rounded_, x) : apply(linear_, x);
}

at::Tensor Dense::reference(const at::Tensor& x) const {
  at::Tensor y = product(x);
  if (normalization_) {
    y = apply(*normalization_, y);
  }
  return apply(activation_, y);
}

at::Tensor Dense::operator()(const at::Tensor& x) const {
  if (packed_ == nullptr || !cpu_kernels_apply({x})) {
    return reference(x);
  }
  const cpu::Layer& layer = packed_->layer();
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = layer.out;
  at::Tensor y = at::empty(shape, x.options());
  const float* const from = read_numbers<float>(x);
  float* const to = write_numbers<float>(y);
  for_row_blocks(x.numel() / layer.in, [&](std::int64_t first, std::int64_t rows) {
    cpu::DenseScratch& scratch = cpu::dense_scratch(std::max(layer.in, layer.out));
    cpu::kernels().dense(layer, from + first * layer.in, rows, scratch.rounded(), scratch.product(),
                         /*add=*/false, to + first * layer.out);
  });
  return y;
}

}  // namespace headroom::ops
