#include "molecules/chem/conformers/fast/engine.h"

#include <memory>
#include <utility>
#include <vector>

#include <GraphMol/Conformer.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/ROMol.h>

#include "molecules/chem/conformers/fast/checks.h"
#include "molecules/chem/conformers/fast/distance_geometry.h"
#include "molecules/chem/conformers/fast/embedding_terms.h"
#include "molecules/chem/conformers/fast/force_field_terms.h"
#include "molecules/chem/conformers/fast/quasi_newton.h"

namespace molgauge::chem::fast {
namespace {

constexpr std::uint32_t kSeed = 42;
constexpr std::size_t kSteps = 200;
constexpr double kFlatEnough = 1e-4;
constexpr std::size_t kWidestDense = 1536;  ///< a matrix of 9 MB
/// Number of embeddings whose stereochemistry may change during the refinement.
constexpr int kRefinements = 10;

/// A connected part of the molecule. `atoms` are its atoms in the molecule.
struct Fragment {
  Fragment(EmbeddingTerms terms_, std::vector<int> atoms_, bool is_refined)
      : terms(std::move(terms_)), atoms(std::move(atoms_)), embedder(terms, kSeed, is_refined) {}

  EmbeddingTerms terms;
  std::vector<int> atoms;
  Embedder embedder;
  std::vector<double> positions;
};

using Fragments = std::vector<std::unique_ptr<Fragment>>;

std::optional<Fragments> fragments_of(const RDKit::ROMol& molecule, bool is_refined) {
  std::vector<std::vector<int>> atoms;
  const auto parts = RDKit::MolOps::getMolFrags(molecule, true, nullptr, &atoms);
  Fragments fragments;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    auto terms = embedding_terms(*parts[part]);
    if (!terms) {
      return std::nullopt;
    }
    fragments.push_back(std::make_unique<Fragment>(*std::move(terms), std::move(atoms[part]), is_refined));
  }
  return fragments;
}

bool embed(Fragments& fragments) {
  for (const auto& fragment : fragments) {
    auto positions = fragment->embedder.next();
    if (!positions) {
      return false;
    }
    fragment->positions = *std::move(positions);
  }
  return true;
}

/// Copies between the positions of fragments and of the molecule, [3, axis] each.
template <typename Copy>
void for_each_coordinate(const Fragments& fragments, std::size_t axis, Copy copy) {
  for (const auto& fragment : fragments) {
    const std::size_t own_axis = PairShape(fragment->atoms.size()).axis;
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t i = 0; i < fragment->atoms.size(); ++i) {
        copy(fragment->positions[d * own_axis + i], d * axis + static_cast<std::size_t>(fragment->atoms[i]));
      }
    }
  }
}

bool is_stereo_right(const Fragments& fragments) {
  for (const auto& fragment : fragments) {
    const std::size_t axis = PairShape(fragment->atoms.size()).axis;
    const double* const x = fragment->positions.data();
    if (!is_stereo_right(fragment->terms.chiral, fragment->terms.double_bonds, {x, x + axis, x + 2 * axis})) {
      return false;
    }
  }
  return true;
}

void add(const std::vector<double>& positions, std::size_t axis, RDKit::ROMol& molecule) {
  auto conformer = std::make_unique<RDKit::Conformer>(molecule.getNumAtoms());
  for (unsigned i = 0; i < molecule.getNumAtoms(); ++i) {
    conformer->setAtomPos(i, {positions[i], positions[axis + i], positions[2 * axis + i]});
  }
  molecule.clearConformers();
  molecule.addConformer(conformer.release(), true);
}

}  // namespace

std::optional<Refined> add_conformer(RDKit::ROMol& molecule) {
  const auto terms = force_field_terms(molecule);
  auto fragments = fragments_of(molecule, terms.has_value());
  if (!fragments) {
    return std::nullopt;
  }
  const std::size_t axis = PairShape(molecule.getNumAtoms()).axis;
  std::vector<double> positions(padded(3 * axis));
  const auto energy = terms ? std::make_unique<ForceFieldEnergy>(*terms) : nullptr;
  for (int refinement = 0; refinement < kRefinements && embed(*fragments); ++refinement) {
    for_each_coordinate(*fragments, axis, [&](double from, std::size_t to) { positions[to] = from; });
    Refined refined = Refined::no_parameters;
    if (energy) {
      const Hessian kind = energy->width() <= kWidestDense ? Hessian::dense : Hessian::limited;
      const bool is_converged =
          QuasiNewtonMinimiser(energy->width(), kind).minimise(*energy, kSteps, kFlatEnough, positions);
      refined = is_converged ? Refined::converged : Refined::not_converged;
      for_each_coordinate(*fragments, axis, [&](double& to, std::size_t from) { to = positions[from]; });
    }
    if (is_stereo_right(*fragments)) {
      add(positions, axis, molecule);
      return refined;
    }
  }
  return std::nullopt;
}

}  // namespace molgauge::chem::fast
