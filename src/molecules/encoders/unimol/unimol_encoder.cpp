#include "molecules/encoders/unimol/unimol_encoder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/measure/tensor_memory.h"
#include "molecules/encoders/tuned_tensors.h"
#include "molecules/encoders/unimol/featuriser.h"

namespace molgauge::encoders::unimol {
namespace {

ops::Floats to_floats(const io::TensorData& tensor) {
  const std::vector<float> numbers = tensor.to_float32();
  ops::Floats floats(tensor.shape);
  std::copy(numbers.begin(), numbers.end(), floats.data());
  return floats;
}

}  // namespace

UnimolEncoder::UnimolEncoder(io::TensorMap tensors, UnimolOrigin origin, UnimolChoice choice,
                             const std::optional<NetworkShape>& shape)
    : origin_(std::move(origin)),
      choice_(choice),
      shape_(shape ? *shape : shape_of(tensors, "the weights of Uni-Mol")),
      living_before_(memory::tensor_memory().allocated_bytes()),
      network_(
          shape_,
          [&](const std::string& name, const std::vector<std::int64_t>&) {
            auto tensor = tensors.extract(name);
            return tensor ? to_floats(tensor.mapped()) : ops::Floats();
          },
          choice_.precision),
      parameter_bytes_(memory::tensor_memory().allocated_bytes() - living_before_) {
  if (origin_.atoms == chem::Coordinates::none) {
    throw std::invalid_argument("UnimolEncoder: works on heavy atoms or on all");
  }
}

EncoderIdentity UnimolEncoder::identity() const {
  EncoderIdentity identity{
      .encoder = "unimol",
      .weights_sha256 = origin_.weights_sha256,
      .options = fmt::format("precision={};hydrogens={};atoms={}, drawn with seed {}{}",
                             ops::to_string(choice_.precision),
                             origin_.atoms == chem::Coordinates::all ? "yes" : "no", choice_.most_atoms,
                             kCropSeed, choice_.takes_drawings ? "" : ";drawings=no")};
  if (origin_.random_seed) {
    identity.random_weights = fmt::format("random numbers, seed {}", *origin_.random_seed);
    identity.options += ";weights=" + identity.random_weights;
  }
  if (!origin_.tuned.empty()) {
    identity.options += tuned_option(origin_.tuned);
  }
  return identity;
}

std::unique_ptr<FeaturisedMolecule> UnimolEncoder::featurise(const chem::Molecule& molecule) const {
  if (!molecule.conformer) {
    throw InputError("has no 3D coordinates, which Uni-Mol needs");
  }
  return unimol::featurise(*molecule.conformer, choice_.most_atoms);
}

memory::ItemSize UnimolEncoder::estimate(const MoleculeSize& molecule) const {
  // In a chain, an atom of an organic molecule has up to two hydrogens, and each of the two ends has up to
  // three. A single atom has at most four hydrogens.
  const std::size_t hydrogens = origin_.atoms == chem::Coordinates::all ? 2 * molecule.atoms + 2 : 0;
  const std::size_t tokens = std::min(molecule.atoms + hydrogens, choice_.most_atoms) + 2;
  return {.tokens = tokens, .pairs = tokens * tokens};
}

/// The estimate counts operations, for the published sizes of the encoder. A token passes 2 x 3.1 million
/// weights in each layer. A pair needs 2 x 2 x 512 products, an exponential for each head, and its share of
/// the Gaussian features.
double UnimolEncoder::time_in_tokens(const memory::Cost& cost) const {
  constexpr double kPairInTokens = 1.0 / 800;
  return static_cast<double>(cost.padded) + kPairInTokens * static_cast<double>(cost.pairs);
}

std::uint64_t UnimolEncoder::featurised_bytes(const memory::ItemSize& size) const {
  return sizeof(Inputs) + size.tokens * sizeof(std::int64_t) + size.pairs * sizeof(float);
}

std::uint64_t UnimolEncoder::featurising_bytes(const memory::ItemSize& size) const {
  // Memory of the conformer of the molecule and of its centred positions.
  return size.tokens * (1 + sizeof(float) * 2 * 3);
}

std::unique_ptr<FeaturisedMolecule> UnimolEncoder::stand_in(const memory::ItemSize& size) const {
  auto inputs = std::make_unique<Inputs>();
  inputs->is_made_up = true;
  inputs->tokens.assign(size.tokens, kUnknown);
  inputs->distances.assign(size.tokens * size.tokens, 1.5F);
  return inputs;
}

std::vector<const Inputs*> UnimolEncoder::inputs_of(std::span<const FeaturisedMolecule* const> batch,
                                                    std::size_t numbers, std::size_t width) {
  if (numbers != batch.size() * width) {
    throw std::invalid_argument("UnimolEncoder: rows do not fit the batch");
  }
  std::vector<const Inputs*> molecules;
  for (const FeaturisedMolecule* const molecule : batch) {
    molecules.push_back(&dynamic_cast<const Inputs&>(*molecule));
  }
  return molecules;
}

bool UnimolEncoder::is_made_up(std::span<const Inputs* const> molecules) {
  return std::all_of(molecules.begin(), molecules.end(),
                     [](const Inputs* molecule) { return molecule->is_made_up; });
}

void UnimolEncoder::encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const {
  if (choice_.fine.any()) {
    encode_finely(batch, rows, [](std::size_t, const AtomPairFeatures&) {});
    return;
  }
  const std::vector<const Inputs*> molecules = inputs_of(batch, rows.size(), width());
  if (!molecules.empty()) {
    std::copy_n(run(molecules).tokens.data(), rows.size(), rows.data());
  }
}

void UnimolEncoder::encode_finely(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows,
                                  const VisitFine& visit) const {
  const std::vector<const Inputs*> molecules = inputs_of(batch, rows.size(), width());
  if (molecules.empty()) {
    return;
  }
  const Outputs<ops::Floats> outputs = run(molecules);
  const float* token = outputs.tokens.data();
  const float* pair = outputs.pairs.data();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::size_t tokens = molecules[i]->tokens.size(), pairs = tokens * tokens * pair_width();
    std::copy_n(token, width(), rows.begin() + static_cast<std::ptrdiff_t>(i * width()));
    AtomPairFeatures features;
    if (choice_.fine.atoms) {
      features.atoms = {token + width(), (tokens - std::min<std::size_t>(tokens, 2)) * width()};
    }
    if (choice_.fine.pairs) {
      features.pairs = {pair, pairs};
    }
    visit(i, features);
    token += tokens * width();
    pair += pairs;
  }
}

Outputs<ops::Floats> UnimolEncoder::run(std::span<const Inputs* const> molecules) const {
  const bool is_measurement = is_made_up(molecules), is_fine = choice_.fine.any();
  const Wanted wanted = is_measurement
                            ? (is_fine ? Wanted::memory_of_everything : Wanted::memory_of_class_tokens)
                        : is_fine ? Wanted::everything
                                  : Wanted::class_tokens;
  return compute(pack(molecules), wanted);
}

std::uint64_t UnimolEncoder::fine_bytes(const memory::ItemSize& size) const {
  const std::uint64_t atoms = choice_.fine.atoms ? size.tokens * width() : 0;
  const std::uint64_t pairs = choice_.fine.pairs ? size.pairs * pair_width() : 0;
  return (atoms + pairs) * sizeof(float);
}

}  // namespace molgauge::encoders::unimol
