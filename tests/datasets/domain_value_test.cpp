#include "datasets/domain_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cancellation.h"
#include "core/error.h"
#include "datasets/domain_table.h"
#include "io/npz.h"
#include "reference_tables.h"
#include "support/fixtures.h"

namespace headroom::datasets {
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

TEST(DomainValues, AreScaffoldsOrSizes) {
  const auto molecules = records({"Cc1ccccc1", "CCO"});
  const auto scaffolds = domain_values(molecules, DomainKind::scaffold, 2, true);
  EXPECT_EQ(scaffolds.of_record[0], (DomainValue{"c1ccccc1", 6}));
  EXPECT_EQ(scaffolds.of_record[1], (DomainValue{"", 0}));
  const auto sizes = domain_values(molecules, DomainKind::size, 2, true);
  EXPECT_EQ(sizes.of_record[0], (DomainValue{"", 7}));
  EXPECT_EQ(sizes.of_record[1], (DomainValue{"", 3}));
}

TEST(DomainValues, SayWhichRecordsAreNoMoleculesAndWhy) {
  const auto values = domain_values(records({"CC", "C1CC", "", "CCC"}), DomainKind::size, 4, true);
  EXPECT_TRUE(values.of_record[0] && values.of_record[3]);
  EXPECT_FALSE(values.of_record[1] || values.of_record[2]);
  ASSERT_THAT(values.failed, testing::SizeIs(2));
  EXPECT_EQ(values.failed[0].row, 1U);
  EXPECT_EQ(values.failed[0].line, 3U);
  EXPECT_EQ(values.failed[0].file, "m.csv");
  EXPECT_EQ(values.failed[0].text, "C1CC");
  EXPECT_NE(values.failed[0].reason, "");
  EXPECT_EQ(values.failed[1].row, 2U);
}

TEST(DomainValues, StopOnCtrlC) {
  request_cancellation();
  EXPECT_THROW(domain_values(records({"CC"}), DomainKind::size, 1, true), Interrupted);
  request_cancellation(false);
}

TEST(DomainValuesParity, NumberTheReferenceMoleculesAsGoodDoes) {
  REQUIRE_REFERENCE("ood/good_molecules.csv");
  auto lines = test::read_plain_csv(test::reference_data("ood/good_molecules.csv"));
  lines.erase(lines.begin());
  std::vector<std::string> texts;
  for (const auto& fields : lines) {
    texts.push_back(fields.front());
  }
  for (const auto& [name, kind] :
       {std::pair("scaffold", DomainKind::scaffold), std::pair("size", DomainKind::size)}) {
    std::vector<DomainValue> values;
    for (auto& value : domain_values(records(texts), kind, 2, true).of_record) {
      values.push_back(value.value());
    }
    EXPECT_EQ(domains_by_value(values).domain_of_row,
              test::to_rows(io::read_npz(test::reference_data("ood/good_splits.npz"),
                                         std::string("hiv.") + name + ".domain_id")));
  }
}

}  // namespace
}  // namespace headroom::datasets
