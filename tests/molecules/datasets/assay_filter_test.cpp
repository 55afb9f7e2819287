#include "molecules/datasets/assay_filter.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::datasets {
namespace {

using testing::SizeIs;

/// `count` molecules C, CC, ... measured in an assay.
std::vector<LabelledRecord> assay(std::int64_t id, std::size_t count) {
  std::vector<LabelledRecord> records(count);
  for (std::size_t i = 0; i < count; ++i) {
    records[i].record.text = std::string(i + 1, 'C');
    records[i].labels = {5.0};
    records[i].assay_id = id;
    records[i].measurement_type = "EC50";
    records[i].units = "nM";
    records[i].confidence = 9;
  }
  return records;
}

std::vector<LabelledRecord> joined(std::vector<LabelledRecord> left,
                                   const std::vector<LabelledRecord>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::set<std::int64_t> assays(const std::vector<LabelledRecord>& records) {
  std::set<std::int64_t> ids;
  for (const auto& record : records) {
    ids.insert(record.assay_id);
  }
  return ids;
}

MeasurementTable subset(AssaySubset name) {
  MeasurementTable table;
  table.assay_column = "assay_id";
  table.subset = name;
  return table;
}

TEST(FilterAssays, KeepsThoseOfTheRightSizeBothBoundsIncluded) {
  auto records = joined(joined(assay(1, 9), assay(2, 10)), joined(assay(3, 31), assay(4, 32)));
  auto general = records;
  EXPECT_EQ(filter_assays(general, subset(AssaySubset::general)), 9U);
  EXPECT_EQ(assays(general), (std::set<std::int64_t>{2, 3, 4}));
  auto refined = records;
  EXPECT_EQ(filter_assays(refined, subset(AssaySubset::refined)), 9U + 10 + 31);
  EXPECT_EQ(assays(refined), (std::set<std::int64_t>{4}));
  auto large = joined(assay(1, 3000), assay(2, 3001));
  filter_assays(large, subset(AssaySubset::core));
  EXPECT_EQ(assays(large), (std::set<std::int64_t>{1}));
}

TEST(FilterAssays, CountsAMoleculeMeasuredTwiceOnce) {
  auto records = joined(assay(1, 9), assay(1, 9));
  filter_assays(records, subset(AssaySubset::general));
  EXPECT_THAT(records, SizeIs(0));
}

TEST(FilterAssays, KeepsTheTypeTheUnitsAndTheConfidenceThatAreAskedFor) {
  MeasurementTable table = subset(AssaySubset::core);
  table.type_column = "type";
  table.measurement_type = "EC50";
  table.units_column = "units";
  table.confidence_column = "confidence";
  auto records = assay(1, 60);
  records[0].measurement_type = "IC50";
  records[1].units = "mg";
  records[2].units = "uM";
  records[3].confidence = 8;
  EXPECT_EQ(filter_assays(records, table), 3U);
}

TEST(FilterAssays, KeepsTheRelationsOfTheSubset) {
  auto records = assay(1, 60);
  records[0].relation = "~";
  records[1].relation = "<=";
  records[2].relation = ">";
  auto core = records, refined = records, general = records;
  EXPECT_EQ(filter_assays(core, subset(AssaySubset::core)), 2U);
  EXPECT_EQ(filter_assays(refined, subset(AssaySubset::refined)), 1U);
  EXPECT_EQ(filter_assays(general, subset(AssaySubset::general)), 0U);
}

}  // namespace
}  // namespace molgauge::datasets
