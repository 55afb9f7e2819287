#include "molecules/datasets/identities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "molecules/datasets/domain_value.h"

namespace molgauge::datasets {
namespace {

std::vector<chem::MoleculeRecord> records(const std::vector<std::string>& texts) {
  std::vector<chem::MoleculeRecord> result;
  for (const auto& text : texts) {
    auto& record = result.emplace_back();
    record.text = text;
    record.row = result.size() - 1;
    record.line = result.size() + 1;
    record.file = "m.csv";
  }
  return result;
}

TEST(DomainValue, IsAScaffoldASizeOrAnAssay) {
  const auto molecules = identify_all(records({"Cc1ccccc1", "CCO"}), true, 2, true).of_record;
  EXPECT_EQ(domain_value(*molecules[0], 9, DomainKind::scaffold), (DomainValue{"c1ccccc1", 6, 0}));
  EXPECT_EQ(domain_value(*molecules[1], 9, DomainKind::scaffold), (DomainValue{"", 0, 0}));
  EXPECT_EQ(domain_value(*molecules[0], 9, DomainKind::size), (DomainValue{"", 7, 0}));
  EXPECT_EQ(domain_value(*molecules[1], 9, DomainKind::size), (DomainValue{"", 3, 0}));
  EXPECT_EQ(domain_value(*molecules[1], 9, DomainKind::assay), (DomainValue{"", 0, 9}));
}

TEST(IdentifyAll, SaysWhichRecordsAreNoMoleculesAndWhy) {
  const auto identities = identify_all(records({"CC", "C1CC", "", "CCC"}), false, 4, true);
  EXPECT_TRUE(identities.of_record[0] && identities.of_record[3]);
  EXPECT_FALSE(identities.of_record[1] || identities.of_record[2]);
  ASSERT_THAT(identities.failed, testing::SizeIs(2));
  EXPECT_EQ(identities.failed[0].row, 1U);
  EXPECT_EQ(identities.failed[0].line, 3U);
  EXPECT_EQ(identities.failed[0].file, "m.csv");
  EXPECT_EQ(identities.failed[0].text, "C1CC");
  EXPECT_NE(identities.failed[0].reason, "");
  EXPECT_EQ(identities.failed[1].row, 2U);
}

TEST(IdentifyAll, StopsOnCtrlC) {
  request_cancellation();
  EXPECT_THROW(identify_all(records({"CC"}), false, 1, true), Interrupted);
  request_cancellation(false);
}

}  // namespace
}  // namespace molgauge::datasets
