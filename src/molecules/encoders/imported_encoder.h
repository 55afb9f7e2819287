#pragma once

#include "molecules/encoders/encoder.h"

namespace molgauge::encoders {

/// Represents rows that another program computed and that were imported into the feature store. The encoder
/// has the identity and the width of these rows, but cannot compute new rows. A molecule without a row in the
/// store fails.
class ImportedEncoder final : public Encoder {
 public:
  /// `name` is the name of the import, for messages.
  ImportedEncoder(EncoderIdentity identity, std::size_t width, std::string name);

  EncoderIdentity identity() const override { return identity_; }
  std::size_t width() const override { return width_; }
  chem::Perception perception() const override { return {.graph = false, .morgan = false}; }

  /// Throws InputError, because the row was not imported.
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  /// Never called, because featurise() always throws.
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;

 private:
  EncoderIdentity identity_;
  std::size_t width_;
  std::string name_;
};

}  // namespace molgauge::encoders
