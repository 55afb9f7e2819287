#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "molecules/datasets/trained_molecules.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/experiments/matrix/cell.h"
#include "molecules/ood/run/training_data.h"
#include "molecules/verbs/experiment/matrix_benchmarks.h"
#include "molecules/verbs/train/encoded_sides.h"

namespace molgauge::verbs {

/// The features of the molecules of one benchmark, for a run of a matrix.
struct MatrixSides {
  ood::TrainingData training;
  at::Tensor test_id, test_ood;
  std::vector<std::string> test_id_smiles, test_ood_smiles;  ///< SMILES of the same molecules
  /// Data for baselines. They are the features of the ID sides on the CPU, and the molecules of the ID sides
  /// with all labels.
  at::Tensor train_features, validation_features;
  std::vector<datasets::BenchmarkMolecule> train_molecules, validation_molecules;
  datasets::TrainedMolecules trained;
  std::size_t shared_molecules = 0;  ///< accepted molecules in several sides that should not overlap
};

/// The number of molecules of each side, failed molecules included.
struct MatrixSizes {
  std::size_t width = 0;  ///< width of the features
  datasets::BySide<std::size_t> molecules = {};

  std::size_t of(datasets::Side side) const { return molecules[side]; }
  std::size_t all() const;
  /// Bytes of the features of this many molecules.
  std::uint64_t bytes(std::size_t count) const { return count * width * sizeof(float); }
  std::string text() const;
};

/// The features of a whole matrix: each encoder encodes every distinct molecule once, into the feature store.
/// Runs read their features from the store. Concurrent runs share the features in memory.
class MatrixFeatures {
 public:
  /// Opens the encoders of the specification. Ignores `settings.encoder`. Options for weights, precision and
  /// conformers apply to the encoders that support them. Throws UsageError if no encoder supports an option.
  MatrixFeatures(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                 const session::EncodingSettings& settings, Device device, runtime::BudgetScope& memory);

  /// The features of a cell, on the device. Thread safe.
  std::shared_ptr<const MatrixSides> of(const matrix::Cell& cell);

  /// Sizes of the drawn sides. After encoding, they exclude failed molecules.
  MatrixSizes sizes(const matrix::Cell& cell) const;

  /// Declares the memory of encode().
  void declare_requirement(const experiment::Spec& spec);
  /// Encodes every molecule that has no row in the store. Uses only the encoders of `spec`, which may be a
  /// subset of the open encoders. Appends failed molecules to `failed` and removes them from every run.
  void encode(const experiment::Spec& spec, pipeline::FailureLog& failed);

  /// The identity of the features: encoder, weights, options.
  const std::string& identity(const std::string& encoder) const { return encoders_.at(encoder).identity; }
  /// The settings with which molecules are encoded.
  const session::EncodingSettings& settings(const std::string& encoder) const {
    return encoders_.at(encoder).settings;
  }

 private:
  using Place = std::tuple<std::string, std::string, std::uint64_t>;  ///< encoder, benchmark, data seed
  using Keys = datasets::BySide<session::PartEncoder::Encoded>;

  struct OpenEncoder {
    session::EncodingSettings settings;
    std::unique_ptr<session::EncodingSession> session;
    std::string identity;
  };

  SideEncoder sides(const std::string& encoder, const std::string& benchmark, std::uint64_t data_seed);

  Device device_;
  const MatrixBenchmarks& benchmarks_;
  std::map<std::string, OpenEncoder> encoders_;
  std::map<Place, Keys> keys_;
  std::mutex mutex_;
  std::map<Place, std::weak_ptr<const MatrixSides>> shared_;
};

}  // namespace molgauge::verbs
