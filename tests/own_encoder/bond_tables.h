#pragma once

#include "molecules/encoders/encoder.h"
#include "support/padded_cost.h"

namespace molgauge::test {

/// An encoder with features for every pair of atoms. Its batches are padded to the longest molecule, so its
/// memory grows with the square of the number of atoms. A row contains the numbers of atoms and bonds and the
/// largest number of neighbours.
class BondTables final : public encoders::Encoder {
 public:
  static constexpr std::size_t kWidth = 3;

  encoders::EncoderIdentity identity() const override { return {"bond-tables", "", "padded"}; }
  std::size_t width() const override { return kWidth; }
  chem::Perception perception() const override { return {.graph = true, .morgan = false}; }
  std::unique_ptr<encoders::FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;

  memory::ItemSize estimate(const encoders::MoleculeSize& molecule) const override;
  memory::Cost cost(std::span<const memory::ItemSize> batch) const override {
    return test::padded_cost(batch);
  }
  std::uint64_t most_pairs(std::uint64_t tokens, const memory::ItemSize& largest) const override {
    return tokens * largest.tokens;
  }
  double time_in_tokens(const memory::Cost& cost) const override {
    return static_cast<double>(cost.padded) + static_cast<double>(cost.pairs) / 20;
  }
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  std::unique_ptr<encoders::FeaturisedMolecule> stand_in(const memory::ItemSize& size) const override;

  void encode(std::span<const encoders::FeaturisedMolecule* const> batch,
              std::span<float> rows) const override;
};

}  // namespace molgauge::test
