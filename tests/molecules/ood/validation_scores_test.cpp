#include "molecules/ood/run/validation_scores.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/run/seeds.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<float> kId = {0.5F, 0.25F, 1}, kOod = {2, 0.75F};

/// Does not use replace_file(), because it would record a checksum.
void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(ValidationScoresFile, ComesBackWithItsCalibration) {
  const test::TemporaryFolder run;
  const ValidationScores scores = calibrate(kId, kOod);
  write_validation_scores(run.path(), scores, "model");
  const auto found = find_validation_scores(run.path(), "model");
  ASSERT_TRUE(found.scores);
  EXPECT_EQ(found.scores->id, kId);
  EXPECT_EQ(found.scores->ood, kOod);
  EXPECT_EQ(found.scores->platt.slope, scores.platt.slope);
  EXPECT_EQ(found.scores->platt.intercept, scores.platt.intercept);
  EXPECT_THAT(io::read_safetensors(run / "validation_scores.safetensors").metadata.at("calibration"),
              HasSubstr("Platt"));
}

TEST(ValidationScoresFile, IsOfTheModelBesideItOrNotUsed) {
  const test::TemporaryFolder run;
  EXPECT_THAT(find_validation_scores(run.path(), "model").why_none, HasSubstr("Train again"));
  write_validation_scores(run.path(), calibrate(kId, kOod), "model");
  const auto other = find_validation_scores(run.path(), "another model");
  EXPECT_FALSE(other.scores);
  EXPECT_THAT(other.why_none, HasSubstr("is not finished"));
  remove_validation_scores(run.path());
  EXPECT_FALSE(find_validation_scores(run.path(), "model").scores);
}

TEST(ValidationScoresFile, IsCheckedBeforeItIsUsed) {
  const test::TemporaryFolder run;
  keep_checksums(run.path());
  write_validation_scores(run.path(), calibrate(kId, kOod), "model");
  const auto path = run / "validation_scores.safetensors";
  std::string bytes = read_file(path);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_text(path, bytes);
  EXPECT_THROW(find_validation_scores(run.path(), "model"), InputError);
  io::write_safetensors(path, {}, {{"format", "molgauge validation scores 1"}, {"model", "model"}});
  EXPECT_THROW(find_validation_scores(run.path(), "model"), InputError);
}

TEST(Seeds, AreAnAscendingListInAFile) {
  const test::TemporaryFolder run;
  EXPECT_THAT(find_seeds(run.path()), IsEmpty());
  write_seeds(run.path(), {38, 39, 40});
  EXPECT_THAT(find_seeds(run.path()), ElementsAre(38, 39, 40));
  for (const char* const content :
       {"{", "{}", "{\"seeds\": []}", "{\"seeds\": [2, 2]}", "{\"seeds\": [1.5]}"}) {
    replace_file(run / "seeds.json", content);
    EXPECT_THROW(find_seeds(run.path()), InputError) << content;
  }
  remove_seeds(run.path());
  EXPECT_THAT(find_seeds(run.path()), IsEmpty());
}

}  // namespace
}  // namespace molgauge::ood
