#include "base/numerics/torch/keyed_dropout.h"

#include <utility>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/numerics/ops/training/attention_kernels.h"
#include "base/numerics/ops/training/keyed_numbers.h"
#include "base/numerics/torch/cuda/dropout_steps.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/saved_value.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/numerics/torch/uploads.h"

namespace molgauge::torch {
namespace {

/// Sets the factors of the first `count` tokens of a molecule. Writes them to the rows of `factors` that
/// begin with `row`.
void fill_factors(const KeyedDropout& dropout, std::int64_t molecule, std::int64_t count,
                  const at::Tensor& factors, std::int64_t row) {
  const std::uint64_t key = dropout.key_of(molecule);
  const std::int64_t width = factors.size(1);
  for (std::int64_t token = 0; token < count; ++token) {
    ops::dropout_factors(static_cast<std::size_t>(width), dropout.probability,
                         ops::keyed_number(key, static_cast<std::uint64_t>(token)),
                         write_numbers<float>(factors) + (row + token) * width);
  }
}

at::Tensor row_factors(const Segments& molecules, std::int64_t width, const KeyedDropout& dropout) {
  const c10::Device device = molecules.first.device();
  return uses_kernels(device) ? row_factors_by_steps(molecules, width, dropout)
                              : row_factors_by_loops(molecules, width, dropout);
}

/// The arrays of a dropout on a device.
struct DropArrays {
  at::Tensor keys, first, of;
  std::int64_t place, columns;
  double probability;

  cuda::RowFactors factors() const {
    return {.keys = read_numbers<std::int64_t>(keys),
            .place = place,
            .first = read_numbers<std::int64_t>(first),
            .of = read_numbers<std::int64_t>(of),
            .dropout = ops::KeyedFactors::of(probability, 0),
            .width = columns,
            .factors = nullptr};
  }
};

DropArrays arrays_of(const Segments& molecules, std::int64_t columns, const KeyedDropout& dropout) {
  return {dropout.raw_keys_on(molecules.first.device()),
          molecules.first,
          molecules.of,
          dropout.place,
          columns,
          dropout.probability};
}

at::Tensor dropped(const at::Tensor& rows, const DropArrays& arrays) {
  at::Tensor out = at::empty_like(rows);
  run_kernel(cuda::DroppedRows{.factors = arrays.factors(),
                               .rows = read_numbers<float>(rows),
                               .width = rows.size(1),
                               .out = write_numbers<float>(out)},
             out.numel(), out.device());
  return out;
}

/// Dropout of the first columns of rows, in one kernel.
class Drop : public ::torch::autograd::Function<Drop> {
 public:
  static at::Tensor forward(::torch::autograd::AutogradContext* context, const at::Tensor& rows,
                            const DropArrays& arrays) {
    save_value(context, arrays);
    return dropped(rows, arrays);
  }
  static ::torch::autograd::variable_list backward(::torch::autograd::AutogradContext* context,
                                                   const ::torch::autograd::variable_list& gradients) {
    return {dropped(gradients[0].contiguous(), saved_value<DropArrays>(context)), at::Tensor()};
  }
};

}  // namespace

std::uint64_t KeyedDropout::key_of(std::int64_t molecule) const {
  return ops::keyed_number(static_cast<std::uint64_t>(read_numbers<std::int64_t>(keys)[molecule]),
                           static_cast<std::uint64_t>(place));
}

at::Tensor KeyedDropout::raw_keys_on(c10::Device device) const {
  const bool is_there = keys_there.defined() && keys_there.device() == device;
  return is_there ? keys_there : moved(keys, device);
}

at::Tensor KeyedDropout::keys_on(c10::Device device) const {
  const at::Tensor own = raw_keys_on(device);
  at::Tensor placed = at::empty_like(own);
  run_kernel(cuda::PlacedKeys{.keys = read_numbers<std::int64_t>(own),
                              .place = place,
                              .placed = write_numbers<std::int64_t>(placed)},
             placed.numel(), device);
  return placed;
}

KeyedDropout KeyedDropout::on(c10::Device device) const {
  return {keys, probability, place, is_active() ? moved(keys, device) : at::Tensor()};
}

at::Tensor row_factors_by_loops(const Segments& molecules, std::int64_t width, const KeyedDropout& dropout) {
  const at::Tensor factors = at::empty({molecules.of.size(0), width}, at::kFloat);
  const at::Tensor begin = molecules.first.to(at::kCPU);
  const auto* const first = read_numbers<std::int64_t>(begin);
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    fill_factors(dropout, molecule, first[molecule + 1] - first[molecule], factors, first[molecule]);
  }
  return factors.to(molecules.first.device());
}

at::Tensor row_factors_by_steps(const Segments& molecules, std::int64_t width, const KeyedDropout& dropout) {
  const c10::Device device = molecules.first.device();
  at::Tensor factors = at::empty({molecules.of.size(0), width}, at::TensorOptions(device).dtype(at::kFloat));
  const DropArrays arrays = arrays_of(molecules, width, dropout);
  cuda::RowFactors work = arrays.factors();
  work.factors = write_numbers<float>(factors);
  run_kernel(work, factors.numel(), device);
  return factors;
}

at::Tensor drop_rows(const at::Tensor& rows, const Segments& molecules, const KeyedDropout& dropout) {
  return drop_columns(rows, rows.size(1), molecules, dropout);
}

at::Tensor drop_columns(const at::Tensor& rows, std::int64_t columns, const Segments& molecules,
                        const KeyedDropout& dropout) {
  if (!dropout.is_active()) {
    return rows;
  }
  if (uses_kernels(rows.device()) && rows.scalar_type() == at::kFloat) {
    return Drop::apply(rows.contiguous(), arrays_of(molecules, columns, dropout));
  }
  const at::Tensor factors = row_factors(molecules, columns, dropout);
  return columns == rows.size(1)
             ? rows * factors
             : at::cat({rows.slice(1, 0, columns).contiguous() * factors, rows.slice(1, columns)}, 1);
}

at::Tensor drop_first_rows(const at::Tensor& rows, const KeyedDropout& dropout) {
  if (!dropout.is_active()) {
    return rows;
  }
  // Treats each row as a molecule with one token.
  const at::Tensor numbers = at::arange(rows.size(0) + 1, at::TensorOptions(rows.device()).dtype(at::kLong));
  return rows * row_factors({numbers, numbers.slice(0, 0, rows.size(0))}, rows.size(1), dropout);
}

at::Tensor weight_factors(const KeyedDropout& dropout, std::int64_t molecule, std::int64_t queries,
                          std::int64_t width) {
  at::Tensor factors = at::empty({queries, width}, at::kFloat);
  fill_factors(dropout, molecule, queries, factors, 0);
  return factors;
}

}  // namespace molgauge::torch
