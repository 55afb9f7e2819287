#include "molecules/chem/perception.h"

#include <algorithm>
#include <tuple>

#include <gmock/gmock.h>

#include "records.h"

namespace molgauge::chem {
namespace {

using test::perceive_smiles;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const Atom& only(const Molecule& molecule, int atomic_number) {
  const auto is_it = [&](const Atom& atom) { return atom.atomic_number == atomic_number; };
  EXPECT_EQ(std::count_if(molecule.atoms.begin(), molecule.atoms.end(), is_it), 1);
  return *std::find_if(molecule.atoms.begin(), molecule.atoms.end(), is_it);
}

std::vector<std::uint32_t> text_indices(const Molecule& molecule) {
  std::vector<std::uint32_t> indices;
  for (const Atom& atom : molecule.atoms) {
    indices.push_back(atom.text_index);
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

TEST(Perception, Methane) {
  const Molecule molecule = perceive_smiles("C");
  ASSERT_THAT(molecule.atoms, SizeIs(1));
  EXPECT_THAT(molecule.bonds, IsEmpty());
  const Atom& carbon = molecule.atoms[0];
  EXPECT_EQ(carbon.atomic_number, 6);
  EXPECT_EQ(carbon.total_degree, 4);
  EXPECT_EQ(carbon.total_valence, 4);
  EXPECT_EQ(carbon.formal_charge, 0);
  EXPECT_EQ(carbon.radical_electrons, 0);
  EXPECT_FALSE(carbon.aromatic || carbon.in_ring);
}

TEST(Perception, BondsNameTheAtomsInTheirNewOrder) {
  const Molecule molecule = perceive_smiles("CCO");
  ASSERT_THAT(molecule.bonds, SizeIs(2));
  const Bond& carbon_oxygen = molecule.bonds[1];
  EXPECT_EQ(molecule.atoms[carbon_oxygen.begin].text_index, 1U);
  EXPECT_EQ(molecule.atoms[carbon_oxygen.end].text_index, 2U);
  EXPECT_EQ(molecule.atoms[carbon_oxygen.end].atomic_number, 8);
}

TEST(Perception, OrderDoesNotDependOnTheSpelling) {
  const auto described = [](const Molecule& molecule) {
    std::vector<std::tuple<int, int, int>> description;
    for (const Atom& atom : molecule.atoms) {
      description.emplace_back(atom.atomic_number, atom.total_degree, 0);
    }
    std::vector<std::tuple<int, int, int>> bonds;
    for (const Bond& bond : molecule.bonds) {
      bonds.emplace_back(std::min(bond.begin, bond.end), std::max(bond.begin, bond.end),
                         static_cast<int>(bond.type));
    }
    std::sort(bonds.begin(), bonds.end());
    description.insert(description.end(), bonds.begin(), bonds.end());
    return description;
  };
  EXPECT_EQ(described(perceive_smiles("CC(=O)Oc1ccccc1C(=O)O")),
            described(perceive_smiles("OC(=O)c1c(OC(C)=O)cccc1")));
}

TEST(Perception, SaltsKeepAllTheirParts) {
  const Molecule molecule = perceive_smiles("CC(=O)[O-].[Na+]");
  EXPECT_THAT(molecule.atoms, SizeIs(5));
  EXPECT_EQ(only(molecule, 11).formal_charge, 1);
  EXPECT_EQ(only(molecule, 11).total_degree, 0);
}

TEST(Perception, HydrogensAreMergedButForIsotopesAndLoneOnes) {
  EXPECT_THAT(perceive_smiles("[H]C([H])([H])O").atoms, SizeIs(2));
  EXPECT_THAT(perceive_smiles("[2H]C([2H])([2H])O").atoms, SizeIs(5));
  EXPECT_THAT(perceive_smiles("[H][H]").atoms, SizeIs(2));
  EXPECT_THAT(perceive_smiles("[H+].[Cl-]").atoms, SizeIs(2));
}

TEST(Perception, PlacesInTheTextCountExplicitHydrogens) {
  EXPECT_THAT(text_indices(perceive_smiles("[H]C([H])([H])O")), ElementsAre(1, 4));
  EXPECT_THAT(text_indices(perceive_smiles("[2H]C([H])([2H])O")), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(text_indices(perceive_smiles("O([H])[2H]")), ElementsAre(0, 2));
  EXPECT_THAT(text_indices(perceive_smiles("[H][H]")), ElementsAre(0, 1));
  EXPECT_THAT(text_indices(perceive_smiles("[H]/N=C/C")), ElementsAre(0, 1, 2, 3));
}

TEST(Perception, DegreesBeyondAByteAreKept) {
  std::string star = "[U]";
  for (int i = 0; i < 300; ++i) {
    star += "(C)";
  }
  EXPECT_EQ(only(perceive_smiles(star), 92).total_degree, 300);
}

TEST(Perception, ADativeBondAddsToTheAcceptorsValenceAlone) {
  const Molecule molecule = perceive_smiles("N->[Fe]");
  EXPECT_EQ(molecule.bonds.at(0).type, BondType::other);
  EXPECT_EQ(only(molecule, 7).total_degree, 4);
  EXPECT_EQ(only(molecule, 7).total_valence, 3);
  EXPECT_EQ(only(molecule, 26).total_valence, 1);
}

TEST(Perception, RadicalsAndCharges) {
  EXPECT_EQ(only(perceive_smiles("C[CH2]C.[O]"), 8).radical_electrons, 2);
  EXPECT_EQ(only(perceive_smiles("C[NH3+]"), 7).formal_charge, 1);
}

TEST(Perception, AromaticRings) {
  const Molecule molecule = perceive_smiles("Cc1ccccc1");
  EXPECT_EQ(std::count_if(molecule.atoms.begin(), molecule.atoms.end(),
                          [](const Atom& atom) { return atom.aromatic && atom.in_ring; }),
            6);
  EXPECT_EQ(std::count_if(molecule.bonds.begin(), molecule.bonds.end(),
                          [](const Bond& bond) { return bond.type == BondType::aromatic && bond.in_ring; }),
            6);
  EXPECT_FALSE(molecule.bonds[0].in_ring);
}

TEST(Perception, BondTypesAndStereo) {
  EXPECT_EQ(perceive_smiles("C#N").bonds.at(0).type, BondType::triple);
  EXPECT_EQ(perceive_smiles("CC=CC").bonds.at(1).stereo, BondStereo::none);
  const Bond trans = perceive_smiles("C/C=C/C").bonds.at(1);
  EXPECT_EQ(trans.type, BondType::double_);
  EXPECT_EQ(trans.stereo, BondStereo::e);
  EXPECT_EQ(perceive_smiles("C/C=C\\C").bonds.at(1).stereo, BondStereo::z);
  EXPECT_EQ(perceive_smiles("C/C=C(/C)C").bonds.at(1).stereo, BondStereo::none);
}

TEST(Perception, ExtensionsMayFollowAndNamesMayNot) {
  EXPECT_THAT(perceive_smiles("CCO |$;;OH$|").atoms, SizeIs(3));
  EXPECT_THROW(perceive_smiles("CCO ethanol"), InvalidMolecule) << "its reader drops a name";
}

TEST(Perception, OnlyWhatIsWantedIsFilledIn) {
  Perception wanted;
  EXPECT_THAT(perceive(test::smiles_record("CCO"), wanted).morgan, IsEmpty());
  wanted.graph = false;
  wanted.morgan = true;
  const Molecule molecule = perceive(test::smiles_record("CCO"), wanted);
  EXPECT_THAT(molecule.atoms, IsEmpty());
  EXPECT_THAT(molecule.morgan, Not(IsEmpty()));
}

}  // namespace
}  // namespace molgauge::chem
