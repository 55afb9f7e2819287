#pragma once

#include "models/encoders/encoder.h"

namespace headroom::encoders::ecfp {

/// Counts of circular environments, folded: the baseline that needs no weights (Rogers and Hahn 2010, DOI
/// 10.1021/ci100050t; RDKit's Morgan fingerprint of radius 2). The counts come with the molecule
/// (chem::Molecule::morgan); here they become rows.
class EcfpEncoder : public Encoder {
 public:
  static constexpr unsigned kRadius = 2;
  static constexpr unsigned kWidth = 512;

  EncoderIdentity identity() const override;
  std::size_t width() const override { return kWidth; }
  chem::Perception perception() const override;

  /// Throws InputError when an environment lies outside the width.
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& size) const override;
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;
};

}  // namespace headroom::encoders::ecfp
