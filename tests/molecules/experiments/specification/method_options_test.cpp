#include "molecules/experiments/specification/method_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/options/tables.h"

namespace molgauge::experiment {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& name, const options::Value& value) {
  TrainRequest request;
  try {
    set_energy_option(request, name, value);
  } catch (const UsageError& problem) {
    return problem.what();
  }
  return "";
}

TEST(EnergyOptions, AreSetByTheirNameOnTheCommandLine) {
  TrainRequest request;
  set_energy_option(request, "loss", std::string("hinge"));
  set_energy_option(request, "hinge-margin", std::int64_t{2});
  set_energy_option(request, "lr", 1e-3);
  set_energy_option(request, "epochs", std::int64_t{7});
  set_energy_option(request, "hinge-squared", true);
  EXPECT_EQ(request.loss, Loss::hinge);
  EXPECT_EQ(request.hinge_margin, 2.0);
  EXPECT_EQ(request.learning_rate, 1e-3);
  EXPECT_EQ(request.epochs, 7U);
  EXPECT_TRUE(request.hinge_squared);
}

TEST(EnergyOptions, TakeThoseThatSpareMemory) {
  TrainRequest request;
  set_energy_option(request, "gradient-accumulation", std::int64_t{4});
  set_energy_option(request, "optimizer-state", std::string("bf16"));
  EXPECT_EQ(request.gradient_accumulation, "4");
  EXPECT_EQ(request.optimizer_state, MomentType::bf16);
  set_energy_option(request, "gradient-accumulation", std::string("auto"));
  EXPECT_EQ(request.gradient_accumulation, "auto");
}

TEST(EnergyOptions, RefuseAnUnknownName) {
  EXPECT_THAT(refusal("learning-rate", 0.1),
              HasSubstr("no option 'learning-rate'. Available: loss, dpo-beta"));
}

TEST(EnergyOptions, RefuseAnotherKind) {
  EXPECT_THAT(refusal("epochs", std::string("many")),
              HasSubstr("'epochs' takes a whole number from 1 to 1000000, not the text \"many\""));
  EXPECT_THAT(refusal("epochs", std::int64_t{-1}), HasSubstr("a whole number"));
  EXPECT_THAT(refusal("epochs", 1.5), HasSubstr("a whole number"));
  EXPECT_THAT(refusal("loss", true), HasSubstr("takes dpo, bce, mse, hinge, not true"));
  EXPECT_THAT(refusal("lr", std::string("small")), HasSubstr("a number"));
  EXPECT_THAT(refusal("hinge-squared", std::int64_t{1}), HasSubstr("true or false"));
}

TEST(BaselineOptions, AreSetByTheirNameOnTheCommandLine) {
  BaselineRequest request;
  request.method = "knn";
  set_baseline_option(request, "knn-k", std::int64_t{7});
  set_baseline_option(request, "lr", 0.1);
  EXPECT_EQ(request.knn_k, 7U);
  EXPECT_EQ(request.learning_rate, 0.1);
}

TEST(BaselineOptions, OfOtherMethodsAreRefused) {
  BaselineRequest request;
  request.method = "msp";
  EXPECT_THROW(set_baseline_option(request, "knn-k", std::int64_t{7}), UsageError);
  request.method = "dam_energy";
  EXPECT_NO_THROW(set_baseline_option(request, "dam-lr", 0.2));
  EXPECT_THROW(set_baseline_option(request, "lr", 0.2), UsageError);
}

TEST(BaselineOptions, EveryPartialOneIsAnOption) {
  std::size_t partial = 0;
  for (const options::Option& option : options::table<BaselineRequest>()) {
    const options::Condition& condition = option.conditions.front();
    if (condition.option.empty()) {
      continue;
    }
    ++partial;
    const std::string name(option.name);
    EXPECT_EQ(condition.option, "method") << name;
    EXPECT_EQ(why_without_effect(name, "all"), "") << name;
    const std::string other = condition.is_wanted ? "msp" : std::string(*condition.values.begin());
    EXPECT_NE(why_without_effect(name, other), "") << name;
    BaselineRequest request;
    request.method = "all";
    const options::Value value = name == "mc-dropout-metric" ? options::Value(std::string("variance"))
                                 : name == "labels"          ? options::Value(std::string("class"))
                                                             : options::Value(std::int64_t{3});
    EXPECT_NO_THROW(set_baseline_option(request, name, value));
  }
  EXPECT_EQ(partial, 17U);
}

}  // namespace
}  // namespace molgauge::experiment
