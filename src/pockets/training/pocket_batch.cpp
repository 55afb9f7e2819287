#include "pockets/training/pocket_batch.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/uploads.h"
#include "pockets/graphs/join.h"
#include "pockets/physics.h"
#include "pockets/training/parameters.h"

namespace molgauge::pocket {
namespace {

/// The usual number of atoms of the smallest shards on a GPU. The largest shards have twice as many. Their
/// memory is then similar to the memory of a large pocket, which must fit anyway.
constexpr std::int64_t kAtomsOfAGpuShard = 2048;

constexpr std::size_t kKinds = std::tuple_size_v<EnergySums> / 2;  ///< number of kinds of energies

/// Whether both pockets have terms of the same kinds. An encoder leaves out a kind without terms, so the row
/// of a pocket would change if it was joined with a pocket that has other kinds.
bool has_same_kinds(const Batch& a, const Batch& b) {
  const auto kinds = [](const Batch& pocket) {
    return std::array{pocket.pairs.edges.count() > 0, pocket.angles.attributes.size(0) > 0,
                      pocket.dihedrals.attributes.size(0) > 0};
  };
  return kinds(a) == kinds(b);
}

/// Replaces gradients on a GPU by copies on the CPU. One transfer copies all of them, and the copies share
/// one array.
void bring_here(train::ShardGradients& gradients) {
  std::vector<at::Tensor> there;
  for (const at::Tensor& own : gradients) {
    if (own.defined() && !own.is_cpu()) {
      there.push_back(own.reshape({-1}));
    }
  }
  if (there.empty()) {
    return;
  }
  const at::Tensor here = at::cat(there).to(at::kCPU);
  std::int64_t begin = 0;
  for (at::Tensor& own : gradients) {
    if (own.defined() && !own.is_cpu()) {
      const std::int64_t count = own.numel();
      own = here.slice(0, begin, begin + count).view(own.sizes());
      begin += count;
    }
  }
}

}  // namespace

std::int64_t pockets_of_a_shard(const TrainingData& data, const Device& device) {
  if (device.is_cpu()) {
    return 1;
  }
  std::int64_t atoms = 0;
  for (const TrainingPocket& pocket : data.train) {
    atoms += data.graphs->graphs()[pocket.graph].counts.atoms;
  }
  const auto pockets = static_cast<std::int64_t>(data.train.size());
  return std::max<std::int64_t>(1, kAtomsOfAGpuShard * pockets / std::max<std::int64_t>(1, atoms));
}

EnergySums energy_sums(const Batch& pocket) {
  const c10::NoGradGuard no_gradient;
  EnergySums sums{};
  const PhysicsEnergies energies = physics_energies(as_tensors(pocket));
  std::size_t kind = 0;
  for (const at::Tensor* terms : {&energies.bonds, &energies.angles, &energies.dihedrals, &energies.pairs}) {
    sums.at(kind) = terms->sum(at::kDouble).item<double>();
    sums.at(kKinds + kind++) = static_cast<double>(terms->numel());
  }
  return sums;
}

double physics_loss(const TrainingOptions& options, std::span<const EnergySums> pockets) {
  if (options.physics_weight == 0) {
    return 0;
  }
  double total = 0;
  for (std::size_t kind = 0; kind < (options.physics_nonbonded ? kKinds : kKinds - 1); ++kind) {
    double sum = 0, count = 0;
    for (const EnergySums& pocket : pockets) {
      sum += pocket.at(kind);
      count += pocket.at(kKinds + kind);
    }
    total += sum / std::max(1.0, count);
  }
  return options.physics_weight * total;
}

PocketBatch::PocketBatch(Work work, const TrainingOptions& options, EpochSums& sums)
    : work_(std::move(work)), options_(options), sums_(sums) {}

at::Tensor PocketBatch::outputs_of(const std::vector<train::Parameter>& parameters,
                                   const train::RowRange& rows, at::ScalarType precision) const {
  const c10::Device device = torch::to_c10(options_.device);
  const torch::Autocast autocast(device, precision);
  const Encoder<TensorOperators> encoder = tensor_encoder(options_.shape, parameters);
  std::vector<at::Tensor> outputs;
  for (auto row = static_cast<std::size_t>(rows.first); row < static_cast<std::size_t>(rows.last);) {
    std::size_t count = 1;
    while (row + count < static_cast<std::size_t>(rows.last) &&
           has_same_kinds(*work_.pockets[row], *work_.pockets[row + count])) {
      ++count;
    }
    TensorOperators::Dropout dropout;
    if (options_.dropout > 0) {
      const at::Tensor keys = at::tensor(at::ArrayRef(work_.keys).slice(row, count), at::kLong);
      dropout = TensorOperators::Dropout{keys, options_.dropout, 0}.on(device);
    }
    const pocket::Batch joined = join(std::span(work_.pockets).subspan(row, count));
    outputs.push_back(encoder.forward(as_tensors(joined, device), dropout).to(at::kFloat));
    row += count;
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs);
}

train::RowRange PocketBatch::own_rows() const {
  return work_.shared != nullptr ? work_.shares[work_.rank]
                                 : train::RowRange{0, static_cast<std::int64_t>(work_.pockets.size())};
}

const std::vector<train::Parameter>& PocketBatch::parameters_there() {
  if (options_.device.is_cpu()) {
    return work_.parameters;
  }
  copies_.clear();
  std::vector<at::Tensor*> moving;
  for (const auto& [name, value] : work_.parameters) {
    copies_.push_back({name, value.detach().contiguous()});
  }
  for (train::Parameter& copy : copies_) {
    moving.push_back(&copy.value);
  }
  torch::move_together(moving, torch::to_c10(options_.device));
  for (std::size_t p = 0; p < copies_.size(); ++p) {
    copies_[p].value.requires_grad_(work_.parameters[p].value.requires_grad());
  }
  return copies_;
}

void PocketBatch::gather(const at::Tensor& own) {
  energies_.clear();
  if (options_.physics_weight > 0) {
    for (const auto& pocket : work_.pockets) {
      energies_.push_back(energy_sums(*pocket));
    }
  }
  if (work_.shared == nullptr) {
    outputs_ = own;
    return;
  }
  outputs_ = work_.shared->gather("rows", own, work_.shares);
  if (options_.physics_weight > 0) {
    constexpr auto kWidth = static_cast<std::int64_t>(2 * kKinds);
    const at::Tensor sums = at::empty({static_cast<std::int64_t>(energies_.size()), kWidth}, at::kDouble);
    std::memcpy(sums.data_ptr(), energies_.data(), energies_.size() * sizeof(EnergySums));
    const at::Tensor all = work_.shared->gather("energies", sums, work_.shares);
    energies_.resize(static_cast<std::size_t>(all.size(0)));
    std::memcpy(energies_.data(), all.data_ptr(), energies_.size() * sizeof(EnergySums));
  }
}

void PocketBatch::forward(const train::PassPlan& plan) {
  pass_.reset();
  if (!work_.pockets.empty()) {
    pass_.emplace(
        parameters_there(), static_cast<std::int64_t>(work_.pockets.size()), torch::to_c10(options_.device),
        [this, precision = plan.precision](const std::vector<train::Parameter>& own,
                                           const train::RowRange& rows) {
          return outputs_of(own, rows, precision);
        },
        plan);
  }
  gather(pass_ ? pass_->outputs().to(at::kCPU) : at::empty({0, options_.shape.output}));
  const ops::Floats predicted = torch::as_array(outputs_);
  gradient_ = at::empty_like(outputs_);
  own_ = {};
  std::int64_t first = 0;
  for (const std::int64_t size : work_.sizes) {
    const auto rows = [&](const ops::Floats& all) {
      return ops::Floats::view(const_cast<float*>(all.data()) + first * all.width(), {size, all.width()});
    };
    const LossValue value = row_loss(options_.loss, rows(predicted), rows(work_.targets),
                                     gradient_.data_ptr<float>() + first * predicted.width());
    const double physics =
        energies_.empty()
            ? 0
            : physics_loss(options_, std::span(energies_).subspan(static_cast<std::size_t>(first),
                                                                  static_cast<std::size_t>(size)));
    own_.loss += value.loss + physics;
    own_.physics += physics;
    own_.accuracy += value.accuracy;
    ++own_.batches;
    first += size;
  }
}

void PocketBatch::backward(double factor) {
  // The gradients are divided by accumulation_steps, even if the last step of an epoch has fewer batches.
  const at::Tensor gradient =
      torch::moved(own_rows().of(gradient_) * (factor / static_cast<double>(options_.accumulation_steps)),
                   torch::to_c10(options_.device));
  if (work_.shared != nullptr) {
    std::vector<train::ShardGradients> shards;
    if (pass_) {
      shards = pass_->gradients_of_shards(gradient);
    }
    for (train::ShardGradients& shard : shards) {
      bring_here(shard);
    }
    work_.shared->sum(shards);
    return;
  }
  pass_->backward(gradient);
  train::ShardGradients gradients;
  for (const train::Parameter& copy : copies_) {
    gradients.push_back(copy.value.requires_grad() ? copy.value.grad() : at::Tensor());
  }
  bring_here(gradients);
  for (std::size_t p = 0; p < gradients.size(); ++p) {
    if (gradients[p].defined()) {
      work_.parameters[p].value.mutable_grad() = gradients[p];
    }
  }
}

void PocketBatch::release() {
  pass_.reset();
  copies_.clear();
  outputs_.reset();
  gradient_.reset();
  work_.pockets.clear();
}

void PocketBatch::commit() noexcept {
  if (work_.shared != nullptr) {
    work_.shared->next();
  }
  sums_.loss += own_.loss;
  sums_.physics += own_.physics;
  sums_.accuracy += own_.accuracy;
  sums_.batches += own_.batches;
}

}  // namespace molgauge::pocket
