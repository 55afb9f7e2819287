#include "molecules/chem/depict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/chem/perception.h"
#include "records.h"

namespace molgauge::chem {
namespace {

using test::smiles_record;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Depict, GivesOneElementInTheColourOfThePage) {
  const std::string svg = depict(smiles_record("CC(=O)Oc1ccccc1C(=O)O"), 240, 160);
  EXPECT_THAT(svg, StartsWith("<svg viewBox=\"0 0 240 160\""));
  EXPECT_THAT(svg, HasSubstr("<path"));
  EXPECT_THAT(svg, HasSubstr("currentColor"));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  EXPECT_THAT(svg, Not(HasSubstr("#000000")));
  EXPECT_THAT(svg, Not(HasSubstr("<?xml")));
  EXPECT_THAT(svg, Not(HasSubstr("<rect")));
  EXPECT_EQ(svg, depict(smiles_record("CC(=O)Oc1ccccc1C(=O)O"), 240, 160));
}

TEST(Depict, DrawsASingleAtom) { EXPECT_THAT(depict(smiles_record("[Na+]"), 100, 100), HasSubstr("<path")); }

TEST(Depict, DifferentMoleculesDiffer) {
  EXPECT_NE(depict(smiles_record("CCO"), 100, 100), depict(smiles_record("CCN"), 100, 100));
}

TEST(Depict, RefusesWhatNobodyCouldRead) {
  EXPECT_NO_THROW(depict(smiles_record(std::string(kMaxDrawnAtoms, 'C')), 100, 100));
  EXPECT_THROW(depict(smiles_record(std::string(kMaxDrawnAtoms + 1, 'C')), 100, 100), InvalidMolecule);
}

TEST(Depict, RefusesWhatIsNoMolecule) {
  EXPECT_THROW(depict(smiles_record("C(("), 100, 100), InvalidMolecule);
}

}  // namespace
}  // namespace molgauge::chem
