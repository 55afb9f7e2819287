#include "engine/matrix_features.h"

#include "engine/encoded_parts.h"
#include "engine/trained_run.h"

namespace headroom::verbs {

MatrixFeatures::MatrixFeatures(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                               const EncodingSettings& settings, c10::Device device,
                               memory::PhaseRecorder& recorder)
    : device_(device) {
  for (const auto& name : spec.encoders) {
    EncodingSettings own = settings;
    own.encoder = name;
    auto session = std::make_unique<EncodingSession>(own, recorder);
    std::string identity = encoder_identity(session->encoder());
    encoders_.emplace(name, OpenEncoder{std::move(session), std::move(identity)});
    encode(spec, benchmarks, name);
  }
}

void MatrixFeatures::encode(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                            const std::string& encoder) {
  EncodingSession& session = *encoders_.at(encoder).session;
  for (const auto& benchmark : spec.benchmarks) {
    for (const auto data_seed : spec.data_seeds) {
      const datasets::OodBenchmark& drawn = benchmarks.drawn(benchmark.name, data_seed);
      PartEncoder parts(session, benchmarks.file(benchmark.name));
      parts.add("train_id", drawn.train_id);
      parts.add("train_ood", drawn.train_ood);
      parts.add("val_id", drawn.val_id);
      parts.add("val_ood", drawn.val_ood);
      parts.add("test_id", drawn.test_id);
      parts.add("test_ood", drawn.test_ood);
      Sides& sides = sides_[{encoder, benchmark.name, data_seed}];
      sides.keys = parts.encode_keys(failed_);
      sides.test_id_smiles = parts.smiles()[4];
      sides.test_ood_smiles = parts.smiles()[5];
    }
  }
}

std::shared_ptr<const MatrixSides> MatrixFeatures::of(const experiment::Cell& cell) {
  const Place place{cell.encoder, cell.benchmark, cell.data_seed};
  const std::lock_guard lock(mutex_);
  if (auto loaded = shared_[place].lock()) {
    return loaded;
  }
  EncodingSession& session = *encoders_.at(cell.encoder).session;
  const Sides& sides = sides_.at(place);
  const auto features = [&](std::size_t side) { return session.features(sides.keys[side]).to(device_); };
  auto loaded =
      std::make_shared<const MatrixSides>(MatrixSides{{features(0), features(1), features(2), features(3)},
                                                      features(4),
                                                      features(5),
                                                      sides.test_id_smiles,
                                                      sides.test_ood_smiles});
  shared_[place] = loaded;
  return loaded;
}

}  // namespace headroom::verbs
