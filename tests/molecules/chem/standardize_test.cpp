#include "molecules/chem/standardize.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/io/tables/csv_reader.h"
#include "molecules/chem/description.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/input_conformer.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

using test::canonical;
using test::smiles_record;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string standardized(const std::string& smiles, Standardize mode = Standardize::parent) {
  return describe(smiles_record(smiles), mode).canonical_smiles;
}

std::map<int, std::uint32_t> environments_of_atoms(const Description& description) {
  return {description.atom_environments.begin(), description.atom_environments.end()};
}

TEST(Standardize, SaltsBecomeTheirOrganicParent) {
  const std::string aspirin = canonical("CC(=O)Oc1ccccc1C(=O)O");
  for (const char* const form :
       {"CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Oc1ccccc1C(=O)[O-]", "[Na+].CC(=O)Oc1ccccc1C(=O)[O-]",
        "CC(=O)Oc1ccccc1C(=O)O[Na]", "[Ca+2].CC(=O)Oc1ccccc1C(=O)[O-].[O-]C(=O)c1ccccc1OC(C)=O",
        "CC(=O)Oc1ccccc1C(=O)O.O", "CCO.CC(=O)Oc1ccccc1C(=O)O"}) {
    EXPECT_EQ(standardized(form), aspirin) << form;
  }
  for (const char* const form :
       {"CCN", "CC[NH3+]", "CCN.Cl", "CC[NH3+].[Cl-]", "CCN.OC(=O)C(F)(F)F", "CC[NH3+].[O-]C(=O)C(F)(F)F",
        "CCN.CCN.OS(=O)(=O)O", "CCN.OC[C@H](O)[C@H]1OC(=O)C(O)=C1O", "CCN.Cc1ccc(cc1)S(=O)(=O)O",
        "CCN.OC(=O)/C=C/C(=O)O", "CC[NH3+].F[P-](F)(F)(F)(F)F"}) {
    EXPECT_EQ(standardized(form), "CCN") << form;
  }
  EXPECT_EQ(standardized("CC(=O)[O-].[Na+]"), "CC(=O)O");
  EXPECT_EQ(standardized("CC(=O)[O-].[NH4+]"), "CC(=O)O");
  EXPECT_EQ(standardized("CN.OC(=O)C(F)(F)F"), "CN") << "a listed base is kept rather than a listed acid";
}

TEST(Standardize, InorganicMoleculesAndComplexesStayAsDrawn) {
  for (const char* const smiles :
       {"[Na+].[Cl-]", "Cl", "[Na+]", "[NH4+].[Cl-]", "O", "[K+].[C-]#N", "O=C=O", "N.N.Cl[Pt]Cl",
        "[NH3+][Pt-2](Cl)(Cl)[NH3+]", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", "C[Mg]Br", "CCO[Ti](OCC)(OCC)OCC",
        "CC[Hg]Sc1ccccc1C(=O)[O-].[Na+]"}) {
    EXPECT_EQ(standardized(smiles), canonical(smiles)) << smiles;
    EXPECT_EQ(standardized_record(smiles_record(smiles), Standardize::parent).text, smiles);
  }
}

TEST(Standardize, ChargesThatNoHydrogenCanNeutraliseStay) {
  EXPECT_EQ(standardized("C[N+](C)(C)CC(=O)[O-]"), canonical("C[N+](C)(C)CC(=O)[O-]"));
  EXPECT_EQ(standardized("[NH3+]CC(=O)[O-]"), "NCC(=O)O");
  EXPECT_EQ(standardized("C[N+](C)(C)CCOC(C)=O.[Br-]"), canonical("C[N+](C)(C)CCOC(C)=O"));
  EXPECT_EQ(standardized("[O-][n+]1ccccc1"), canonical("[O-][n+]1ccccc1"));
  EXPECT_EQ(standardized("CN(=O)=O"), standardized("C[N+](=O)[O-]"));
  EXPECT_EQ(standardized("CS(C)=O"), standardized("C[S+](C)[O-]"));
}

TEST(Standardize, DependsNeitherOnTheSpellingNorOnTheOrderOfFragments) {
  const std::string expected = standardized("C[C@H](F)C[NH+](C)CCc1ccccc1S(C)=O.[Cl-].OCC");
  EXPECT_THAT(expected, HasSubstr("@"));
  for (const char* const spelling :
       {"CCO.[Cl-].C[C@H](F)C[NH+](C)CCc1ccccc1S(C)=O", "O=S(C)c1c(CC[NH+](C[C@@H](F)C)C)cccc1.[Cl-].OCC",
        "[Cl-].C(C)O.c1cccc(c1S(=O)C)CC[NH+](C)C[C@H](C)F"}) {
    EXPECT_EQ(standardized(spelling), expected) << spelling;
  }
  // A mixture.
  EXPECT_EQ(standardized("NCCCCCCC.CCCCCCCO"), standardized("OCCCCCCC.NCCCCCCC"));
}

TEST(Standardize, StandardRecordsStayAsTheyAre) {
  for (const char* const smiles :
       {"OCC", "C1=CC=CC=C1", "OC(=O)c1ccccc1", "[O-][N+](=O)c1ccccc1", "N[C@@H](C)C(=O)O", "CCO |c:0|"}) {
    EXPECT_EQ(standardized_record(smiles_record(smiles), Standardize::parent).text, smiles);
  }
  const MoleculeRecord salt = smiles_record("CC[NH3+].[Cl-]");
  EXPECT_EQ(standardized_record(salt, Standardize::none).text, salt.text);
  EXPECT_EQ(standardized_record(salt, Standardize::parent).text, "CCN");
  EXPECT_EQ(describe(salt, Standardize::none).canonical_smiles, canonical(salt.text));
}

TEST(Standardize, RecordAndDescriptionAgree) {
  for (const char* const smiles : {"CC[NH3+].[Cl-]", "CS(C)=O", "CC(=O)[O-].[Na+]", "NC(=[NH2+])NCC"}) {
    for (const Standardize mode : {Standardize::parent, Standardize::tautomer}) {
      const std::string text = standardized_record(smiles_record(smiles), mode).text;
      EXPECT_EQ(canonical(text), standardized(smiles, mode)) << smiles;
      EXPECT_EQ(standardized(text, mode), standardized(smiles, mode)) << "again: " << smiles;
    }
  }
}

TEST(Standardize, PlacesOfAtomsAreThoseOfTheDrawing) {
  // The atoms are 0 Na, 1 C, 2 C, 3 O, 4 O-, 5 Cl. The description covers only the acid.
  const Description acid = describe(smiles_record("[Na+].CC(=O)[O-].Cl"), Standardize::parent);
  const auto of_acid = environments_of_atoms(acid);
  EXPECT_THAT(of_acid, SizeIs(4));
  EXPECT_FALSE(of_acid.contains(0));
  EXPECT_FALSE(of_acid.contains(5));
  EXPECT_EQ(acid.heavy_atoms, 4U);
  EXPECT_EQ(acid.charge, 0);
  EXPECT_THAT(acid.elements, ElementsAre(6, 8));
  const Description same = describe(smiles_record("CC(=O)O"), Standardize::parent);
  EXPECT_EQ(acid.environments, same.environments);
  for (const auto& [drawn, plain] : {std::pair(1, 0), std::pair(2, 1), std::pair(3, 2), std::pair(4, 3)}) {
    EXPECT_EQ(of_acid.at(drawn), environments_of_atoms(same).at(plain));
  }
  // A reaction of the normaliser renumbers the atoms.
  const Description sulfoxide =
      describe(smiles_record("[Cl-].C[NH+](C)CCS(=O)c1ccccc1"), Standardize::parent);
  const Description neutral = describe(smiles_record("CN(C)CC[S+]([O-])c1ccccc1"), Standardize::parent);
  EXPECT_EQ(sulfoxide.canonical_smiles, neutral.canonical_smiles);
  std::map<int, std::uint32_t> moved;  // the drawing of the salt begins with the chloride
  for (const auto& [atom, environment] : environments_of_atoms(neutral)) {
    moved[atom + 1] = environment;
  }
  EXPECT_EQ(environments_of_atoms(sulfoxide), moved);
  const Description tautomer = describe(smiles_record("[Na+].[O-]c1ccccn1"), Standardize::tautomer);
  EXPECT_THAT(environments_of_atoms(tautomer), SizeIs(7));
  EXPECT_FALSE(environments_of_atoms(tautomer).contains(0));
}

constexpr const char* kMethylammoniumInSpace =
    "\n  test\n\n"
    "  3  1  0  0  0  0  0  0  0  0999 V2000\n"
    "    1.0000    2.0000    3.0000 C   0  0  0  0  0  0\n"
    "    2.4000    2.1000    3.2000 N   0  0  0  0  0  0\n"
    "    9.0000    9.0000    9.0000 Cl  0  0  0  0  0  0\n"
    "  1  2  1  0\n"
    "M  CHG  2   2   1   3  -1\n"
    "M  END\n";

TEST(Standardize, CoordinatesSurvive) {
  MoleculeRecord record = test::mol_block_record(kMethylammoniumInSpace);
  const MoleculeRecord standard = standardized_record(record, Standardize::parent);
  ASSERT_EQ(standard.format, RecordFormat::molblock);
  EXPECT_EQ(identify(standard, false).canonical_smiles, "CN");
  const auto conformer = input_conformer(standard, Coordinates::heavy);
  ASSERT_TRUE(conformer);
  EXPECT_THAT(conformer->elements, ElementsAre(6, 7));
  EXPECT_FLOAT_EQ(conformer->positions[0][2], 3.0F);
  EXPECT_FLOAT_EQ(conformer->positions[1][0], 2.4F);
}

TEST(Standardize, TautomersOfOneMoleculeGetOneForm) {
  constexpr auto kPairs = std::to_array<std::pair<const char*, const char*>>({
      {"Oc1ccccn1", "O=c1cccc[nH]1"},
      {"CC(=O)CC(c1ccccc1)C1=C(O)c2ccccc2OC1=O", "CC(=O)CC(c1ccccc1)C1C(=O)c2ccccc2OC1=O"},  // warfarin
      {"CC(=O)CC(c1ccccc1)C1=C(O)c2ccccc2OC1=O", "CC(=O)CC(c1ccccc1)C1=C(O)Oc2ccccc2C1=O"},
      {"Nc1nc2[nH]cnc2c(=O)[nH]1", "Nc1nc(O)c2nc[nH]c2n1"},  // guanine
      {"Nc1nc2[nH]cnc2c(=O)[nH]1", "Nc1nc(O)c2[nH]cnc2n1"},
      {"Oc1ccncc1", "O=c1cc[nH]cc1"},
      {"CC(=O)CC(C)=O", "CC(=O)C=C(C)O"},
      {"O=C1CCCCC1", "OC1=CCCCC1"},
      {"Cc1c[nH]cn1", "Cc1cnc[nH]1"},
      {"Cc1cc[nH]n1", "Cc1ccn[nH]1"},
      {"c1ccc2[nH]nnc2c1", "c1ccc2n[nH]nc2c1"},
      {"c1ccc(cc1)-c1nnn[nH]1", "c1ccc(cc1)-c1nn[nH]n1"},
      {"O=c1cc[nH]c(=O)[nH]1", "Oc1ccnc(O)n1"},
      {"Nc1cc[nH]c(=O)n1", "Nc1ccnc(O)n1"},
      {"Nc1ncnc2[nH]cnc12", "Nc1ncnc2nc[nH]c12"},
      {"O=c1[nH]cnc2[nH]cnc12", "Oc1ncnc2nc[nH]c12"},
      {"S=c1cccc[nH]1", "Sc1ccccn1"},
      {"CN=C(N)c1ccccc1", "CNC(=N)c1ccccc1"},
      {"CN=C(N)N", "CNC(=N)N"},
      {"CC(N)=O", "CC(O)=N"},
      {"c1ccc(cc1)-c1nc[nH]n1", "c1ccc(cc1)-c1nnc[nH]1"},
      {"c1ccc2[nH]ncc2c1", "c1ccc2n[nH]cc2c1"},
      {"NC(N)=S", "NC(=N)S"},
      {"Oc1ccnc2ccccc12", "O=c1cc[nH]c2ccccc12"},
      {"Cc1cc(O)n(n1)-c1ccccc1", "CC1=NN(c2ccccc2)C(=O)C1"},
      {"Nc1nccs1", "N=c1[nH]ccs1"},
      {"O=C1CC(=O)NC(=O)N1", "Oc1cc(O)nc(O)n1"},
      {"Oc1ncnc2ccccc12", "O=c1[nH]cnc2ccccc12"},
      {"Oc1ccc(cc1)N=Nc1ccccc1", "O=C1C=CC(=NNc2ccccc2)C=C1"},
      {"O=C1Nc2ccccc2C1", "Oc1cc2ccccc2[nH]1"},
  });
  for (const auto& [one, other] : kPairs) {
    EXPECT_EQ(standardized(one, Standardize::tautomer), standardized(other, Standardize::tautomer))
        << one << " and " << other;
    EXPECT_NE(standardized(one), standardized(other)) << "the parents differ: " << one;
  }
  const std::string salt = "[Na+].[O-]c1ccccn1";
  EXPECT_EQ(standardized(salt, Standardize::tautomer), standardized("O=c1cccc[nH]1", Standardize::tautomer));
  EXPECT_EQ(describe(smiles_record(salt), Standardize::tautomer).parent_smiles, canonical("Oc1ccccn1"));
}

TEST(Standardize, StereochemistryIsKeptAndItsAbsenceCompared) {
  const Description one = describe(smiles_record("C[C@H](N)CC"), Standardize::parent),
                    other = describe(smiles_record("C[C@@H]([NH3+])CC.[Cl-]"), Standardize::parent);
  EXPECT_NE(one.canonical_smiles, other.canonical_smiles);
  EXPECT_EQ(one.flat_smiles, other.flat_smiles);
  EXPECT_EQ(one.flat_smiles, canonical("CC(N)CC"));
}

TEST(Standardize, MixturesKeepEachComponentOnce) {
  const std::string one = "CCN(CC)CCNC(=O)c1ccc(N)cc1", other = "Cc1cc(NS(=O)(=O)c2ccc(N)cc2)no1";
  const std::string expected = canonical(one + "." + other);
  for (const std::string& drawing :
       {one + "." + other, other + "." + one, other + "." + one + "." + other + ".Cl",
        std::string("CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.Cc1cc([N-]S(=O)(=O)c2ccc(N)cc2)no1"),
        "[13CH3]" + one.substr(1) + "." + other}) {
    EXPECT_EQ(standardized(drawing), expected) << drawing;
  }
  const Description both = describe(smiles_record("Cl." + one + "." + other), Standardize::parent);
  EXPECT_EQ(both.heavy_atoms, 34U);
  EXPECT_EQ(both.atom_environments.size(), 34U);
  EXPECT_EQ(both.charge, 0);
}

/// Returns the SMILES with deuterium instead of every hydrogen, and a carbon-13 as the first atom.
std::string perdeuterated(const std::string& smiles) {
  const auto molecule = read_molecule(smiles_record(smiles));
  return with_rdkit([&] {
    RDKit::MolOps::addHs(*molecule);
    for (RDKit::Atom* const atom : molecule->atoms()) {
      atom->setIsotope(atom->getAtomicNum() == 1 ? 2 : 0);
    }
    molecule->getAtomWithIdx(0)->setIsotope(13);
    return RDKit::MolToSmiles(*molecule);
  });
}

void expect_same_description(const std::string& labelled, const std::string& plain, Standardize mode) {
  const Description one = describe(smiles_record(labelled), mode),
                    other = describe(smiles_record(plain), mode);
  EXPECT_EQ(one.canonical_smiles, other.canonical_smiles) << labelled;
  EXPECT_EQ(one.parent_smiles, other.parent_smiles) << labelled;
  EXPECT_EQ(one.flat_smiles, other.flat_smiles) << labelled;
  EXPECT_EQ(one.environments, other.environments) << labelled;
  EXPECT_EQ(one.atom_environments.size(), other.atom_environments.size()) << labelled;
  EXPECT_EQ(one.heavy_atoms, other.heavy_atoms) << labelled;
  EXPECT_EQ(one.log_p, other.log_p) << labelled;
  EXPECT_EQ(canonical(standardized_record(smiles_record(labelled), mode).text), other.canonical_smiles);
}

TEST(Standardize, IsotopesAreRemoved) {
  constexpr auto kPairs = std::to_array<std::pair<const char*, const char*>>({
      {"[2H]C([2H])([2H])N(C)CCNC(=O)c1ccc(N)cc1", "CN(C)CCNC(=O)c1ccc(N)cc1"},  // one CD3
      {"[13CH3]CN(CC)CCNC(=O)c1ccc(N)cc1.Cl", "CCN(CC)CCNC(=O)c1ccc(N)cc1"},     // procainamide
      {"[2H][C@](C)(O)c1ccccc1", "C[C@@H](O)c1ccccc1"},
      {"[2H][C@H](C)O", "CCO"},
      {"[13CH3][C@H](C)O", "CC(C)O"},
      {"[2H]/C=C/F", "C=CF"},
      {"C/C([2H])=C/F", "C/C=C/F"},
      {"[2H]/N=C(C)/c1ccccc1", "[H]/N=C(C)/c1ccccc1"},
      {"[2H]O[2H]", "O"},
      {"[14C](=O)(O)c1ccccc1OC(C)=O", "CC(=O)Oc1ccccc1C(=O)O"},
      {"[18F]CC1OC(O)C(O)C(O)C1O", "FCC1OC(O)C(O)C(O)C1O"},
      {"[2H]N([2H])Cc1ccccc1.[2H]Cl", "NCc1ccccc1"},
      {"[13CH4]", "C"},
      {"[125I]c1ccc(O)cc1", "Ic1ccc(O)cc1"},
  });
  for (const auto& [labelled, plain] : kPairs) {
    for (const Standardize mode : {Standardize::parent, Standardize::tautomer}) {
      expect_same_description(labelled, plain, mode);
    }
    const MoleculeRecord record = smiles_record(labelled);
    EXPECT_NE(describe(record, {Standardize::parent, true}).canonical_smiles, standardized(plain))
        << labelled;
    EXPECT_NE(describe(record, Standardize::none).canonical_smiles, canonical(plain)) << labelled;
  }
  EXPECT_EQ(
      describe(smiles_record("[2H]C([2H])([2H])C[NH3+].[Cl-]"), {Standardize::parent, true}).canonical_smiles,
      canonical("[2H]C([2H])([2H])CN"));
  // The numbers of the atoms belong to the drawing.
  const auto labelled = environments_of_atoms(describe(smiles_record("[2H]CO"), Standardize::parent));
  EXPECT_THAT(labelled, SizeIs(2));
  EXPECT_FALSE(labelled.contains(0));
}

TEST(Standardize, TautomersDoNotDependOnStereochemistry) {
  const Description drawn = describe(smiles_record("C=C(C)[C@@H]1CC[C@@]2(C)CCC(=O)C(C)=C2C1"),
                                     Standardize::tautomer),
                    flat = describe(smiles_record("C=C(C)C1CCC2(C)CCC(=O)C(C)=C2C1"), Standardize::tautomer);
  EXPECT_EQ(drawn.flat_smiles, flat.canonical_smiles);
  EXPECT_THAT(drawn.canonical_smiles, HasSubstr("@")) << "centres that no tautomer changes keep their tags";
  // Enantiomers differ, and E and Z too.
  EXPECT_NE(standardized("C[C@H](F)Cc1c[nH]cn1", Standardize::tautomer),
            standardized("C[C@@H](F)Cc1c[nH]cn1", Standardize::tautomer));
  EXPECT_EQ(standardized("C[C@H](F)Cc1c[nH]cn1", Standardize::tautomer),
            standardized("C[C@H](F)Cc1cnc[nH]1", Standardize::tautomer));
  EXPECT_NE(standardized("F/C(Cl)=C/c1c[nH]cn1", Standardize::tautomer),
            standardized("F/C(Cl)=C\\c1c[nH]cn1", Standardize::tautomer));
}

/// Returns the SMILES in a column of a published table.
std::vector<std::string> public_set(const std::string& name, const char* column) {
  io::CsvReader reader(test::reference_data("molecules/" + name).string(), ',');
  const auto header = reader.next()->fields;
  const auto place =
      static_cast<std::size_t>(std::find(header.begin(), header.end(), std::string(column)) - header.begin());
  std::vector<std::string> smiles;
  while (const auto row = reader.next()) {
    smiles.push_back(row->fields.at(place));
  }
  return smiles;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Calls visit(smiles) for up to `most` molecules of a published set, spread over the set.
template <typename Visit>
void for_some_molecules(const std::string& set, std::size_t most, const Visit& visit) {
  const std::vector<std::string> all = public_set(set, "smiles");
  const std::size_t step = std::max<std::size_t>(1, all.size() / most);
  for (std::size_t i = 0; i < all.size(); i += step) {
    if (test::refusal(smiles_record(all[i])).empty()) {
      visit(all[i]);
    }
  }
}

TEST(StandardizeParity, PerdeuteratedMoleculesAreTheMolecules) {
  REQUIRE_REFERENCE("molecules/bace.csv");
  for (const char* const set : {"bace.csv", "bbbp.csv", "esol.csv", "lipo.csv", "hiv.csv"}) {
    for_some_molecules(set, 100, [](const std::string& smiles) {
      expect_same_description(perdeuterated(smiles), smiles, Standardize::parent);
    });
  }
}

std::string without_stereochemistry(const std::string& smiles) {
  const auto molecule = read_molecule(smiles_record(smiles));
  return with_rdkit([&] { return RDKit::MolToSmiles(*molecule, /*doIsomericSmiles=*/false); });
}

TEST(StandardizeParity, FormsDoNotDependOnStereochemistry) {
  REQUIRE_REFERENCE("molecules/bace.csv");
  std::size_t chiral = 0;
  for (const char* const set : {"bace.csv", "bbbp.csv", "lipo.csv", "hiv.csv"}) {
    for_some_molecules(set, 250, [&](const std::string& smiles) {
      if (smiles.find_first_of("@/\\") == std::string::npos) {
        return;
      }
      const std::string flat = without_stereochemistry(smiles);
      for (const Standardize mode : {Standardize::parent, Standardize::tautomer}) {
        EXPECT_EQ(describe(smiles_record(smiles), mode).flat_smiles, standardized(flat, mode)) << smiles;
      }
      ++chiral;
    });
  }
  EXPECT_GT(chiral, 200U);
}

TEST(StandardizeParity, AminesOfBaceInFourForms) {
  REQUIRE_REFERENCE("molecules/bace.csv");
  std::size_t amines = 0;
  for (const std::string& trained : public_set("bace.csv", "smiles")) {
    std::string neutral = trained;
    for (const char* const charged : {"[NH3+]", "[NH2+]", "[NH+]"}) {
      replace_all(neutral, charged, "N");
    }
    if (amines == 200 || neutral == trained || neutral.find_first_of("+-.") != std::string::npos) {
      continue;
    }
    const std::string expected = standardized(trained);
    EXPECT_EQ(standardized(neutral), expected) << trained;
    EXPECT_EQ(standardized(neutral + ".Cl"), expected) << trained;
    EXPECT_EQ(standardized("[Cl-]." + trained), expected) << trained;
    EXPECT_EQ(standardized(neutral + ".OC(=O)C(F)(F)F"), expected) << trained;
    EXPECT_EQ(standardized(trained + ".[O-]C(=O)C(F)(F)F"), expected) << trained;
    ++amines;
  }
  EXPECT_EQ(amines, 200U);
}

TEST(StandardizeParity, AcidsOfBbbpInThreeForms) {
  REQUIRE_REFERENCE("molecules/bbbp.csv");
  std::size_t acids = 0;
  for (const std::string& trained : public_set("bbbp.csv", "smiles")) {
    const std::size_t acid = trained.rfind("C(O)=O");
    const bool at_end = acid != std::string::npos && acid + 6 == trained.size();
    if (!at_end || trained.find_first_of("+-.") != std::string::npos) {
      continue;
    }
    const std::string anion = trained.substr(0, acid) + "C([O-])=O";
    EXPECT_EQ(standardized(anion), standardized(trained)) << trained;
    EXPECT_EQ(standardized(anion + ".[Na+]"), standardized(trained)) << trained;
    EXPECT_EQ(standardized("[K+]." + anion), standardized(trained)) << trained;
    ++acids;
  }
  EXPECT_GE(acids, 50U);
}

}  // namespace
}  // namespace molgauge::chem
