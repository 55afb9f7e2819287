#include "molecules/ood/run/python_run.h"

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

using testing::HasSubstr;

/// A folder with the checkpoint of a complete training, as the Python project leaves it (head 4-4-2-1).
class PythonRunFolder : public testing::Test {
 protected:
  PythonRunFolder() {
    std::filesystem::copy(test::own_data("io/best_model.pth"), folder_ / "best_model.pth");
  }
  PythonRun find(const std::filesystem::path& path) {
    const auto run = find_python_run(path);
    EXPECT_TRUE(run.has_value());
    return run ? *run : PythonRun();
  }
  test::TemporaryFolder folder_;
};

TEST_F(PythonRunFolder, OptionsAreThoseOfTheCheckpoint) {
  for (const auto& path : {folder_.path(), folder_ / "best_model.pth"}) {
    const PythonRun run = find(path);
    EXPECT_EQ(run.model, folder_ / "best_model.pth");
    EXPECT_EQ(run.request.encoder, "minimol");
    EXPECT_EQ(run.request.benchmark, "lbap_general_ec50_size");
    EXPECT_EQ(run.data_path, "./data/raw");
    EXPECT_EQ(run.request.data_seed, 7u);
    EXPECT_EQ(run.request.eval_batch_size, 64u);
    EXPECT_EQ(run.request.dpo_beta, 0.5);
  }
}

TEST_F(PythonRunFolder, ConfigJsonFillsGaps) {
  replace_file(folder_ / "config.json", R"({"data_seed": 1, "splits_cache_file": "s.json"})");
  const PythonRun run = find(folder_.path());
  EXPECT_EQ(run.request.data_seed, 7u) << "the checkpoint takes precedence";
  EXPECT_EQ(run.request.splits_cache, "s.json");
}

TEST_F(PythonRunFolder, WithoutABestModelTheNewestCounts) {
  std::filesystem::rename(folder_ / "best_model.pth", folder_ / "checkpoint_epoch_005.pth");
  EXPECT_EQ(find(folder_.path()).model, folder_ / "checkpoint_epoch_005.pth");
}

TEST_F(PythonRunFolder, OtherFoldersAreNone) {
  EXPECT_FALSE(find_python_run(test::TemporaryFolder().path()).has_value());
  replace_file(folder_ / "best_model.safetensors", "");
  EXPECT_FALSE(find_python_run(folder_.path()).has_value()) << "made by molgauge train";
}

TEST_F(PythonRunFolder, WhatDoesNotFitIsRefused) {
  replace_file(folder_ / "config.json", R"({"finetune_encoder": true})");
  EXPECT_EQ(find(folder_.path()).request.encoder, "minimol") << "the checkpoint says false";
  replace_file(folder_ / "config.json", R"({"splits_cache_file": 3})");
  EXPECT_THROW(find_python_run(folder_.path()), InputError);
  replace_file(folder_ / "best_model.pth", "no checkpoint at all");
  EXPECT_THROW(find_python_run(folder_.path()), InputError);
}

TEST_F(PythonRunFolder, TheHeadIsThatOfTheModelAlone) {
  const HeadWeights head = load_python_head(folder_ / "best_model.pth");
  EXPECT_EQ(head.feature_width(), 4);
  EXPECT_EQ(head.hidden_width(), 4);
  EXPECT_FLOAT_EQ(head.layers[0].weight.data()[0], -0.495635986328125f);
}

TEST(PythonHead, AnEncoderThatWasTrainedTooIsRefused) {
  try {
    load_python_head(test::own_data("io/best_model_with_encoder.pth"));
    FAIL() << "nothing was thrown";
  } catch (const InputError& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("--finetune-encoder"));
  }
}

}  // namespace
}  // namespace molgauge::ood
