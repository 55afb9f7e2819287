// Compares the minimiser of RDKit in this process with our minimiser, which replaces it in the process that
// makes conformers.

#include "molecules/chem/conformers/minimiser.h"

#include <memory>

#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <gtest/gtest.h>

#include "molecules/chem/conformers/worker_process.h"
#include "records.h"

namespace molgauge::chem {
namespace {

using Molecule = std::unique_ptr<RDKit::RWMol>;

/// Drugs, a cage, a large ring, two fragments, hydrogen alone, and an element that MMFF does not know.
const char* const kMolecules[] = {"CC(=O)Oc1ccccc1C(=O)O",
                                  "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
                                  "C1C2CC3CC1CC(C2)C3",
                                  "C1CCCCCCCCCCCCC1",
                                  "CCO.CC(=O)[O-]",
                                  "[H][H]",
                                  "C[As](C)C",
                                  "CC1=C(C(CCC1)(C)C)C=CC(=CC=CC(=CC(=O)O)C)C",
                                  "O=C(Nc1ccc(S(=O)(=O)N)cc1)C1CC1c1ccc(F)cc1"};

Molecule embedded(const char* smiles) {
  Molecule molecule(RDKit::SmilesToMol(smiles));
  RDKit::MolOps::addHs(*molecule);
  RDKit::DGeomHelpers::EmbedParameters parameters;
  parameters.randomSeed = 42;
  parameters.useExpTorsionAnglePrefs = true;
  parameters.useBasicKnowledge = true;
  EXPECT_GE(RDKit::DGeomHelpers::EmbedMolecule(*molecule, parameters), 0) << smiles;
  return molecule;
}

std::unique_ptr<ForceFields::ForceField> force_field(RDKit::ROMol& molecule) {
  RDKit::MMFF::MMFFMolProperties properties(molecule, "MMFF94");
  if (!properties.isValid()) {
    return nullptr;
  }
  std::unique_ptr<ForceFields::ForceField> field(
      RDKit::MMFF::constructForceField(molecule, &properties, 100));
  field->initialize();
  return field;
}

std::vector<double> places_of(const RDKit::ROMol& molecule) {
  std::vector<double> places;
  for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
    const RDGeom::Point3D& place = molecule.getConformer().getAtomPos(atom);
    places.insert(places.end(), {place.x, place.y, place.z});
  }
  return places;
}

TEST(Minimiser, HasTheBitsOfRdkits) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "RDKit's package for this processor fuses products and sums";
#endif
  for (const char* const smiles : kMolecules) {
    for (const unsigned steps : {1U, 20U, 200U, 2000U}) {
      SCOPED_TRACE(testing::Message() << smiles << ", " << steps);
      const Molecule own = embedded(smiles), other = embedded(smiles);
      const auto field = force_field(*own), reference = force_field(*other);
      if (!field) {
        continue;
      }
      EXPECT_EQ(minimise(*field, steps, 1e-4), reference->minimize(steps, 1e-4) == 0);
      EXPECT_EQ(places_of(*own), places_of(*other));
    }
  }
}

TEST(Minimiser, LeavesAFieldWithoutForcesAlone) {
  ForceFields::ForceField field;
  RDGeom::Point3D point(1, 2, 3);
  field.positions().push_back(&point);
  field.initialize();
  EXPECT_TRUE(minimise(field, 10, 1e-4));
  EXPECT_EQ(point.x, 1);
}

/// Runs the complete embedding and refinement, as a program that calls only RDKit does.
TEST(Minimiser, GivesConformersTheBitsOfRdkit) {
  WorkerProcess worker;
  for (const char* const smiles : kMolecules) {
    SCOPED_TRACE(smiles);
    const MadeConformer made = worker.make(test::smiles_record(smiles), {});
    const Molecule molecule = embedded(smiles);
    RDKit::MMFF::MMFFOptimizeMolecule(*molecule, 200, "MMFF94", 100);
    const std::vector<double> places = places_of(*molecule);
    ASSERT_EQ(3 * made.conformer.positions.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_EQ(made.conformer.positions[i / 3][i % 3], static_cast<float>(places[i])) << i;
    }
  }
}

}  // namespace
}  // namespace molgauge::chem
