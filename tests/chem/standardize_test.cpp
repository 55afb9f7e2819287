#include "chem/standardize.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chem/description.h"
#include "chem/identity.h"
#include "chem/input_conformer.h"
#include "data/io/tables/csv_reader.h"
#include "records.h"
#include "support/fixtures.h"

namespace headroom::chem {
namespace {

using test::canonical;
using test::smiles_record;
using testing::ElementsAre;
using testing::HasSubstr;

std::string standardized(const std::string& smiles, Standardize mode = Standardize::parent) {
  return describe(smiles_record(smiles), mode).canonical_smiles;
}

std::string refusal_to_describe(const MoleculeRecord& record) {
  try {
    describe(record);
    return "";
  } catch (const InvalidMolecule& failure) {
    return failure.what();
  }
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
        "CCN.CCN.OS(=O)(=O)O", "CCN.Cc1ccc(cc1)S(=O)(=O)O", "CCN.OC(=O)/C=C/C(=O)O",
        "CC[NH3+].F[P-](F)(F)(F)(F)F"}) {
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
  // The two fragments have the same size.
  EXPECT_EQ(standardized("NCCCCCCC.CCCCCCCO"), standardized("OCCCCCCC.NCCCCCCC"));
}

TEST(Standardize, StandardRecordsStayAsTheyAre) {
  for (const char* const smiles : {"OCC", "C1=CC=CC=C1", "[13CH4]", "OC(=O)c1ccccc1", "[O-][N+](=O)c1ccccc1",
                                   "N[C@@H](C)C(=O)O", "CCO |c:0|"}) {
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
  ASSERT_EQ(acid.around_atoms.size(), 6U);
  EXPECT_TRUE(acid.around_atoms[0].empty());
  EXPECT_FALSE(acid.around_atoms[1].empty());
  EXPECT_FALSE(acid.around_atoms[4].empty());
  EXPECT_TRUE(acid.around_atoms[5].empty());
  EXPECT_EQ(acid.heavy_atoms, 4U);
  EXPECT_EQ(acid.charge, 0);
  EXPECT_THAT(acid.elements, ElementsAre(6, 8));
  const Description same = describe(smiles_record("CC(=O)O"), Standardize::parent);
  EXPECT_EQ(acid.environments, same.environments);
  for (const auto& [drawn, plain] : {std::pair(1, 0), std::pair(2, 1), std::pair(3, 2), std::pair(4, 3)}) {
    EXPECT_EQ(acid.around_atoms[static_cast<std::size_t>(drawn)],
              same.around_atoms[static_cast<std::size_t>(plain)]);
  }
  // A reaction of the normaliser renumbers the atoms.
  const Description sulfoxide =
      describe(smiles_record("[Cl-].C[NH+](C)CCS(=O)c1ccccc1"), Standardize::parent);
  const Description neutral = describe(smiles_record("CN(C)CC[S+]([O-])c1ccccc1"), Standardize::parent);
  EXPECT_EQ(sulfoxide.canonical_smiles, neutral.canonical_smiles);
  ASSERT_EQ(sulfoxide.around_atoms.size(), neutral.around_atoms.size() + 1);
  for (std::size_t atom = 0; atom < neutral.around_atoms.size(); ++atom) {
    EXPECT_EQ(sulfoxide.around_atoms[atom + 1], neutral.around_atoms[atom]) << atom;
  }
  const Description tautomer = describe(smiles_record("[Na+].[O-]c1ccccn1"), Standardize::tautomer);
  ASSERT_EQ(tautomer.around_atoms.size(), 8U);
  EXPECT_TRUE(tautomer.around_atoms[0].empty());
  for (std::size_t atom = 1; atom < 8; ++atom) {
    EXPECT_FALSE(tautomer.around_atoms[atom].empty()) << atom;
  }
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

TEST(QueryFeatures, AreRefusedEverywhere) {
  for (const char* const smiles : {"[#6]", "CC[#7]C", "[13#6]C", "C~C"}) {
    EXPECT_THAT(test::refusal(smiles_record(smiles)), HasSubstr("query")) << smiles;
  }
  const auto block = [](const char* symbol, int bond) {
    return "\n  test\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n"
           "    0.0000    0.0000    0.0000 C   0  0\n"
           "    1.0000    0.0000    0.0000 " +
           std::string(symbol) + "   0  0\n  1  2  " + std::to_string(bond) + "  0\nM  END\n";
  };
  EXPECT_EQ(test::refusal(test::mol_block_record(block("N", 1))), "");
  EXPECT_THAT(test::refusal(test::mol_block_record(block("Q", 1))), HasSubstr("query"));
  EXPECT_THAT(test::refusal(test::mol_block_record(block("A", 1))), HasSubstr("query"));
  EXPECT_THAT(test::refusal(test::mol_block_record(block("N", 8))), HasSubstr("query"));
  EXPECT_THAT(test::refusal(test::mol_block_record(block("N", 5))), HasSubstr("query"));
  std::string list = block("L", 1);
  list.insert(list.find("M  END"), "M  ALS   2  2 F N   O   \n");
  EXPECT_THAT(test::refusal(test::mol_block_record(list)), HasSubstr("query"));
  EXPECT_EQ(test::refusal(smiles_record("C#C")), "") << "a triple bond is not a query";
}

TEST(QueryFeatures, DummyAtomsAreRefusedWhereMoleculesAreCompared) {
  for (const char* const smiles : {"*C", "[*:1]CC", "C[2*]"}) {
    EXPECT_EQ(test::refusal(smiles_record(smiles)), "") << "an encoder takes it";
    EXPECT_THAT(refusal_to_describe(smiles_record(smiles)), HasSubstr("dummy")) << smiles;
    for (const Standardize mode : {Standardize::none, Standardize::parent, Standardize::tautomer}) {
      EXPECT_THROW(standardized_record(smiles_record(smiles), mode), InvalidMolecule) << smiles;
    }
  }
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
}  // namespace headroom::chem
