#pragma once

#include "models/encoders/encoder.h"

namespace headroom::encoders {

/// Stands for rows that another program has computed and that have been imported into the feature store: it
/// has their identity and width and computes none. A molecule whose row is not in the store fails.
class ImportedEncoder final : public Encoder {
 public:
  /// `name`: of the import, for messages.
  ImportedEncoder(EncoderIdentity identity, std::size_t width, std::string name);

  EncoderIdentity identity() const override { return identity_; }
  std::size_t width() const override { return width_; }
  chem::Perception perception() const override { return {.graph = false, .morgan = false}; }

  /// Throws InputError: the row is not among those that were imported.
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  /// Never called, for there is nothing featurised.
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;

 private:
  EncoderIdentity identity_;
  std::size_t width_;
  std::string name_;
};

}  // namespace headroom::encoders
