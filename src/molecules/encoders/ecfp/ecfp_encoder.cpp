#include "molecules/encoders/ecfp/ecfp_encoder.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace molgauge::encoders::ecfp {
namespace {

struct FoldedCounts : FeaturisedMolecule {
  using Count = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Count> counts;

  /// The cost of a molecule is one row and does not depend on its size.
  memory::ItemSize size() const override { return {}; }
};

}  // namespace

EncoderIdentity EcfpEncoder::identity() const {
  return {"ecfp", "", "radius=" + std::to_string(kRadius) + ";width=" + std::to_string(kWidth) + ";counts"};
}

chem::Perception EcfpEncoder::perception() const {
  chem::Perception wanted;
  wanted.graph = false;
  wanted.morgan = true;
  wanted.morgan_radius = kRadius;
  wanted.morgan_width = kWidth;
  return wanted;
}

std::unique_ptr<FeaturisedMolecule> EcfpEncoder::featurise(const chem::Molecule& molecule) const {
  for (const auto& [index, count] : molecule.morgan) {
    if (index >= kWidth) {
      throw InputError("environment " + std::to_string(index) + " lies outside the " +
                       std::to_string(kWidth) + " columns");
    }
  }
  auto featurised = std::make_unique<FoldedCounts>();
  featurised->counts = molecule.morgan;
  return featurised;
}

std::uint64_t EcfpEncoder::featurised_bytes(const memory::ItemSize& size) const {
  // A molecule has at most one environment for each atom and radius.
  return sizeof(FoldedCounts) + size.tokens * (kRadius + 1) * sizeof(FoldedCounts::Count);
}

std::uint64_t EcfpEncoder::featurising_bytes(const memory::ItemSize& /*size*/) const {
  return 0;  // featurise() only copies the counts into its result
}

void EcfpEncoder::encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const {
  if (rows.size() != batch.size() * kWidth) {
    throw std::invalid_argument("EcfpEncoder::encode: rows do not fit the batch");
  }
  std::fill(rows.begin(), rows.end(), 0.0F);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (const auto& [index, count] : dynamic_cast<const FoldedCounts&>(*batch[i]).counts) {
      rows[i * kWidth + index] = static_cast<float>(count);
    }
  }
}

}  // namespace molgauge::encoders::ecfp
