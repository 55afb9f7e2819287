// Compares force-field files of AMBER with the same force field in OpenMM XML.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pockets/force_field/amber_parameters.h"
#include "pockets/force_field/assemble.h"
#include "pockets/structures/structure.h"
#include "small_amber_files.h"
#include "small_force_field.h"
#include "support/fixtures.h"
#include "text_files.h"

namespace molgauge::pocket {
namespace {

using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class AmberFiles : public testing::Test {
 protected:
  std::string file(const char* name, const std::string& text) {
    return test::write_text(folder_ / name, text);
  }
  std::vector<std::string> files() {
    return {file("parm.dat", test::small_parameter_set()),
            file("frcmod.mended", test::small_parameter_changes()), file("rna.lib", test::small_library())};
  }
  AssembledRna assembled(const ForceField& field) {
    const auto models = read_structure(test::write_text(folder_ / "rna.pdb", test::small_rna(3)));
    std::vector<const StructureResidue*> residues;
    for (const StructureResidue& residue : models.front()) {
      residues.push_back(&residue);
    }
    return assemble(find_fragments(residues, field), field);
  }
  /// Returns the error for a file in which the first occurrence of `from` is replaced by `to`.
  std::string refused(const std::string& text, const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return refusal([&] {
      AmberParameters parameters;
      read_amber_parameters(file("bad", changed), parameters);
    });
  }
  std::string refused_library(const std::string& from, const std::string& to) {
    std::string changed = test::small_library();
    changed.replace(changed.find(from), from.size(), to);
    return refusal([&] {
      read_force_field({file("parm.dat", test::small_parameter_set()), file("bad.lib", changed)});
    });
  }

  test::TemporaryFolder folder_;
};

TEST_F(AmberFiles, GiveWhatOpenMmsXmlOfThemGives) {
  const AssembledRna own = assembled(read_force_field(files()));
  const AssembledRna other = assembled(read_force_field({file("rna.xml", test::small_force_field())}));
  EXPECT_EQ(own.names, other.names);
  ASSERT_EQ(own.topology.atoms.size(), other.topology.atoms.size());
  for (std::size_t i = 0; i < own.topology.atoms.size(); ++i) {
    EXPECT_EQ(own.topology.atoms[i].charge, other.topology.atoms[i].charge);
    EXPECT_EQ(own.topology.atoms[i].element, other.topology.atoms[i].element);
    EXPECT_EQ(own.topology.atoms[i].mass, other.topology.atoms[i].mass);
  }
  ASSERT_EQ(own.topology.bonds.size(), other.topology.bonds.size());
  for (std::size_t i = 0; i < own.topology.bonds.size(); ++i) {
    EXPECT_EQ(own.topology.bonds[i].atoms, other.topology.bonds[i].atoms);
    EXPECT_NEAR(own.topology.bonds[i].length, other.topology.bonds[i].length, 1e-9);
    EXPECT_NEAR(own.topology.bonds[i].force, other.topology.bonds[i].force, 0.02);
  }
  ASSERT_EQ(own.topology.angles.size(), other.topology.angles.size());
  for (std::size_t i = 0; i < own.topology.angles.size(); ++i) {
    EXPECT_EQ(own.topology.angles[i].atoms, other.topology.angles[i].atoms);
    EXPECT_NEAR(own.topology.angles[i].angle, other.topology.angles[i].angle, 1e-6);
    EXPECT_NEAR(own.topology.angles[i].force, other.topology.angles[i].force, 1e-9);
  }
  ASSERT_EQ(own.topology.dihedrals.size(), other.topology.dihedrals.size());
  for (std::size_t i = 0; i < own.topology.dihedrals.size(); ++i) {
    const Dihedral &a = own.topology.dihedrals[i], &b = other.topology.dihedrals[i];
    EXPECT_EQ(a.atoms, b.atoms);
    EXPECT_NEAR(a.barrier, b.barrier, 1e-12);
    EXPECT_EQ(a.periodicity, b.periodicity);
    EXPECT_NEAR(a.phase, b.phase, 1e-8);
  }
}

TEST_F(AmberFiles, RadiiAreHalfTheDistanceOfTheMinimum) {
  const ForceField field = read_force_field(files());
  const AtomType& carbon = field.type("CT");
  const double distance = 2 * 1.908, depth = 0.1094, sigma = *carbon.sigma;
  const auto energy = [&](double r) {
    return 4 * *carbon.epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
  };
  EXPECT_NEAR(energy(distance), -depth, 1e-12);
  EXPECT_GT(energy(distance * 1.001), -depth);
  EXPECT_GT(energy(distance * 0.999), -depth);
  EXPECT_NEAR(*field.type("OS").sigma, 2 * 1.6837 / std::pow(2, 1.0 / 6), 1e-12)
      << "the changes name it themselves";
}

TEST_F(AmberFiles, TypesTakeOverWhatAnEquivalentOneHas) {
  const ForceField field = read_force_field(
      {file("parm.dat", test::small_parameter_set()), file("rna.lib", test::small_library())});
  EXPECT_EQ(*field.type("OS").sigma, *field.type("OH").sigma);
  EXPECT_EQ(*field.type("OS").epsilon, 0.2104);
}

TEST_F(AmberFiles, ALaterFileTakesThePlaceOfAllTermsOfATorsion) {
  const ForceField before = read_force_field(
      {file("parm.dat", test::small_parameter_set()), file("rna.lib", test::small_library())});
  const ForceField after = read_force_field(files());
  const auto terms = [](const ForceField& field) {
    return field.proper({&field.type("OS"), &field.type("P"), &field.type("OS"), &field.type("CT")});
  };
  ASSERT_EQ(terms(before).size(), 1U);
  EXPECT_EQ(terms(before)[0].phase, std::numbers::pi / 2);
  ASSERT_EQ(terms(after).size(), 2U);
  EXPECT_EQ(terms(after)[0].barrier, 2) << "4 kcal/mol over two paths";
  EXPECT_EQ(terms(after)[1].periodicity, 3) << "a line without types continues the types before";
}

TEST_F(AmberFiles, RulesThatNameMoreTypesGoFirst) {
  std::string changes = test::small_parameter_changes();
  changes.replace(changes.find("IMPROPER\n"), 9, "IMPROPER\nX -X -N2-H 5. 180. 2.\nH -CT-N2-H 7. 180. 2.\n");
  const ForceField field =
      read_force_field({file("parm.dat", test::small_parameter_set()), file("frcmod.a", changes),
                        file("rna.lib", test::small_library())});
  ASSERT_EQ(field.impropers.size(), 3U);
  EXPECT_EQ(field.impropers[0].parameters[0].barrier, 7);
  EXPECT_EQ(field.impropers[1].parameters[0].barrier, 1);
  EXPECT_EQ(field.impropers[2].parameters[0].barrier, 5);
}

TEST_F(AmberFiles, BadParametersAreNamedWithTheirLine) {
  const std::string set = test::small_parameter_set(), changes = test::small_parameter_changes();
  EXPECT_THAT(refused(set, "16.00\nOS", "heavy\nOS"),
              AllOf(HasSubstr("bad:3: "), HasSubstr("a type of atoms has 1 numbers, number 1 is 'heavy'")));
  EXPECT_THAT(refused(set, "OS-P   310.0    1.610", "OS-P   310.0"), HasSubstr("number 2 is not there"));
  EXPECT_THAT(refused(set, "OS-P   310.0", "OS P   310.0"), HasSubstr("types of atoms joined by '-'"));
  EXPECT_THAT(refused(set, "OS-P   310.0", "OS-P   nan"), HasSubstr("number 1 is 'nan'"));
  EXPECT_THAT(refused(set, "OS-P   310.0", "OS-P   -1e9"),
              HasSubstr("a force constant is -1000000000, not one of 0 to"));
  EXPECT_THAT(refused(set, "180.          2.", "1    180."),
              HasSubstr("an improper has 4 numbers, number 4 is 'any'"));
  EXPECT_THAT(refused(set, "0000.     0000.", "7557.     2385."),
              HasSubstr("HW and OW have a 10-12 potential"));
  EXPECT_THAT(refused(set, "MOD4      RE", "MOD4      AC"), HasSubstr("'MOD4 AC' does not start"));
  EXPECT_THAT(refused(set, "END", "LJEDIT"), HasSubstr("(LJEDIT)"));
  EXPECT_THAT(refused(changes, "NONBON", "CMAP"), HasSubstr("(CMAP)"));
  EXPECT_THAT(refused(changes, "BOND\n", "\n"),
              AllOf(HasSubstr("bad:5: "), HasSubstr("does not belong to a section")));
  EXPECT_THAT(refused(changes, "CT-OS-P -OS", "           "),
              HasSubstr("a term without types does not follow another term"));
}

TEST_F(AmberFiles, EveryFileThatIsCutShortIsRefused) {
  const std::string set = test::small_parameter_set();
  const std::size_t last = set.find("  HO          0.0000") + 25;
  for (std::size_t size = 0; size < last; size += 7) {
    if (size > 0 && set[size - 1] == ' ') {
      continue;  // a blank line ends a section
    }
    EXPECT_THROW(
        {
          AmberParameters parameters;
          read_amber_parameters(file("cut", set.substr(0, size)), parameters);
        },
        InputError)
        << size;
  }
}

TEST_F(AmberFiles, BadLibrariesAreNamedWithTheirLine) {
  EXPECT_THAT(refused_library(" \"OP1\" \"O2\" 0 1", " \"OP1\" \"O2\" 0"),
              AllOf(HasSubstr("bad.lib:8: "), HasSubstr("has 7 fields. Its columns are 8")));
  EXPECT_THAT(refused_library(" \"OP1\" \"O2\" 0 1", " OP1 O2 0 1 \""), HasSubstr("bad.lib:8: "));
  EXPECT_THAT(refused_library("\"OP1\"", "\"P\""), HasSubstr("the residue A has two atoms P"));
  EXPECT_THAT(refused_library("1.160000", "big"), HasSubstr("a charge is 'big', which is not a number"));
  EXPECT_THAT(refused_library(" 1 2 1\n", " 1 99 1\n"), HasSubstr("the residue A has 13 atoms, no atom 99"));
  EXPECT_THAT(refused_library("dbl chg", "dbl charge"), HasSubstr("has no column 'chg'"));
  EXPECT_THAT(refused_library("unit.connectivity", "unit.hierarchy"), HasSubstr("no table of bonds"));
  EXPECT_THAT(refused_library("\"O2\"", "\"QQ\""), HasSubstr("the force field has no atom type QQ"));
}

TEST_F(AmberFiles, OneForceFieldIsOfOneForm) {
  const std::string xml = file("rna.xml", test::small_force_field()),
                    set = file("parm.dat", test::small_parameter_set()),
                    library = file("rna.lib", test::small_library());
  EXPECT_THAT(refusal([&] { read_force_field({xml, set}); }), HasSubstr("cannot be combined"));
  EXPECT_THAT(refusal([&] { read_force_field({set}); }), HasSubstr("need the residues of a library"));
  EXPECT_THAT(refusal([&] { read_force_field({library}); }), HasSubstr("residues need parameters, too"));
  EXPECT_THAT(refusal([&] { read_force_field({file("empty", "\n\n")}); }), HasSubstr("is empty"));
  EXPECT_THAT(refusal([&] { read_force_field({file("leaprc.RNA.OL3", "logFile leap.log\n")}); }),
              HasSubstr("contains commands for tleap"));
}

}  // namespace
}  // namespace molgauge::pocket
