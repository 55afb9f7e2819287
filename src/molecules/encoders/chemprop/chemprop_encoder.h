#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/encoders/chemprop/network.h"
#include "molecules/encoders/encoder.h"

namespace molgauge::encoders::chemprop {

/// The content of a row of ChempropEncoder.
enum class RowContent {
  predictions,   ///< predictions, as in Ensemble
  fingerprints,  ///< the learned features of each model, one model after the other
};

/// An encoder with models of chemprop on the CPU. Rows depend on the text of the molecule, because the
/// features of chiral atoms depend on the order of the atoms. Several threads may call encode() at once.
class ChempropEncoder final : public Encoder {
 public:
  /// All models must have the same set of features. Throws UsageError otherwise, and std::invalid_argument
  /// for rows of predictions if the models take descriptors. `sha256`: hash of the files of the models, for
  /// identity().
  ChempropEncoder(const ModelSet& set, RowContent content, std::string sha256 = {});

  EncoderIdentity identity() const override;
  std::size_t width() const override { return width_; }
  chem::Perception perception() const override;
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;
  /// Encodes a molecule, and then the molecule without each part. The atoms of the part are not pooled, but
  /// their messages still reach the rest. `parts`: atom numbers of `molecule`. No part contains all atoms.
  /// `rows`: [1 + parts, width()].
  void encode_without_parts(const FeaturisedMolecule& molecule,
                            std::span<const std::vector<std::uint32_t>> parts, std::span<float> rows) const;
  std::uint64_t parameter_bytes() const override { return parameter_bytes_; }
  std::size_t full_speed_tokens() const override { return kFullSpeedAtoms; }
  std::unique_ptr<FeaturisedMolecule> stand_in(const memory::ItemSize& size) const override;

  /// The predictions for rows of fingerprints and the descriptors of their molecules. A row of `predictions`
  /// is as in Ensemble. It is bit-identical in any batch. `descriptors`: [rows, descriptors of the models].
  void predict(std::span<const float> fingerprints, std::span<const double> descriptors,
               std::span<float> predictions) const;

  /// Larger batches contain more repeated states, but were not faster than batches of this size.
  static constexpr std::size_t kFullSpeedAtoms = 32768;

 private:
  /// Models that share the plan of a batch.
  struct Group {
    GraphForm form;
    std::vector<std::size_t> members;
  };

  /// Writes the rows of the molecules that the plan of a group pools.
  void write_rows(const Group& group, const Plan& plan, std::span<float> rows) const;

  RowContent content_;
  std::string sha256_;
  FeatureSet features_;
  std::size_t width_ = 0;
  std::uint64_t parameter_bytes_ = 0;
  std::vector<Network> networks_;
  std::vector<std::size_t> columns_, widths_;  ///< position and width of each model in a row
  std::vector<Group> groups_;
};

}  // namespace molgauge::encoders::chemprop
