#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/trained_molecules.h"
#include "matrix/cell.h"
#include "ood/run/training_data.h"
#include "session/encoding/encoded_parts.h"
#include "session/encoding/encoding_session.h"
#include "session/matrix/matrix_benchmarks.h"

namespace headroom::session {

/// Features of one benchmark's molecules, as a run of a matrix needs them.
struct MatrixSides {
  ood::TrainingData training;
  at::Tensor test_id, test_ood;
  std::vector<std::string> test_id_smiles, test_ood_smiles;  ///< of the same molecules
  /// What baselines learn from: the ID sides, on the CPU, and their molecules with every label.
  at::Tensor train_features, validation_features;
  std::vector<datasets::BenchmarkMolecule> train_molecules, validation_molecules;
  datasets::TrainedMolecules trained;
  std::size_t shared_molecules = 0;  ///< in sides that must not share any, and accepted
};

/// How many molecules those are; some may have failed.
struct MatrixSizes {
  std::size_t width = 0;  ///< of the features
  std::size_t train_id = 0, train_ood = 0, validation_id = 0, validation_ood = 0, test_id = 0, test_ood = 0;
  std::size_t all() const {
    return train_id + train_ood + validation_id + validation_ood + test_id + test_ood;
  }
  std::string text() const;
};

/// The features of a whole matrix: every distinct molecule is encoded once for each encoder, into the feature
/// store; runs get theirs from there, and those that run at the same time share them.
class MatrixFeatures {
 public:
  /// Opens the encoders. `settings.encoder` is left to the specification.
  MatrixFeatures(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                 const EncodingSettings& settings, Device device, MemorySession& memory);

  /// On the device. Safe from several threads.
  std::shared_ptr<const MatrixSides> of(const matrix::Cell& cell);

  /// Those that were drawn; once they are encoded, those that did not fail.
  MatrixSizes sizes(const matrix::Cell& cell) const;

  /// Foresees what encode() will take.
  void foresee(const experiment::Spec& spec);
  /// Sees to it that every molecule has its row. What failed is appended, and left out of every run.
  void encode(const experiment::Spec& spec, pipeline::FailureLog& failed);

  /// What identifies the features: encoder, weights, options.
  const std::string& identity(const std::string& encoder) const { return encoders_.at(encoder).identity; }

 private:
  using Place = std::tuple<std::string, std::string, std::uint64_t>;  ///< encoder, benchmark, data seed
  using Keys = std::vector<PartEncoder::Encoded>;                     ///< of the six sides

  struct OpenEncoder {
    std::unique_ptr<EncodingSession> session;
    std::string identity;
  };

  PartEncoder parts(const std::string& encoder, const std::string& benchmark, std::uint64_t data_seed);

  Device device_;
  const MatrixBenchmarks& benchmarks_;
  std::map<std::string, OpenEncoder> encoders_;
  std::map<Place, Keys> keys_;
  std::mutex mutex_;
  std::map<Place, std::weak_ptr<const MatrixSides>> shared_;
};

}  // namespace headroom::session
