#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/chem/description.h"
#include "records.h"

namespace molgauge::chem {
namespace {

using test::smiles_record;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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

TEST(IncompleteDrawings, AreRefusedEverywhere) {
  for (const char* const smiles : {"*C", "[*:1]CC", "C[2*]", "*CC(*)c1ccccc1", "*CCO* |$_AP1;;;;_AP2$|"}) {
    EXPECT_THAT(test::refusal(smiles_record(smiles)), HasSubstr("is a dummy")) << smiles;
  }
  EXPECT_THAT(test::refusal(smiles_record("CCO |Sg:n:0,1,2:n:ht|")), HasSubstr("repeat unit of a polymer"));
  EXPECT_THAT(test::refusal(smiles_record("CCO |LN:1:1.3|")), HasSubstr("repeat unit (link node)"));
  EXPECT_EQ(test::refusal(smiles_record("CCO |SgD:1:pKa:16::::|")), "") << "data do not change a molecule";
}

TEST(IncompleteDrawings, AreRefusedInMolBlocks) {
  const std::string start =
      "\n  test\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n"
      "    1.0000    0.0000    0.0000 C   0  0\n"
      "    2.0000    0.0000    0.0000 O   0  0\n"
      "  1  2  1  0\n  2  3  1  0\n";
  const auto refusal = [&](const std::string& properties) {
    return test::refusal(test::mol_block_record(start + properties + "M  END\n"));
  };
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("M  APO  1   2   1\n"),
            "atom 2 has an attachment point, so the molecule is incomplete. Draw the whole molecule");
  const auto bracket = [](const std::string& type) {
    return "M  STY  1   1 " + type +
           "\nM  SAL   1  2   1   2\nM  SBL   1  1   2\nM  SMT   1 n\n"
           "M  SDI   1  4    1.5000   -1.0000    1.5000    1.0000\n";
  };
  for (const char* const polymer : {"SRU", "MON", "COP"}) {
    EXPECT_THAT(refusal(bracket(polymer)), HasSubstr("repeat unit of a polymer")) << polymer;
  }
  EXPECT_EQ(refusal(bracket("SUP")), "") << "an abbreviation whose atoms are drawn";
  const std::string v3000 =
      "\n  test\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 2 1 0 0 0\n"
      "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0 ATTCHPT=1\nM  V30 2 O 1 0 0 0\nM  V30 END ATOM\n"
      "M  V30 BEGIN BOND\nM  V30 1 1 1 2\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n";
  EXPECT_THAT(test::refusal(test::mol_block_record(v3000)), HasSubstr("attachment point"));
}

TEST(Remarks, NameRadicalsAndMixtures) {
  const auto remarks = [](const std::string& smiles) {
    const MoleculeRecord record = smiles_record(smiles);
    const std::vector<std::string> found = describe(record, Standardize::none).remarks;
    // A description has the same remarks, also after standardisation.
    EXPECT_EQ(describe(record, Standardize::parent).remarks, found) << smiles;
    return found;
  };
  EXPECT_THAT(remarks("CC1(C)CCCC(C)(C)N1[O]"), ElementsAre("radical with 1 unpaired electron"));
  EXPECT_THAT(remarks("[CH2]c1ccccc1"), ElementsAre("radical with 1 unpaired electron"));
  EXPECT_THAT(remarks("CC[C]"), ElementsAre("radical with 3 unpaired electrons"));
  // trimethoprim and sulfamethoxazole
  const std::string both = "COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC.Cc1cc(NS(=O)(=O)c2ccc(N)cc2)no1";
  const char* const mixture = "mixture of 2 components, taken as one molecule";
  EXPECT_THAT(remarks(both), ElementsAre(mixture));
  EXPECT_THAT(remarks(both + ".O.Cl"), ElementsAre(mixture));
  EXPECT_THAT(remarks("C[CH2].CCc1ccccc1"), ElementsAre("radical with 1 unpaired electron", mixture));
  EXPECT_THAT(remarks("C[C@H](F)CN.C[C@@H](F)CN"), ElementsAre(mixture)) << "two enantiomers";
  for (const char* const single :
       {"CCN(CC)CCNC(=O)c1ccc(N)cc1.Cl", "CCN(CC)CCNC(=O)c1ccc(N)cc1.CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[Cl-]",
        "CCN.OC(=O)C(F)(F)F.CCO", "[Na+].[Cl-]", "O=[N+]([O-])c1ccccc1", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1",
        "N.N.Cl[Pt]Cl", "OC(=O)C1OC(=O)C(O)=C1O.[Zn+2]"}) {
    EXPECT_THAT(remarks(single), IsEmpty()) << single;
  }
}

}  // namespace
}  // namespace molgauge::chem
