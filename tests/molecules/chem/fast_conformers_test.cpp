// The fast conformer engine: its energies against RDKit and against numerical derivatives, and its
// conformers.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ForceField/ForceField.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/chem/conformers/fast/distance_geometry.h"
#include "molecules/chem/conformers/fast/embedding_terms.h"
#include "molecules/chem/conformers/fast/energies.h"
#include "molecules/chem/conformers/fast/engine.h"
#include "molecules/chem/conformers/fast/force_field_terms.h"
#include "molecules/chem/conformers/fast/quasi_newton.h"
#include "molecules/chem/conformers/worker_process.h"
#include "records.h"

namespace molgauge::chem::fast {
namespace {

using Molecule = std::unique_ptr<RDKit::RWMol>;

/// Drugs, a peptide, a cage, a large ring, a salt, a triple bond, double bonds, sulfur, phosphorus, and atoms
/// alone.
const char* const kMolecules[] = {"CC(=O)Oc1ccccc1C(=O)O",
                                  "C[C@H](N)C(=O)N[C@@H](CO)C(=O)O",
                                  "C1C2CC3CC1CC(C2)C3",
                                  "C1CCCCCCCCCCCCC1",
                                  "C[N+](C)(C)CC(=O)[O-].CCO",
                                  "CC#CC/C=C/C",
                                  "O=C(Nc1ccc(S(=O)(=O)N)cc1)C1CC1c1ccc(F)cc1",
                                  "CCOP(=O)(OCC)OC(=C)Cl",
                                  "C",
                                  "N#CC#N"};

Molecule molecule_of(const std::string& smiles) {
  Molecule molecule(RDKit::SmilesToMol(smiles));
  RDKit::MolOps::addHs(*molecule);
  return molecule;
}

Molecule embedded(const std::string& smiles) {
  Molecule molecule = molecule_of(smiles);
  RDKit::DGeomHelpers::EmbedParameters parameters;
  parameters.randomSeed = 42;
  parameters.useExpTorsionAnglePrefs = true;
  parameters.useBasicKnowledge = true;
  EXPECT_GE(RDKit::DGeomHelpers::EmbedMolecule(*molecule, parameters), 0) << smiles;
  return molecule;
}

/// The coordinates of a molecule as positions of an energy. Dimensions after the third are zero.
std::vector<double> positions_of(const RDKit::ROMol& molecule, const Energy& energy) {
  std::vector<double> positions(energy.width());
  const std::size_t axis = energy.shape().axis;
  for (unsigned i = 0; i < molecule.getNumAtoms(); ++i) {
    const RDGeom::Point3D& point = molecule.getConformer().getAtomPos(i);
    positions[i] = point.x;
    positions[axis + i] = point.y;
    positions[2 * axis + i] = point.z;
  }
  return positions;
}

/// Moves each coordinate by up to 0.2 angstrom.
void disturb(const Energy& energy, std::vector<double>& positions) {
  RandomNumbers random(7);
  for (std::size_t i = 0; i < energy.dimensions() * energy.shape().axis; ++i) {
    positions[i] += 0.4 * (random.next() - 0.5);
  }
}

/// Compares the slopes with differences of energies. Energies have errors of float32, so the differences are
/// large.
void expect_derivatives(Energy& energy, std::vector<double> positions) {
  constexpr double kStep = 1e-3;
  std::vector<double> slopes(energy.width()), unused(energy.width());
  energy.evaluate(positions.data(), slopes.data());
  double steepest = 1;
  for (const double slope : slopes) {
    steepest = std::max(steepest, std::fabs(slope));
  }
  for (std::size_t i = 0; i < energy.dimensions() * energy.shape().axis; ++i) {
    const double place = positions[i];
    positions[i] = place + kStep;
    const double above = energy.evaluate(positions.data(), unused.data());
    positions[i] = place - kStep;
    const double below = energy.evaluate(positions.data(), unused.data());
    positions[i] = place;
    EXPECT_NEAR(slopes[i], (above - below) / (2 * kStep), 2e-3 * steepest) << i;
  }
}

double energy_by_rdkit(RDKit::ROMol& molecule) {
  RDKit::MMFF::MMFFMolProperties properties(molecule);
  const std::unique_ptr<ForceFields::ForceField> field(
      RDKit::MMFF::constructForceField(molecule, &properties, 100));
  field->initialize();
  return field->calcEnergy();
}

TEST(FastConformers, EnergiesOfMmffAreRdkits) {
  for (const char* const smiles : kMolecules) {
    const Molecule molecule = embedded(smiles);
    const auto terms = force_field_terms(*molecule);
    ASSERT_TRUE(terms) << smiles;
    ForceFieldEnergy energy(*terms);
    std::vector<double> slopes(energy.width());
    const double wanted = energy_by_rdkit(*molecule);
    EXPECT_NEAR(energy.evaluate(positions_of(*molecule, energy).data(), slopes.data()), wanted,
                1e-6 * std::max(std::fabs(wanted), 50.0))
        << smiles;
  }
}

TEST(FastConformers, SlopesAreDerivativesOfEnergies) {
  for (const char* const smiles : kMolecules) {
    SCOPED_TRACE(smiles);
    const Molecule molecule = embedded(smiles);
    const auto terms = force_field_terms(*molecule);
    ForceFieldEnergy energy(*terms);
    expect_derivatives(energy, positions_of(*molecule, energy));
    if (std::string(smiles).find('.') != std::string::npos) {
      continue;
    }
    const auto knowledge = embedding_terms(*molecule);
    for (const std::size_t dimensions : {3U, 4U}) {
      ViolationEnergy violations(*knowledge, dimensions, 5);
      std::vector<double> positions = positions_of(*molecule, violations);
      disturb(violations, positions);
      expect_derivatives(violations, positions);
    }
    PreferenceEnergy preferences(*knowledge);
    std::vector<double> positions = positions_of(*molecule, preferences);
    preferences.keep_distances(positions.data());
    disturb(preferences, positions);
    expect_derivatives(preferences, positions);
  }
}

TEST(FastConformers, AllInstructionLevelsAgree) {
  const Molecule molecule = embedded("O=C(Nc1ccc(S(=O)(=O)N)cc1)C1CC1c1ccc(F)cc1");
  const auto terms = force_field_terms(*molecule);
  ForceFieldEnergy energy(*terms);
  const std::vector<double> positions = positions_of(*molecule, energy);
  const PairShape shape = energy.shape();
  AlignedVector<float> points(3 * shape.square), rest(3 * shape.square), slopes(3 * shape.square);
  const NonbondedPairs pairs{shape, terms->inverse_radius.data(), terms->depth.data(), terms->charges.data()};
  kernels().spread(shape, 3, positions.data(), points.data(), rest.data());
  const double wanted = kernels().nonbonded(pairs, points.data(), rest.data(), slopes.data());
  for (const VectorLevel level : {VectorLevel::generic, VectorLevel::avx2, VectorLevel::avx512}) {
    if (is_supported(level)) {
      EXPECT_NEAR(kernels_of(level).nonbonded(pairs, points.data(), rest.data(), slopes.data()), wanted,
                  1e-5 * std::fabs(wanted));
    }
  }
}

TEST(FastConformers, BothMinimisersReachTheMinimum) {
  const Molecule molecule = embedded("CC(=O)Oc1ccccc1C(=O)O");
  const auto terms = force_field_terms(*molecule);
  ForceFieldEnergy energy(*terms);
  std::vector<double> dense = positions_of(*molecule, energy), limited = dense;
  QuasiNewtonMinimiser bfgs(energy.width(), Hessian::dense), lbfgs(energy.width(), Hessian::limited);
  EXPECT_TRUE(bfgs.minimise(energy, 2000, 1e-4, dense));
  EXPECT_TRUE(lbfgs.minimise(energy, 2000, 1e-4, limited));
  EXPECT_NEAR(bfgs.lowest(), lbfgs.lowest(), 0.01);
  RDKit::MMFF::MMFFOptimizeMolecule(*molecule, 2000, "MMFF94", 100);
  EXPECT_NEAR(bfgs.lowest(), energy_by_rdkit(*molecule), 0.01);
}

TEST(FastConformers, HaveTheDrawnStereochemistry) {
  for (const std::string smiles :
       {"C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", "F/C=C/Cl", "F/C=C\\Cl", "O[C@H]1CC[C@@H](N)CC1",
        "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
        "C/C=C/C=C\\C(=O)N[C@@H](C)c1ccccc1"}) {
    const Molecule molecule = molecule_of(smiles);
    ASSERT_TRUE(add_conformer(*molecule)) << smiles;
    RDKit::RWMol read(*molecule);
    RDKit::MolOps::removeStereochemistry(read);
    RDKit::MolOps::assignStereochemistryFrom3D(read);
    const Molecule own(
        static_cast<RDKit::RWMol*>(RDKit::MolOps::removeHs(static_cast<const RDKit::ROMol&>(read))));
    EXPECT_EQ(RDKit::MolToSmiles(*own), RDKit::MolToSmiles(*Molecule(RDKit::SmilesToMol(smiles))));
  }
}

TEST(FastConformers, HardMoleculesHaveConformers) {
  for (const std::string smiles :
       {"C12C3C4C1C5C2C3C45", "C1CCCCCCCCCCCCC1", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "C1C2CC3CC1CC(C2)C3",
        "O=C1NCC(=O)NCC(=O)NCC(=O)NCC(=O)NCC(=O)NC1", "C1=CC2C=CC1C=C2"}) {
    EXPECT_TRUE(add_conformer(*molecule_of(smiles))) << smiles;
  }
}

/// The torsion preferences of an acyl urea can only be satisfied with a straight angle at a nitrogen atom.
TEST(FastConformers, ContradictoryTorsionPreferencesAreIgnored) {
  const Molecule molecule = molecule_of("CC(=O)NC(=O)NC1=NCCC(=O)N1CCc1c[nH]c2ccccc12");
  ASSERT_TRUE(add_conformer(*molecule));
  EXPECT_LT(energy_by_rdkit(*molecule), -140);
}

TEST(FastConformers, AtomTypesWithoutParametersAreReported) {
  EXPECT_EQ(add_conformer(*molecule_of("C[As](C)C")), Refined::no_parameters);
  EXPECT_EQ(add_conformer(*molecule_of("[H][H]")), Refined::no_parameters);
  EXPECT_EQ(add_conformer(*molecule_of("CCO")), Refined::converged);
}

}  // namespace
}  // namespace molgauge::chem::fast

namespace molgauge::chem {
namespace {

constexpr ConformerLimits kFast{.deadline = std::chrono::duration<double>(120),
                                .engine = ConformerEngine::fast};

TEST(FastConformers, DoNotDependOnEarlierMolecules) {
  WorkerProcess worker, other;
  const auto record = test::smiles_record("CC(=O)Oc1ccccc1C(=O)O");
  const MadeConformer made = worker.make(record, kFast);
  EXPECT_EQ(made.made_by, MadeBy::fast);
  worker.make(test::smiles_record("CCCCCCCCO"), kFast);
  EXPECT_EQ(worker.make(record, kFast), made);
  EXPECT_EQ(other.make(record, kFast), made);
  EXPECT_EQ(unpack_conformer(pack(made)), made);
}

TEST(FastConformers, RdkitMakesConformersThatTheEngineCannot) {
  WorkerProcess worker;
  const auto record = test::smiles_record("CS[CH-][Mo+2]1234(C#[O+])(C#[O+])C5=C1[C-]2C3=C54");
  const MadeConformer made = worker.make(record, kFast);
  EXPECT_EQ(made.made_by, MadeBy::exact_after_fast);
  EXPECT_EQ(made.embedding, Embedding::flat);
}

/// The atoms of a conformer, independent of their order.
std::vector<std::pair<std::uint8_t, std::array<float, 3>>> atoms_of(const MadeConformer& made) {
  std::vector<std::pair<std::uint8_t, std::array<float, 3>>> atoms;
  for (std::size_t i = 0; i < made.conformer.elements.size(); ++i) {
    atoms.emplace_back(made.conformer.elements[i], made.conformer.positions[i]);
  }
  std::sort(atoms.begin(), atoms.end());
  return atoms;
}

TEST(FastConformers, OfAllDrawingsAreOne) {
  WorkerProcess worker;
  const std::vector<std::vector<std::string>> molecules = {
      {"CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1OC(C)=O", "C1=CC=CC(C(=O)O)=C1OC(=O)C"},
      {"N[C@@H](C)C(=O)O", "OC(=O)[C@H](C)N", "C[C@H](N)C(O)=O"},
      {"C/C=C/[C@H]1CC[C@@H](Br)CC1.O", "O.Br[C@@H]1CC[C@H](/C=C/C)CC1"},
      {"CS[CH-][Mo+2]1234(C#[O+])(C#[O+])C5=C1[C-]2C3=C54"}};
  for (const auto& drawings : molecules) {
    const MadeConformer first = worker.make(test::smiles_record(drawings[0]), kFast);
    for (const std::string& drawing : drawings) {
      const MadeConformer made = worker.make(test::smiles_record(drawing), kFast);
      EXPECT_EQ(atoms_of(made), atoms_of(first)) << drawing;
      EXPECT_EQ(made.made_by, first.made_by) << drawing;
    }
  }
}

TEST(FastConformers, KeepTheOrderOfTheDrawing) {
  WorkerProcess worker;
  const MadeConformer made = worker.make(test::smiles_record("OC(F)(Cl)CN"), kFast);
  ASSERT_EQ(made.conformer.elements.size(), 11U);
  EXPECT_EQ(std::vector<std::uint8_t>(made.conformer.elements.begin(), made.conformer.elements.begin() + 6),
            (std::vector<std::uint8_t>{8, 6, 9, 17, 6, 7}));
  const auto distance = [&](std::size_t a, std::size_t b) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double difference = static_cast<double>(made.conformer.positions[a][d]) -
                                static_cast<double>(made.conformer.positions[b][d]);
      square += difference * difference;
    }
    return std::sqrt(square);
  };
  // The first hydrogen belongs to O, the next two to the carbon of CH2, and the last two to N.
  const std::vector<std::pair<std::size_t, std::size_t>> bonds = {{0, 1}, {1, 2}, {1, 3}, {1, 4}, {4, 5},
                                                                  {0, 6}, {4, 7}, {4, 8}, {5, 9}, {5, 10}};
  for (const auto& [a, b] : bonds) {
    EXPECT_LT(distance(a, b), 1.9) << a << " " << b;
  }
}

}  // namespace
}  // namespace molgauge::chem
