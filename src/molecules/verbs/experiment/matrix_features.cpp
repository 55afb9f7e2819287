#include "molecules/verbs/experiment/matrix_features.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/device.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/verbs/baseline/baseline_data.h"

namespace molgauge::verbs {
namespace {

using datasets::Side;

/// Calls visit(encoder, benchmark, data seed) for all combinations of a specification.
template <typename Visit>
void for_each_place(const experiment::Spec& spec, const Visit& visit) {
  for (const auto& encoder : spec.encoders) {
    for (const auto& benchmark : spec.benchmarks) {
      for (const auto data_seed : spec.data_seeds) {
        visit(encoder, benchmark.name, data_seed);
      }
    }
  }
}

/// Returns the settings of one encoder, without the options that only affect other encoders of the
/// specification. An option that affects no encoder stays, so that opening the encoder refuses it.
session::EncodingSettings settings_for(const std::string& name, const experiment::Spec& spec,
                                       const session::EncodingSettings& settings) {
  session::EncodingSettings own = settings;
  own.encoder = name;
  own.compute.precision = session::resolve_precision(own.compute, name);
  const encoders::EncoderDescriptor& encoder = encoders::require_encoder(name);
  const auto are_for_others = [&](const auto& takes) {
    return !takes(encoder) && std::any_of(spec.encoders.begin(), spec.encoders.end(), [&](const auto& other) {
      return takes(encoders::require_encoder(other));
    });
  };
  using Encoder = encoders::EncoderDescriptor;
  if (are_for_others([](const Encoder& one) { return one.needs_conformer; })) {
    own.placement = {};
  }
  if (are_for_others([](const Encoder& one) { return one.weights.has_value(); })) {
    own.weights.clear();
    own.compute.random_weights = false;
  }
  if (are_for_others([](const Encoder& one) { return !one.precisions.empty(); })) {
    own.compute.precision.clear();
  }
  return own;
}

}  // namespace

MatrixFeatures::MatrixFeatures(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                               const session::EncodingSettings& settings, Device device,
                               runtime::BudgetScope& memory)
    : device_(device), benchmarks_(benchmarks) {
  for (const auto& name : spec.encoders) {
    session::EncodingSettings own = settings_for(name, spec, settings);
    auto session = std::make_unique<session::EncodingSession>(own, memory);
    std::string identity = session::encoder_identity(session->encoder());
    encoders_.emplace(name, OpenEncoder{std::move(own), std::move(session), std::move(identity)});
  }
}

SideEncoder MatrixFeatures::sides(const std::string& encoder, const std::string& benchmark,
                                  std::uint64_t data_seed) {
  const datasets::OodBenchmark& drawn = benchmarks_.drawn(benchmark, data_seed);
  SideEncoder sides(*encoders_.at(encoder).session, benchmarks_.file(benchmark));
  for (const Side side : datasets::kSides) {
    sides.add(side, drawn.of(side),
              is_test(side) ? benchmarks_.test_file(benchmark) : benchmarks_.file(benchmark));
  }
  return sides;
}

void MatrixFeatures::declare_requirement(const experiment::Spec& spec) {
  for_each_place(spec, [&](const auto& encoder, const auto& benchmark, std::uint64_t data_seed) {
    sides(encoder, benchmark, data_seed).declare_requirement();
  });
}

void MatrixFeatures::encode(const experiment::Spec& spec, pipeline::FailureLog& failed) {
  for_each_place(spec, [&](const auto& encoder, const auto& benchmark, std::uint64_t data_seed) {
    keys_[{encoder, benchmark, data_seed}] = sides(encoder, benchmark, data_seed).encode_keys(failed);
  });
}

std::size_t MatrixSizes::all() const {
  std::size_t all = 0;
  for (const Side side : datasets::kSides) {
    all += molecules[side];
  }
  return all;
}

std::string MatrixSizes::text() const {
  return fmt::format("{} x ({} + {}, {} + {}, {} + {})", width, of(Side::train_id), of(Side::train_ood),
                     of(Side::val_id), of(Side::val_ood), of(Side::test_id), of(Side::test_ood));
}

MatrixSizes MatrixFeatures::sizes(const matrix::Cell& cell) const {
  MatrixSizes sizes{.width = encoders_.at(cell.encoder).session->encoder().width()};
  const auto encoded = keys_.find({cell.encoder, cell.benchmark, cell.data_seed});
  for (const Side side : datasets::kSides) {
    sizes.molecules[side] = encoded == keys_.end()
                                ? benchmarks_.drawn(cell.benchmark, cell.data_seed).of(side).size()
                                : encoded->second[side].keys.size();
  }
  return sizes;
}

std::shared_ptr<const MatrixSides> MatrixFeatures::of(const matrix::Cell& cell) {
  const Place place{cell.encoder, cell.benchmark, cell.data_seed};
  const std::lock_guard lock(mutex_);
  if (auto loaded = shared_[place].lock()) {
    return loaded;
  }
  session::EncodingSession& session = *encoders_.at(cell.encoder).session;
  const Keys& keys = keys_.at(place);
  const datasets::OodBenchmark& drawn = benchmarks_.drawn(cell.benchmark, cell.data_seed);
  const auto on_host = [&](Side side) { return torch::as_tensor(session.features(keys[side].keys)); };
  const c10::Device device = torch::to_c10(device_);
  const auto on_device = [&](Side side) { return on_host(side).to(device); };
  const at::Tensor train_id = on_host(Side::train_id), val_id = on_host(Side::val_id);
  auto sides = std::make_shared<const MatrixSides>(
      MatrixSides{.training = {train_id.to(device), on_device(Side::train_ood), val_id.to(device),
                               on_device(Side::val_ood)},
                  .test_id = on_device(Side::test_id),
                  .test_ood = on_device(Side::test_ood),
                  .test_id_smiles = keys[Side::test_id].smiles,
                  .test_ood_smiles = keys[Side::test_ood].smiles,
                  .train_features = train_id,
                  .validation_features = val_id,
                  .train_molecules = molecules_at(keys[Side::train_id].places, drawn.train_id),
                  .validation_molecules = molecules_at(keys[Side::val_id].places, drawn.val_id),
                  .trained = datasets::trained_molecules(drawn),
                  .shared_molecules = drawn.shared_molecules});
  shared_[place] = sides;
  return sides;
}

}  // namespace molgauge::verbs
