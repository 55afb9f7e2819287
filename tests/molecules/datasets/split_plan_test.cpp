#include "molecules/datasets/split_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::datasets {
namespace {

using testing::HasSubstr;

SplitRequest request() {
  SplitRequest request;
  request.label_columns = {"active"};
  request.out = "bench.json";
  return request;
}

SplitRequest measurements() {
  SplitRequest request = datasets::request();
  request.label_columns = {"reg_label"};
  request.algorithm = SplitAlgorithm::drugood;
  request.table.assay_column = "assay_id";
  request.table.relation_column = "relation";
  return request;
}

std::string refusal(const SplitRequest& request) {
  try {
    plan_split(request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PlanSplit, TakesDrugoodForTheDomainAssayAndGoodOtherwise) {
  SplitRequest assay = measurements();
  assay.algorithm.reset();
  assay.domain = DomainKind::assay;
  EXPECT_TRUE(plan_split(assay).drugood);
  EXPECT_FALSE(plan_split(request()).drugood);
}

TEST(PlanSplit, RefusesARequestWithoutOutput) {
  SplitRequest wrong = request();
  wrong.out = "";
  EXPECT_THAT(refusal(wrong), HasSubstr("--out"));
}

TEST(PlanSplit, RefusesWhatGoodDoesNotKnow) {
  const auto refuses = [](auto change) {
    SplitRequest wrong = request();
    wrong.algorithm = SplitAlgorithm::good;
    change(wrong);
    EXPECT_NE(refusal(wrong), "accepted");
  };
  refuses([](SplitRequest& wrong) { wrong.domain = DomainKind::assay; });
  refuses([](SplitRequest& wrong) { wrong.table.relation_column = "relation"; });
  refuses([](SplitRequest& wrong) { wrong.table.subset = AssaySubset::core; });
  refuses([](SplitRequest& wrong) { wrong.table.units_column = "units"; });
  refuses([](SplitRequest& wrong) {
    wrong.shift = Shift::concept_shift;
    wrong.label_columns.clear();
  });
  refuses([](SplitRequest& wrong) {
    wrong.shift = Shift::none;
    wrong.style = GoodStyle::values;
  });
  refuses([](SplitRequest& wrong) {
    wrong.domain = DomainKind::size;
    wrong.drop_acyclic = true;
  });
}

TEST(PlanSplit, RefusesWhatDrugoodDoesNotKnow) {
  EXPECT_EQ(refusal(measurements()), "accepted");
  const auto refuses = [](auto change, const char* text) {
    SplitRequest wrong = measurements();
    change(wrong);
    EXPECT_THAT(refusal(wrong), HasSubstr(text));
  };
  refuses([](SplitRequest& wrong) { wrong.shift = Shift::none; }, "--algorithm good");
  refuses([](SplitRequest& wrong) { wrong.shift = Shift::concept_shift; }, "--algorithm good");
  refuses([](SplitRequest& wrong) { wrong.style = GoodStyle::classes; }, "--style");
  refuses([](SplitRequest& wrong) { wrong.label_columns = {"a", "b"}; }, "--label-column");
  refuses([](SplitRequest& wrong) { wrong.label_columns.clear(); }, "--relation-column");
  refuses(
      [](SplitRequest& wrong) {
        wrong.domain = DomainKind::assay;
        wrong.table.assay_column.clear();
      },
      "--assay-column");
}

TEST(PlanSplit, RefusesFilterColumnsWithoutAFilter) {
  const auto refuses = [](auto change) {
    SplitRequest wrong = measurements();
    change(wrong.table);
    EXPECT_NE(refusal(wrong), "accepted");
  };
  refuses([](MeasurementTable& table) { table.units_column = "units"; });
  refuses([](MeasurementTable& table) { table.confidence_column = "confidence"; });
  refuses([](MeasurementTable& table) { table.measurement_type = "EC50"; });
  refuses([](MeasurementTable& table) {
    table.subset = AssaySubset::core;
    table.measurement_type = "EC50";
  });
  refuses([](MeasurementTable& table) {
    table.subset = AssaySubset::general;
    table.confidence_column = "confidence";
  });
  refuses([](MeasurementTable& table) {
    table.subset = AssaySubset::core;
    table.assay_column.clear();
  });
}

}  // namespace
}  // namespace molgauge::datasets
