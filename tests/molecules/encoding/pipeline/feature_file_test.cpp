#include "molecules/encoding/pipeline/feature_file.h"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/safetensors.h"
#include "base/runtime/failure_file.h"
#include "fakes.h"
#include "molecules/encoding/pipeline/feature_rows.h"
#include "support/faulty_files.h"

namespace molgauge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using test::chains;
using test::FakeEncoder;
using test::MemoryTable;
using test::quietly;

constexpr std::size_t kWidth = FakeEncoder::kWidth;

constexpr std::size_t kRows = 4200;

/// Encodes more records than a block of rows holds. Two of the records fail. All tests use the same encoding.
struct Encoded {
  Encoded() : records(chains(kRows)) {
    records[3].text = "no, \"molecule\"";
    records[4150].text = "[Ne]";
    outcome = encode_molecules(source_of(records), encoder, table, quietly());
  }
  std::vector<chem::MoleculeRecord> records;
  FakeEncoder encoder;
  MemoryTable table;
  EncodeOutcome outcome;
};

class FeatureFile : public ::testing::Test {
 protected:
  static Encoded& encoded() {
    static Encoded once;
    return once;
  }

  void expect_aligned(const std::vector<std::int64_t>& shape, const std::vector<float>& numbers) {
    ASSERT_EQ(shape, (std::vector<std::int64_t>{kRows, kWidth}));
    ASSERT_EQ(numbers.size(), kRows * kWidth);
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::vector<float> found(numbers.begin() + static_cast<std::ptrdiff_t>(row * kWidth),
                                     numbers.begin() + static_cast<std::ptrdiff_t>((row + 1) * kWidth));
      if (row == 3 || row == 4150) {
        for (const float number : found) {
          ASSERT_TRUE(std::isnan(number)) << row;
        }
      } else if (row % 17 == 0) {
        ASSERT_EQ(found, encoded().encoder.row_of(encoded().records[row])) << row;
      }
    }
  }
  std::filesystem::path write(const std::string& name) {
    write_feature_file(folder_ / name, encoded().table, kWidth, encoded().outcome);
    return folder_ / name;
  }

  molgauge::test::TemporaryFolder folder_;
};

TEST_F(FeatureFile, NpyIsAlignedWithTheInput) {
  const auto file = io::read_npy(write("features.npy"));
  expect_aligned(file.shape, file.to_float32());
}

TEST_F(FeatureFile, SafetensorsIsAlignedWithTheInput) {
  const auto file = io::read_safetensors(write("features.safetensors"));
  expect_aligned(file.tensors.at("features").shape, file.tensors.at("features").to_float32());
}

TEST_F(FeatureFile, Hdf5IsAlignedWithTheInput) {
  const auto file = io::read_hdf5_features(write("features.h5"));
  expect_aligned({kRows, static_cast<std::int64_t>(file.columns)}, file.numbers);
}

TEST_F(FeatureFile, FailuresLieBesideIt) {
  write("features.npy");
  const std::string failures = read_file(folder_ / "features.failed.csv");
  EXPECT_THAT(failures, ::testing::StartsWith("line,input,reason\n4,\"no, \"\"molecule\"\"\","));
  EXPECT_THAT(failures, HasSubstr("\n4151,[Ne],"));
}

TEST_F(FeatureFile, FailuresOfAnEarlierRunAreRemovedWhenThereAreNone) {
  write("features.npy");
  const auto whole = chains(10);
  const auto outcome = encode_molecules(source_of(whole), encoded().encoder, encoded().table, quietly());
  write_feature_file(folder_ / "features.npy", encoded().table, kWidth, outcome);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "features.failed.csv"));
}

TEST_F(FeatureFile, RowsThatLeftTheStoreAreNoFailures) {
  MemoryTable empty;
  EXPECT_THAT(
      [&] { write_feature_file(folder_ / "features.npy", empty, kWidth, encoded().outcome); },
      ThrowsMessage<Error>(AllOf(HasSubstr("features.npy"), HasSubstr("Run the same command again"))));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "features.npy"));
}

/// Replaces the features of two molecules by the features of three molecules, one of which fails. The content
/// that a reader sees is the number of rows, and whether there is a file of failures.
molgauge::test::Writing writing_features(const std::string& name) {
  static FakeEncoder encoder;
  static MemoryTable table;
  const auto encode_to = [=](const std::vector<std::string>& texts, const std::filesystem::path& path) {
    write_feature_file(path, table, kWidth,
                       encode_molecules(source_of(test::records_of(texts)), encoder, table, quietly()));
  };
  return {.prepare =
              [=](const auto& folder) {
                encode_to({"CC", "CCC"}, folder / name);
              },
          .write =
              [=](const auto& folder) {
                encode_to({"CC", "no molecule", "CCCC"}, folder / name);
              },
          .read =
              [=](const auto& folder) {
                const auto features = folder / name;
                const std::size_t rows = name.ends_with(".npy")
                                             ? io::read_npy(features).to_float32().size() / kWidth
                                             : io::read_hdf5_features(features).numbers.size() / kWidth;
                const bool failures = std::filesystem::exists(failures_path(features));
                return std::to_string(rows) + (failures ? " rows and failures" : " rows");
              }};
}

TEST(FeatureFileFaults, FeaturesAreReplacedWholeOrNotAtAllAndNeverLackTheirFailures) {
  const std::vector<std::string> failures_first = {"2 rows and failures"};
  molgauge::test::expect_survives_every_fault(writing_features("features.npy"), failures_first);
  molgauge::test::expect_survives_every_fault(writing_features("features.h5"), failures_first);
}

TEST(FeatureFileName, OtherFormatsAreRefusedListingThoseThereAre) {
  EXPECT_NO_THROW(require_feature_format("a.npy"));
  EXPECT_NO_THROW(require_feature_format("folder.x/a.h5"));
  for (const char* name : {"features.csv", "features", "features.NPY.txt"}) {
    EXPECT_THAT([&] { require_feature_format(name); },
                ThrowsMessage<UsageError>(
                    AllOf(HasSubstr(name), HasSubstr(".npy"), HasSubstr(".safetensors"), HasSubstr(".h5"))));
  }
}

TEST(Failures, OfSeveralFilesHaveTheirFileFirst) {
  const molgauge::test::TemporaryFolder folder;
  FailureLog failed;
  failed.append({.row = 0, .line = 2, .file = "a.json", .text = "=C", .reason = "an atom is missing"});
  write_failures(folder / "failed.csv", failed);
  EXPECT_EQ(read_file(folder / "failed.csv"), "line,input,reason\n2,=C,an atom is missing\n");
  write_failures(folder / "failed.csv", failed, CsvTexts::spreadsheet_safe, FailureColumns::of_several_files);
  EXPECT_EQ(read_file(folder / "failed.csv"), "file,line,input,reason\na.json,2,'=C,an atom is missing\n");
}

TEST(FeatureFileName, FailuresAreCalledAfterTheFeatures) {
  EXPECT_EQ(failures_path("out/features.npy"), "out/features.failed.csv");
  EXPECT_EQ(failures_path("a.b.h5"), "a.b.failed.csv");
}

}  // namespace
}  // namespace molgauge::pipeline
