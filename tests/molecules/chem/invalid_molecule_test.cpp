#include <string>

#include <gmock/gmock.h>

#include "records.h"

namespace molgauge::chem {
namespace {

using test::refusal;
using test::smiles_record;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(InvalidMolecule, NothingIsNoMolecule) {
  EXPECT_EQ(refusal(smiles_record("")), "empty");
  EXPECT_EQ(refusal(smiles_record(" \t")), "empty");
}

TEST(InvalidMolecule, SyntaxIsExplainedInRdkitsWords) {
  EXPECT_THAT(refusal(smiles_record("CC(")), StartsWith("SMILES Parse Error: "));
  EXPECT_THAT(refusal(smiles_record("C1CC")), HasSubstr("unclosed ring"));
  EXPECT_THAT(refusal(smiles_record("C!C")), HasSubstr("syntax error"));
  EXPECT_THAT(refusal(smiles_record("CCO |bad")), HasSubstr("CXSMILES"));
}

TEST(InvalidMolecule, ChemistryIsExplainedInRdkitsWords) {
  EXPECT_THAT(refusal(smiles_record("C(C)(C)(C)(C)C")), HasSubstr("Explicit valence for atom # 0 C, 5"));
  EXPECT_THAT(refusal(smiles_record("c1cccc1")), HasSubstr("Can't kekulize"));
}

TEST(InvalidMolecule, NothingIsWrittenToStderr) {
  testing::internal::CaptureStderr();
  refusal(smiles_record("CC("));
  refusal(smiles_record("C(C)(C)(C)(C)C"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

TEST(InvalidMolecule, NotationsThatAreNoSmilesAreNamed) {
  EXPECT_THAT(refusal(smiles_record("InChI=1S/CH4/h1H4")), HasSubstr("is an InChI"));
  EXPECT_THAT(refusal(smiles_record("CC>>CO")), HasSubstr("is a reaction"));
  EXPECT_THAT(refusal(smiles_record("C1CC")), HasSubstr("unclosed ring"));
}

TEST(InvalidMolecule, TextIsNotCutAtANulCharacter) {
  EXPECT_THAT(refusal(smiles_record(std::string("C\0C", 3))), HasSubstr("NUL"));
}

TEST(InvalidMolecule, TextIsNotCutAtWhatNoSmilesHas) {
  for (const char* const text : {"CC\xe2\x80\x93O", "CC\xc3\xa9", "CC\xc2\xa0O", "CC\x01O",
                                 "\xef\xbb\xbf"
                                 "CC"}) {
    EXPECT_THAT(refusal(smiles_record(text)), HasSubstr("is not allowed in SMILES")) << text;
  }
  EXPECT_THAT(refusal(smiles_record("CC\xe2\x80\x93O")), StartsWith("byte 3 (0xE2)"));
}

TEST(InvalidMolecule, ASecondWordIsNoName) {
  for (const char* const text : {"CC O", "CC\tO", "CC\nO", "CCO caf\xc3\xa9", "CC |$a;b$| named"}) {
    EXPECT_THAT(refusal(smiles_record(text)), HasSubstr("contains a space: 'CC")) << text;
  }
  EXPECT_THAT(refusal(smiles_record("CC " + std::string(1000, 'x'))), HasSubstr("xxx"));
  EXPECT_LT(refusal(smiles_record("CC " + std::string(1000, 'x'))).size(), 300u);
  EXPECT_EQ(refusal(smiles_record(" CC ")), "") << "surrounding blanks do not belong to it";
  EXPECT_EQ(refusal(smiles_record("CC |$a;b$|")), "") << "an extension is part of the molecule";
}

TEST(InvalidMolecule, SizeIsLimited) {
  EXPECT_EQ(refusal(smiles_record(std::string(kMaxAtoms + 1, 'C'))), "more than 2000 atoms (2001)");
  EXPECT_THAT(refusal(smiles_record(std::string(kLongestText + 1, 'C'))),
              StartsWith("longer than 1048576 characters"));
  EXPECT_EQ(refusal(smiles_record(std::string(1000000, 'C'))), "more than 2000 atoms (1000000)");
  std::string brackets;
  for (int i = 0; i < 150000; ++i) {
    brackets += "[Cl-]";
  }
  EXPECT_EQ(refusal(smiles_record(brackets)), "more than 2000 atoms (150000)");
}

TEST(InvalidMolecule, ALongTextOfFewAtomsIsTaken) {
  std::string text = "C";
  for (std::size_t i = 0; i < 300; ++i) {
    text += ".[13CH4:7]";
  }
  ASSERT_GT(text.size(), kMaxAtoms);
  EXPECT_EQ(refusal(smiles_record(text)), "");
}

TEST(InvalidMolecule, ReasonsAreShortEvenForLongTexts) {
  EXPECT_LT(refusal(smiles_record(std::string(50000, '('))).size(), 400U);
}

TEST(InvalidMolecule, DeepNestingIsHarmless) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
      text += "C(";
    }
    return refusal(smiles_record(text));
  };
  EXPECT_THAT(nested(7000), StartsWith("SMILES Parse Error"));
  EXPECT_THAT(nested(100000), StartsWith("more than 2000 atoms")) << "which is not even parsed";
}

}  // namespace
}  // namespace molgauge::chem
