#include "molecules/encoding/session/standardized_source.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::session {
namespace {

std::vector<chem::MoleculeRecord> records_of(const std::vector<std::string>& smiles) {
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    records[i].text = smiles[i];
    records[i].row = i;
    records[i].line = i + 2;
    records[i].file = "x.csv";
  }
  return records;
}

TEST(StandardizedSource, KeepsOrderAndPlacesAndMarksWhatIsRefused) {
  std::vector<std::string> smiles;
  for (int i = 0; i < 1500; ++i) {
    smiles.push_back(std::string(static_cast<std::size_t>(i % 20 + 1), 'C') + "[NH3+].[Cl-]");
  }
  smiles[700] = "*C";
  smiles[701] = "none";
  const auto records = records_of(smiles);
  for (const std::size_t threads : {1, 3}) {
    auto source = standardized_source(pipeline::source_of(records), Standardize::parent, threads);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto record = source();
      ASSERT_TRUE(record);
      EXPECT_EQ(record->row, i);
      EXPECT_EQ(record->line, i + 2);
      if (i == 700 || i == 701) {
        EXPECT_EQ(record->text, smiles[i]);
        EXPECT_NE(record->unreadable, "");
      } else {
        EXPECT_EQ(record->text, std::string(i % 20 + 1, 'C') + "N");
        EXPECT_EQ(record->unreadable, "");
      }
    }
    EXPECT_FALSE(source());
    EXPECT_FALSE(source());
  }
}

TEST(StandardizedSource, GivesTheRecordsBeforeAFailure) {
  int given = 0;
  auto source = standardized_source(
      [&]() -> std::optional<chem::MoleculeRecord> {
        if (given == 3) {
          throw InputError("damaged");
        }
        ++given;
        return records_of({"CC[NH3+].[Cl-]"})[0];
      },
      Standardize::parent, 2);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(source());
  }
  EXPECT_THROW(source(), InputError);
}

TEST(StandardizedSource, ImportedFeaturesBelongToTheDrawing) {
  EXPECT_EQ(standardize_before_encoding(Standardize::parent, "imported:x").mode, Standardize::none);
  EXPECT_EQ(standardize_before_encoding(Standardize::parent, "native").mode, Standardize::parent);
  EXPECT_EQ(standardize_before_encoding(Standardize::tautomer, "").mode, Standardize::tautomer);
}

}  // namespace
}  // namespace molgauge::session
