#include "molecules/encoders/minimol/made_up_inputs.h"

namespace molgauge::encoders::minimol {
namespace {

/// Some thousand drug molecules have about 20 distinct rows of bond features.
constexpr std::size_t kEdgeKinds = 32;

}  // namespace

std::unique_ptr<Inputs> made_up_inputs(std::size_t atoms, std::size_t directed_edges) {
  auto inputs = std::make_unique<Inputs>();
  inputs->atoms = atoms;
  inputs->feat.assign(atoms * kAtomFeatures, 0.5F);
  inputs->laplacian_eigvec.assign(atoms * kEigenpairs, 0.25F);
  inputs->laplacian_eigval.assign(atoms * kEigenpairs, 0.75F);
  inputs->rw_return_probs.assign(atoms * kWalkSteps, 0.125F);
  inputs->edge_feat.assign(directed_edges * kBondFeatures, 0.0F);
  for (std::size_t edge = 0; edge < directed_edges; ++edge) {
    inputs->edge_feat[edge * kBondFeatures] = static_cast<float>(edge % kEdgeKinds);
    inputs->edge_source.push_back(static_cast<std::int64_t>(edge % atoms));
    inputs->edge_target.push_back(static_cast<std::int64_t>((edge + 1) % atoms));
  }
  return inputs;
}

}  // namespace molgauge::encoders::minimol
