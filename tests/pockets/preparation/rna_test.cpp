// Tests the steps from structures to the terms of a force field.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pockets/force_field/assemble.h"
#include "pockets/structures/structure.h"
#include "small_force_field.h"
#include "support/fixtures.h"
#include "text_files.h"

namespace molgauge::pocket {
namespace {

using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class Rna : public testing::Test {
 protected:
  ForceField field() {
    return read_force_field({test::write_text(folder_ / "rna.xml", test::small_force_field())});
  }
  std::vector<StructureModel> structure(const std::string& text) {
    return read_structure(test::write_text(folder_ / "rna.pdb", text));
  }
  AssembledRna assembled(const std::string& text) {
    const ForceField read = field();
    const auto models = structure(text);
    std::vector<const StructureResidue*> residues;
    for (const StructureResidue& residue : models.front()) {
      if (residue.is_nucleic) {
        residues.push_back(&residue);
      }
    }
    return assemble(find_fragments(residues, read), read);
  }

  test::TemporaryFolder folder_;
};

double apart(const AssembledRna& rna, std::size_t a, std::size_t b) {
  const Position &p = rna.positions[a], &q = rna.positions[b];
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

double angle(const AssembledRna& rna, std::size_t a, std::size_t centre, std::size_t b) {
  const double ca = apart(rna, centre, a), cb = apart(rna, centre, b), ab = apart(rna, a, b);
  return std::acos((ca * ca + cb * cb - ab * ab) / (2 * ca * cb));
}

TEST_F(Rna, HasTheAtomsAndChargesOfItsTemplates) {
  const AssembledRna rna = assembled(test::small_rna(3));
  ASSERT_EQ(rna.topology.atoms.size(), 11U + 13U + 14U)
      << "without the first phosphate, with both end hydrogens";
  EXPECT_EQ(rna.names[0], "HO5' of A 1 of chain A");
  EXPECT_EQ(rna.names[37], "HO3' of A 3 of chain A");
  EXPECT_EQ(rna.topology.atoms[0].charge, 0.43);
  EXPECT_EQ(rna.topology.atoms[11].charge, 1.16);
  EXPECT_EQ(rna.topology.atoms[11].element, 15);
  double charge = 0;
  for (const TopologyAtom& atom : rna.topology.atoms) {
    charge += atom.charge;
  }
  EXPECT_NEAR(charge, -2, 0.2);
  EXPECT_EQ(rna.topology.bonds.size(), 10U + 12U + 13U + 2U) << "two bonds between residues";
}

TEST_F(Rna, HydrogensStandByLengthsAndAngles) {
  const AssembledRna rna = assembled(test::small_rna(3));
  // Atom numbers: HO5' 0, O5' 1, C5' 2, H5' 3, H5'' 4, C3' 5, H3' 6, N9 7, H91 8, H92 9.
  EXPECT_NEAR(apart(rna, 0, 1), 0.96, 1e-9);
  EXPECT_NEAR(angle(rna, 0, 1, 2), 1.9111355, 1e-6);
  EXPECT_NEAR(apart(rna, 2, 3), 1.09, 1e-9);
  EXPECT_NEAR(angle(rna, 3, 2, 4), 1.9111355, 1e-6);
  EXPECT_NEAR(apart(rna, 5, 6), 1.09, 1e-9);
  EXPECT_GT(apart(rna, 6, 2), 1.9);
  EXPECT_NEAR(angle(rna, 8, 7, 9), 2 * std::numbers::pi / 3, 1e-6) << "an amino group lies in a plane";
  EXPECT_NEAR(angle(rna, 8, 7, 5), 2.0943951, 1e-6);
}

TEST_F(Rna, HydrogensOfTheFileStayUnlessTheyBelongElsewhere) {
  const std::string line = "ATOM    900 {:<4} A   A   2    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           H\n";
  const auto with = [&](double x) {
    std::string text = test::small_rna(2);
    return text.insert(text.find("TER"), fmt::format(fmt::runtime(line), "H3'", x, 0.2, 1.3));
  };
  EXPECT_EQ(assembled(with(10.5)).positions[11 + 8][0], 10.5);
  EXPECT_NE(assembled(with(12.5)).positions[11 + 8][0], 12.5) << "2.4 A from its carbon";
}

TEST_F(Rna, TermsHaveTheForceFieldsParameters) {
  const AssembledRna rna = assembled(test::small_rna(2));
  const Topology& topology = rna.topology;
  // Atom numbers: O3' 10 in the first residue, and P 11, O5' 14 and C5' 15 in the second residue.
  const auto bond = std::find_if(topology.bonds.begin(), topology.bonds.end(), [](const Bond& candidate) {
    return candidate.atoms == AtomNumbers<2>{10, 11};
  });
  ASSERT_NE(bond, topology.bonds.end());
  EXPECT_NEAR(bond->length, 1.61, 1e-12);
  EXPECT_NEAR(bond->force, 310, 1e-2) << "kJ/mol/nm^2 of k/2 x^2 to kcal/mol/A^2 of k x^2";
  std::vector<Dihedral> around, impropers;
  for (const Dihedral& dihedral : topology.dihedrals) {
    if (dihedral.atoms == AtomNumbers<4>{10, 11, 14, 15}) {
      around.push_back(dihedral);
    }
    if (dihedral.phase > 3 && dihedral.barrier == 1) {
      impropers.push_back(dihedral);
    }
  }
  ASSERT_EQ(around.size(), 2U) << "the rule that names all types, with both of its terms";
  EXPECT_NEAR(around[0].barrier, 2, 1e-12);
  EXPECT_EQ(around[1].barrier, 0);
  ASSERT_EQ(impropers.size(), 2U);
  EXPECT_EQ(impropers[0].atoms, (AtomNumbers<4>{5, 8, 7, 9})) << "the centre is the third";
  const std::size_t carbon = topology.atoms[2].type, entry = carbon * topology.types + carbon;
  EXPECT_NEAR(topology.b[entry], 4 * 0.4577 / 4.184 * std::pow(3.4, 6), 1e-9);
}

TEST_F(Rna, AGapMakesTwoFragments) {
  std::string text = test::small_rna(3);
  const std::size_t second = text.find(" A   2 "), third = text.find(" A   3 ");
  EXPECT_NE(third, std::string::npos);
  text.erase(text.rfind('\n', second) + 1, text.rfind('\n', third) - text.rfind('\n', second));
  const AssembledRna rna = assembled(text);
  EXPECT_EQ(rna.topology.atoms.size(), 2 * 12U) << "two residues that are alone";
}

TEST_F(Rna, WhatHasNoTemplateIsReportedNotGuessed) {
  EXPECT_THAT(refusal([&] { assembled(test::small_rna(3, "PSU")); }),
              HasSubstr("PSU 2 of chain A is a modified residue. The force field has no template PSU"));
  EXPECT_THAT(refusal([&] { assembled(test::small_rna(3, "G")); }),
              HasSubstr("G 2 of chain A cannot be parameterised. The force field has no template G"));
  std::string text = test::small_rna(2);
  const std::size_t nitrogen = text.find("N9 ");
  EXPECT_THAT(refusal([&] { assembled(std::string(text).replace(nitrogen, 3, "N8 ")); }),
              HasSubstr("A 1 of chain A has an atom N8 that is not in the template A5"));
  const std::size_t start = text.rfind('\n', nitrogen) + 1;
  EXPECT_THAT(refusal([&] { assembled(text.erase(start, 81)); }), HasSubstr("A 1 of chain A lacks N9"));
}

TEST_F(Rna, PocketsAreWholeResiduesNearTheLigand) {
  const auto models = structure(test::small_rna(3) + test::small_ligand(1.0) + "END\n");
  ASSERT_EQ(models.size(), 1U);
  const auto ligand = find_ligand(models[0], "mg");
  ASSERT_EQ(ligand, (std::vector<std::size_t>{3}));
  EXPECT_EQ(find_pocket(models[0], ligand, 3.2), (std::vector<std::size_t>{0}));
  EXPECT_EQ(find_pocket(models[0], ligand, 5.7), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(find_ligand(models[0], "ARG").empty());
}

TEST_F(Rna, BadFilesAreRefused) {
  EXPECT_THAT(refusal([&] { structure(""); }), HasSubstr("rna.pdb: holds no atoms"));
  EXPECT_THAT(refusal([&] { read_structure(test::write_text(folder_ / "a.cif", "data_x\nloop_\n_a.b\n")); }),
              HasSubstr("a.cif"));
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = test::small_force_field();
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { read_force_field({test::write_text(folder_ / "bad.xml", text)}); });
  };
  EXPECT_THAT(refused("</AtomTypes>", "</Atom"), AllOf(HasSubstr("bad.xml:"), HasSubstr("no XML")));
  EXPECT_THAT(refused("<ForceField>", "<!DOCTYPE a [<!ENTITY b \"c\">]><ForceField>"),
              HasSubstr("document type"));
  EXPECT_THAT(refused("mass=\"30.97\"", "mass=\"heavy\""),
              HasSubstr("'mass' of <Type> is 'heavy', which is not a number"));
  EXPECT_THAT(refused("ordering=\"amber\"", "ordering=\"charmm\""), HasSubstr("not in AMBER's order"));
  EXPECT_THAT(refused("<Residues>", "<CustomBondForce/><Residues>"),
              HasSubstr("<CustomBondForce> is not a part"));
  EXPECT_THAT(refused("<Atom type=\"t-P\" sigma", "<Atom type=\"t-Q\" sigma"),
              HasSubstr("has no Lennard-Jones"));
}

}  // namespace
}  // namespace molgauge::pocket
