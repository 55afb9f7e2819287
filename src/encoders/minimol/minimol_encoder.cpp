#include "encoders/minimol/minimol_encoder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "encoders/minimol/featuriser.h"
#include "encoders/minimol/made_up_inputs.h"
#include "ops/operator_threads.h"
#include "ops/torch_compatibility.h"

namespace headroom::encoders::minimol {
namespace {

Parameters move_to(c10::Device device, Parameters parameters) {
  for (auto& [name, tensor] : parameters) {
    tensor = tensor.to(device);
  }
  return parameters;
}

std::uint64_t total_bytes(const Parameters& parameters) {
  std::uint64_t bytes = 0;
  for (const auto& [name, tensor] : parameters) {
    bytes += tensor.nbytes();
  }
  return bytes;
}

std::vector<const Inputs*> inputs_of(std::span<const FeaturisedMolecule* const> batch) {
  std::vector<const Inputs*> inputs;
  inputs.reserve(batch.size());
  for (const FeaturisedMolecule* molecule : batch) {
    inputs.push_back(&dynamic_cast<const Inputs&>(*molecule));
  }
  return inputs;
}

}  // namespace

MinimolEncoder::MinimolEncoder(Parameters parameters, c10::Device device, std::string weights_sha256,
                               ops::Precision precision)
    : parameter_bytes_(total_bytes(parameters)),
      network_(move_to(device, std::move(parameters)), precision),
      precision_(precision),
      device_(device),
      weights_sha256_(std::move(weights_sha256)) {}

EncoderIdentity MinimolEncoder::identity() const {
  // "sums": rows that an earlier version added up in another order differ in their last digits.
  return {.encoder = "minimol",
          .weights_sha256 = weights_sha256_,
          .options = fmt::format("precision={};gauge=pivot;sums=by-row", ops::to_string(precision_))};
}

std::size_t MinimolEncoder::width() const { return kFingerprintWidth; }

chem::Perception MinimolEncoder::perception() const { return {.graph = true, .morgan = false}; }

std::unique_ptr<FeaturisedMolecule> MinimolEncoder::featurise(const chem::Molecule& molecule) const {
  return minimol::featurise(molecule);
}

std::unique_ptr<FeaturisedMolecule> MinimolEncoder::stand_in(std::size_t atoms,
                                                             std::size_t directed_edges) const {
  return made_up_inputs(atoms, directed_edges);
}

std::uint64_t MinimolEncoder::featurised_bytes(std::size_t atoms, std::size_t edges) const {
  constexpr std::size_t numbers = kAtomFeatures + 2 * kEigenpairs + kWalkSteps;
  constexpr std::size_t edge = kBondFeatures * sizeof(float) + 2 * sizeof(std::int64_t);
  return sizeof(Inputs) + atoms * numbers * sizeof(float) + edges * edge;
}

std::uint64_t MinimolEncoder::featurising_bytes(std::size_t atoms, std::size_t edges) const {
  return minimol::featurising_bytes(atoms, edges);
}

void MinimolEncoder::encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const {
  if (rows.size() != batch.size() * width()) {
    throw std::invalid_argument("MinimolEncoder::encode: rows do not fit the batch");
  }
  if (batch.empty()) {
    return;
  }
  ops::join_operator_threads();
  const c10::InferenceMode no_gradients;
  const at::Tensor fingerprints = network_.forward(pack(inputs_of(batch)).to(device_)).cpu().contiguous();
  std::copy_n(ops::read_numbers<float>(fingerprints), rows.size(), rows.data());
}

}  // namespace headroom::encoders::minimol
