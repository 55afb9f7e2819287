#include "base/options/settings.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using testing::HasSubstr;

template <typename Change>
std::string refusal(Change change) {
  TrainRequest request;
  change(request);
  try {
    require_ranges(view(request));
  } catch (const UsageError& problem) {
    return problem.what();
  }
  return "";
}

TEST(RequireRanges, NamesTheOptionTheValueAndTheRange) {
  EXPECT_EQ(refusal([](TrainRequest& request) { request.seed = std::numeric_limits<std::uint64_t>::max(); }),
            "");
  EXPECT_EQ(
      refusal([](TrainRequest& request) { request.batch_size = std::numeric_limits<std::size_t>::max(); }),
      "batch-size: 18446744073709551615 is out of range. Give a whole number from 1 to 10000000");
  EXPECT_THAT(refusal([](TrainRequest& request) { request.dropout = 1; }),
              HasSubstr("not below 0 and below 1"));
  EXPECT_THAT(refusal([](TrainRequest& request) { request.train_size = 2'000'000'000; }),
              HasSubstr("train-size: 2000000000 is out of range"));
  EXPECT_THAT(refusal([](TrainRequest& request) { request.compute.threads = 2'000; }), HasSubstr("threads"));
}

TEST(RequireRanges, ATextMayBeAWordOrANumber) {
  const auto accumulation = [](const char* text) {
    return refusal([&](TrainRequest& request) { request.gradient_accumulation = text; });
  };
  EXPECT_EQ(accumulation("auto"), "");
  EXPECT_EQ(accumulation("16"), "");
  for (const char* const wrong : {"0", "-1", "1.5", "many", "", "18446744073709551616"}) {
    EXPECT_THAT(accumulation(wrong), HasSubstr("a whole number from 1 to 10000000, or auto")) << wrong;
  }
}

TEST(Assign, ReadsAnAmountOfMemory) {
  SimulateMemoryRequest request;
  const MutableView view = mutable_view(request);
  const Option& capacity = option_named(view.options, "capacity");
  assign(view, capacity, "capacity", Value("24GiB"));
  EXPECT_EQ(request.capacity_bytes, std::uint64_t{24} << 30);
  assign(view, capacity, "capacity", Value(std::int64_t{1000}));
  EXPECT_EQ(request.capacity_bytes, 1000U);
  EXPECT_THROW(assign(view, capacity, "capacity", Value("much")), UsageError);
  request.capacity_bytes = 0;
  EXPECT_THROW(require_ranges(view), UsageError);
}

TEST(Assign, TellsAnEmptyTextFromNone) {
  ExplainMemoryRequest request;
  const MutableView view = mutable_view(request);
  EXPECT_FALSE(request.settings);
  assign(view, option_named(view.options, "setting"), "setting", Value(""));
  EXPECT_EQ(request.settings, "");
}

TEST(Conditions, AreExplained) {
  TrainRequest request;
  request.loss = Loss::bce;
  const Option& beta = option_named(table<TrainRequest>(), "dpo-beta");
  const Condition* const broken = broken_condition(view(request), beta);
  ASSERT_NE(broken, nullptr);
  EXPECT_EQ(explain(view(request), *broken, "--"),
            "has no effect with --loss bce: it belongs to the loss dpo");
  const Option& column = option_named(table<TrainRequest>(), "smiles-column");
  EXPECT_THAT(explain(view(request), *broken_condition(view(request), column), "--"),
              HasSubstr("has no effect without --ood: "));
  request.ood = "nci";
  EXPECT_EQ(broken_condition(view(request), column), nullptr);
  const Option& size = option_named(table<TrainRequest>(), "train-size");
  EXPECT_EQ(explain(view(request), *broken_condition(view(request), size), "--"),
            "has no effect with --ood: it belongs to a benchmark");
}

/// The flag sets its field to false.
TEST(Conditions, OfAFlagThatClearsSayThatItIsGiven) {
  PocketTrainRequest request;
  request.encoder.v3 = true;
  request.encoder.multi_hop = false;
  const Option& weight = option_named(table<PocketTrainRequest>(), "angle-weight");
  const Condition* const broken = broken_condition(view(request), weight);
  ASSERT_NE(broken, nullptr);
  EXPECT_THAT(explain(view(request), *broken, "--"), HasSubstr("has no effect with --no-multi-hop"));
  request.encoder.multi_hop = true;
  EXPECT_EQ(broken_condition(view(request), weight), nullptr);
}

TEST(Conditions, OfALossRefuseChangedValuesAlone) {
  TrainRequest request;
  request.loss = Loss::bce;
  EXPECT_NO_THROW(require_effect(view(request), view(TrainRequest()), "loss"));
  request.hinge_squared = true;
  EXPECT_THROW(require_effect(view(request), view(TrainRequest()), "loss"), UsageError);
  request.loss = Loss::hinge;
  EXPECT_NO_THROW(require_effect(view(request), view(TrainRequest()), "loss"));
}

}  // namespace
}  // namespace molgauge::options
