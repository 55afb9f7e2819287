#include "pocket/training/pocket_batch.h"

#include <algorithm>
#include <array>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "pocket/physics.h"
#include "pocket/training/parameters.h"
#include "torch/arrays.h"

namespace headroom::pocket {

double physics_loss(const TrainingOptions& options,
                    const std::vector<std::shared_ptr<const Batch>>& pockets) {
  if (options.physics_weight == 0) {
    return 0;
  }
  const c10::NoGradGuard no_gradient;
  std::array<double, 4> sums{};
  std::array<std::int64_t, 4> counts{};
  for (const auto& pocket : pockets) {
    const PhysicsEnergies energies = physics_energies(as_tensors(*pocket));
    std::size_t kind = 0;
    for (const at::Tensor* terms :
         {&energies.bonds, &energies.angles, &energies.dihedrals, &energies.pairs}) {
      sums.at(kind) += terms->sum(at::kDouble).item<double>();
      counts.at(kind++) += terms->numel();
    }
  }
  double total = 0;
  for (std::size_t kind = 0; kind < (options.physics_nonbonded ? 4 : 3); ++kind) {
    total += sums.at(kind) / static_cast<double>(std::max<std::int64_t>(1, counts.at(kind)));
  }
  return options.physics_weight * total;
}

PocketBatch::PocketBatch(Work work, const TrainingOptions& options, EpochSums& sums)
    : work_(std::move(work)), options_(options), sums_(sums) {}

at::Tensor PocketBatch::outputs_of(const std::vector<train::Parameter>& parameters,
                                   const train::RowRange& rows) const {
  const Encoder<TensorOperators> encoder = tensor_encoder(options_.shape, parameters);
  std::vector<at::Tensor> outputs;
  for (std::int64_t row = rows.first; row < rows.last; ++row) {
    const auto place = static_cast<std::size_t>(row);
    TensorOperators::Dropout dropout;
    if (options_.dropout > 0) {
      dropout = {at::full({1}, work_.keys[place], at::kLong), options_.dropout, 0};
    }
    outputs.push_back(encoder.forward(as_tensors(*work_.pockets[place]), dropout));
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs);
}

void PocketBatch::forward(const train::PassPlan& plan) {
  pass_.reset();
  pass_.emplace(
      work_.parameters, static_cast<std::int64_t>(work_.pockets.size()), at::kCPU,
      [this](const std::vector<train::Parameter>& own, const train::RowRange& rows) {
        return outputs_of(own, rows);
      },
      plan);
  const ops::Floats predicted = torch::as_array(pass_->outputs());
  gradient_ = at::empty_like(pass_->outputs());
  own_ = {};
  std::int64_t first = 0;
  for (const std::int64_t size : work_.sizes) {
    const auto rows = [&](const ops::Floats& all) {
      return ops::Floats::view(const_cast<float*>(all.data()) + first * all.width(), {size, all.width()});
    };
    const LossValue value = row_loss(options_.loss, rows(predicted), rows(work_.targets),
                                     gradient_.data_ptr<float>() + first * predicted.width());
    const auto begin = work_.pockets.begin() + first;
    const double physics = physics_loss(options_, {begin, begin + size});
    own_.loss += value.loss + physics;
    own_.physics += physics;
    own_.accuracy += value.accuracy;
    ++own_.batches;
    first += size;
  }
}

void PocketBatch::backward(double factor) {
  // An incomplete group of batches is divided by the full number, too.
  pass_->backward(gradient_ * (factor / static_cast<double>(options_.accumulation_steps)));
}

void PocketBatch::release() {
  pass_.reset();
  gradient_.reset();
  work_.pockets.clear();
}

void PocketBatch::commit() noexcept {
  sums_.loss += own_.loss;
  sums_.physics += own_.physics;
  sums_.accuracy += own_.accuracy;
  sums_.batches += own_.batches;
}

}  // namespace headroom::pocket
