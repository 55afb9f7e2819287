#include "molecules/experiments/matrix/cell.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::matrix {
namespace {

experiment::Spec small_spec() {
  experiment::Spec spec;
  spec.encoders = {"ecfp"};
  spec.seeds = {1, 2};
  spec.shared["training"] = {{"epochs", {std::int64_t{5}}}, {"loss", {std::string("bce")}}};
  spec.benchmarks.resize(1);
  spec.benchmarks[0].name = "nci";
  spec.methods = {{"dpo", "energy-head", {{"dpo-beta", {0.1, 1.0}}, {"loss", {std::string("dpo")}}}, 1},
                  {"nearest", "knn", {{"knn-k", {std::int64_t{5}}}}, 2}};
  return spec;
}

TEST(Cells, AreEveryCombination) {
  const auto cells = expand(small_spec());
  ASSERT_EQ(cells.size(), 6U);  // two points of the grid and one baseline, two seeds each
  EXPECT_EQ(cells[0].variant(), "dpo,dpo-beta=0.1");
  EXPECT_EQ(cells[2].variant(), "dpo,dpo-beta=1");
  EXPECT_EQ(cells[1].seed, 2U);
  EXPECT_EQ(cells[4].variant(), "nearest");
}

TEST(Cells, OwnOptionsGoBeforeTheTrainings) {
  const auto cells = expand(small_spec());
  EXPECT_EQ(options::to_text(cells[0].options.at("loss")), "dpo");
  EXPECT_EQ(options::to_text(cells[0].options.at("epochs")), "5");
  EXPECT_FALSE(cells[4].options.contains("epochs")) << "training belongs to energy methods";
}

TEST(Cells, AreNotMultipliedByWhatTheirMethodDoesNotLookAt) {
  experiment::Spec spec = small_spec();
  spec.shared["classifier"] = {{"lr", {0.1, 0.01}}};
  spec.methods = {{"nearest", "knn", {}, 1}, {"dam", "dam_msp", {}, 2}};
  const auto cells = expand(spec);
  ASSERT_EQ(cells.size(), 6U);  // two learning rates of knn, one dam_msp, two seeds each
  EXPECT_FALSE(cells[5].options.contains("lr"));
}

TEST(Cells, AreThoseOfTheEncodersThatAMethodIsFor) {
  experiment::Spec spec = small_spec();
  const std::size_t on_one = expand(spec).size();
  spec.encoders = {"minimol", "unimol"};
  spec.methods.back().encoders = {"unimol"};
  const auto cells = expand(spec);
  const auto of = [&](const std::string& encoder, const std::string& method) {
    return std::count_if(cells.begin(), cells.end(),
                         [&](const Cell& cell) { return cell.encoder == encoder && cell.method == method; });
  };
  const std::string last = spec.methods.back().name;
  EXPECT_EQ(of("minimol", last), 0);
  EXPECT_GT(of("unimol", last), 0);
  EXPECT_EQ(cells.size(), 2 * on_one - static_cast<std::size_t>(of("unimol", last)));
}

/// A grid of 15.8 million runs would take 20 GB in memory.
TEST(Cells, AMatrixOfTooManyRunsIsRefusedBeforeItTakesMemory) {
  experiment::Spec spec = small_spec();
  spec.file = "spec.toml";
  for (const char* option : {"lambda-reg", "lr", "weight-decay", "dropout"}) {
    experiment::OptionRange range{option, {}};
    for (int i = 1; i <= 63; ++i) {
      range.values.emplace_back(0.001 * i);
    }
    spec.shared["training"].push_back(std::move(range));
  }
  try {
    expand(spec);
    ADD_FAILURE() << "was laid out";
  } catch (const InputError& refusal) {
    EXPECT_THAT(refusal.what(),
                testing::AllOf(testing::HasSubstr("spec.toml:1"), testing::HasSubstr("100000")));
  }
}

TEST(Cells, TheCountOfRunsDoesNotOverflow) {
  experiment::Spec spec = small_spec();
  for (int option = 0; option < 16; ++option) {
    spec.shared["training"].push_back(
        {"option" + std::to_string(option), std::vector<options::Value>(16, 0.5)});
  }
  EXPECT_THROW(expand(spec), InputError);  // 16^16 = 2^64
}

TEST(Cells, HaveFoldersOfTheirOwn) {
  std::set<std::string> folders;
  for (const auto& cell : expand(small_spec())) {
    folders.insert(cell.folder().string());
  }
  EXPECT_EQ(folders.size(), 6U);
  EXPECT_TRUE(folders.contains("runs/ecfp/nci/nearest/seed_1_data_42"));
}

}  // namespace
}  // namespace molgauge::matrix
