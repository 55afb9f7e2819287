#include "pockets/physics.h"

#include <cmath>

#include <ATen/ATen.h>

namespace molgauge::pocket {
namespace {

constexpr double kPi = 3.14159265358979323846;

at::Tensor column(const at::Tensor& attributes, std::int64_t number) { return attributes.select(1, number); }

at::Tensor mean_or_zero(const at::Tensor& energies) {
  return energies.numel() > 0 ? energies.mean() : at::zeros({}, energies.options());
}

at::Tensor distances(const at::Tensor& positions, const TensorOperators::DirectedEdges& edges) {
  return at::norm(TensorOperators::edge_vectors(positions, edges), 2, {1}, /*keepdim=*/false);
}

}  // namespace

at::Tensor PhysicsEnergies::total(bool with_pairs) const {
  const at::Tensor sum = mean_or_zero(bonds) + mean_or_zero(angles) + mean_or_zero(dihedrals);
  return with_pairs ? sum + mean_or_zero(pairs) : sum;
}

PhysicsEnergies physics_energies(const BatchOf<TensorOperators>& batch) {
  const at::Tensor &bond = batch.bonds.attributes, &angle = batch.angles.attributes;
  const at::Tensor &dihedral = batch.dihedrals.attributes, &pair = batch.pairs.attributes;
  PhysicsEnergies energies;
  energies.bonds =
      column(bond, 1) * (distances(batch.positions, batch.bonds.edges) - 2 * column(bond, 0)).square();
  const at::Tensor cosine = TensorOperators::angle_cosines(batch.positions, batch.angles.atoms).select(1, 0);
  energies.angles =
      column(angle, 1) * (at::acos(cosine.clamp(-1 + 1e-7, 1 - 1e-7)) - kPi * column(angle, 0)).square();
  const at::Tensor turns = TensorOperators::dihedral_turns(batch.positions, batch.dihedrals.atoms);
  const at::Tensor phi = at::atan2(turns.select(1, 1), turns.select(1, 0));
  energies.dihedrals =
      column(dihedral, 0) *
      (1 + at::cos(at::round(6 * column(dihedral, 1)) * phi - 2 * kPi * column(dihedral, 2)));
  const at::Tensor sixth = distances(batch.positions, batch.pairs.edges).clamp_min(0.5).pow(6);
  energies.pairs =
      (at::expm1(column(pair, 0)) / sixth.square() - at::expm1(column(pair, 1)) / sixth).clamp_max(100);
  return energies;
}

}  // namespace molgauge::pocket
