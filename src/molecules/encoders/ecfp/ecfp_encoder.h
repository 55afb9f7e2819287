#pragma once

#include "molecules/encoders/encoder.h"

namespace molgauge::encoders::ecfp {

/// Folded counts of circular environments, a baseline without weights (Rogers and Hahn 2010, DOI
/// 10.1021/ci100050t). They are Morgan fingerprints of RDKit with radius 2. chem::Molecule::morgan contains
/// the counts, and this class turns them into rows.
class EcfpEncoder : public Encoder {
 public:
  static constexpr unsigned kRadius = 2;
  static constexpr unsigned kWidth = 512;

  EncoderIdentity identity() const override;
  std::size_t width() const override { return kWidth; }
  chem::Perception perception() const override;

  /// Throws InputError if an environment index exceeds the width.
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& size) const override;
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;
};

}  // namespace molgauge::encoders::ecfp
