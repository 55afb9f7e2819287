#include "session/matrix/matrix_features.h"

#include <fmt/format.h>

#include "session/baselines/baseline_data.h"
#include "session/scoring/trained_run.h"
#include "torch/arrays.h"
#include "torch/device.h"

namespace headroom::session {
namespace {

/// Calls visit(encoder, benchmark, data seed) for all that a specification names.
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

}  // namespace

MatrixFeatures::MatrixFeatures(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                               const EncodingSettings& settings, Device device, MemorySession& memory)
    : device_(device), benchmarks_(benchmarks) {
  for (const auto& name : spec.encoders) {
    EncodingSettings own = settings;
    own.encoder = name;
    auto session = std::make_unique<EncodingSession>(own, memory);
    std::string identity = encoder_identity(session->encoder());
    encoders_.emplace(name, OpenEncoder{std::move(session), std::move(identity)});
  }
}

PartEncoder MatrixFeatures::parts(const std::string& encoder, const std::string& benchmark,
                                  std::uint64_t data_seed) {
  const datasets::OodBenchmark& drawn = benchmarks_.drawn(benchmark, data_seed);
  PartEncoder parts(*encoders_.at(encoder).session, benchmarks_.file(benchmark));
  parts.add("train_id", drawn.train_id);
  parts.add("train_ood", drawn.train_ood);
  parts.add("val_id", drawn.val_id);
  parts.add("val_ood", drawn.val_ood);
  parts.add("test_id", drawn.test_id, benchmarks_.test_file(benchmark));
  parts.add("test_ood", drawn.test_ood, benchmarks_.test_file(benchmark));
  return parts;
}

void MatrixFeatures::foresee(const experiment::Spec& spec) {
  for_each_place(spec, [&](const auto& encoder, const auto& benchmark, std::uint64_t data_seed) {
    parts(encoder, benchmark, data_seed).foresee();
  });
}

void MatrixFeatures::encode(const experiment::Spec& spec, pipeline::FailureLog& failed) {
  for_each_place(spec, [&](const auto& encoder, const auto& benchmark, std::uint64_t data_seed) {
    keys_[{encoder, benchmark, data_seed}] = parts(encoder, benchmark, data_seed).encode_keys(failed);
  });
}

std::string MatrixSizes::text() const {
  return fmt::format("{} x ({} + {}, {} + {}, {} + {})", width, train_id, train_ood, validation_id,
                     validation_ood, test_id, test_ood);
}

MatrixSizes MatrixFeatures::sizes(const matrix::Cell& cell) const {
  const std::size_t width = encoders_.at(cell.encoder).session->encoder().width();
  const auto encoded = keys_.find({cell.encoder, cell.benchmark, cell.data_seed});
  if (encoded == keys_.end()) {
    const datasets::OodBenchmark& drawn = benchmarks_.drawn(cell.benchmark, cell.data_seed);
    return {width,
            drawn.train_id.size(),
            drawn.train_ood.size(),
            drawn.val_id.size(),
            drawn.val_ood.size(),
            drawn.test_id.size(),
            drawn.test_ood.size()};
  }
  const auto count = [&](std::size_t side) { return encoded->second[side].keys.size(); };
  return {width, count(0), count(1), count(2), count(3), count(4), count(5)};
}

std::shared_ptr<const MatrixSides> MatrixFeatures::of(const matrix::Cell& cell) {
  const Place place{cell.encoder, cell.benchmark, cell.data_seed};
  const std::lock_guard lock(mutex_);
  if (auto loaded = shared_[place].lock()) {
    return loaded;
  }
  EncodingSession& session = *encoders_.at(cell.encoder).session;
  const Keys& keys = keys_.at(place);
  const datasets::OodBenchmark& drawn = benchmarks_.drawn(cell.benchmark, cell.data_seed);
  const auto side = [&](std::size_t index) { return torch::as_tensor(session.features(keys[index].keys)); };
  const c10::Device device = torch::to_c10(device_);
  const at::Tensor train_id = side(0), val_id = side(2);
  auto sides = std::make_shared<const MatrixSides>(MatrixSides{
      .training = {train_id.to(device), side(1).to(device), val_id.to(device), side(3).to(device)},
      .test_id = side(4).to(device),
      .test_ood = side(5).to(device),
      .test_id_smiles = keys[4].smiles,
      .test_ood_smiles = keys[5].smiles,
      .train_features = train_id,
      .validation_features = val_id,
      .train_molecules = molecules_at(keys[0].places, drawn.train_id),
      .validation_molecules = molecules_at(keys[2].places, drawn.val_id),
      .trained = datasets::trained_molecules(drawn),
      .shared_molecules = drawn.shared_molecules});
  shared_[place] = sides;
  return sides;
}

}  // namespace headroom::session
