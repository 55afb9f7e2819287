#include "molecules/encoders/minimol/minimol_encoder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/memory/measure/tensor_memory.h"
#include "molecules/encoders/minimol/featuriser.h"
#include "molecules/encoders/minimol/made_up_inputs.h"
#include "molecules/encoders/minimol/parameters.h"

namespace molgauge::encoders::minimol {
namespace {

std::vector<const Inputs*> inputs_of(std::span<const FeaturisedMolecule* const> batch) {
  std::vector<const Inputs*> inputs;
  inputs.reserve(batch.size());
  for (const FeaturisedMolecule* molecule : batch) {
    inputs.push_back(&dynamic_cast<const Inputs&>(*molecule));
  }
  return inputs;
}

}  // namespace

EncoderIdentity MinimolEncoder::identity() const {
  // "sums" names the order in which the numbers of a row are added, which decides its last digits.
  return {.encoder = "minimol",
          .weights_sha256 = weights_sha256_,
          .options = fmt::format("precision={};gauge=pivot;sums=by-row", ops::to_string(precision_))};
}

std::unique_ptr<FeaturisedMolecule> MinimolEncoder::featurise(const chem::Molecule& molecule) const {
  return minimol::featurise(molecule);
}

std::unique_ptr<FeaturisedMolecule> MinimolEncoder::stand_in(const memory::ItemSize& size) const {
  return made_up_inputs(size.tokens, size.pairs);
}

std::uint64_t MinimolEncoder::featurised_bytes(const memory::ItemSize& size) const {
  constexpr std::size_t numbers = kAtomFeatures + 2 * kEigenpairs + kWalkSteps;
  constexpr std::size_t edge = kBondFeatures * sizeof(float) + 2 * sizeof(std::int64_t);
  return sizeof(Inputs) + size.tokens * numbers * sizeof(float) + size.pairs * edge;
}

std::uint64_t MinimolEncoder::featurising_bytes(const memory::ItemSize& size) const {
  return minimol::featurising_bytes(size.tokens, size.pairs);
}

void MinimolEncoder::encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const {
  if (rows.size() != batch.size() * width()) {
    throw std::invalid_argument("MinimolEncoder::encode: rows do not fit the batch");
  }
  if (!batch.empty()) {
    compute(pack(inputs_of(batch)), rows);
  }
}

CpuMinimolEncoder::CpuMinimolEncoder(io::TensorMap tensors, std::string weights_sha256,
                                     ops::Precision precision)
    : MinimolEncoder(std::move(weights_sha256), precision),
      living_before_(memory::tensor_memory().allocated_bytes()),
      network_([&](const std::string& name,
                   const std::vector<std::int64_t>&) { return to_floats(tensors.extract(name).mapped()); },
               precision),
      parameter_bytes_(memory::tensor_memory().allocated_bytes() - living_before_) {}

void CpuMinimolEncoder::compute(const Batch& batch, std::span<float> rows) const {
  const ops::Floats fingerprints = network_.forward(batch);
  std::copy_n(fingerprints.data(), rows.size(), rows.data());
}

}  // namespace molgauge::encoders::minimol
