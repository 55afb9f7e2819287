#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_writer.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/keyed_hdf5.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/safetensors.h"
#include "support/faulty_files.h"

namespace molgauge::io {
namespace {

using test::Writing;

constexpr std::size_t kWidth = 5;

std::vector<float> rows(float value) { return std::vector<float>(3 * kWidth, value); }

/// Writes one file. Its content is a number, which the readers find.
template <typename Write, typename Read>
Writing replacing(const std::string& name, Write write, Read read) {
  return {.prepare = [=](const auto& folder) { write(folder / name, 1.0F); },
          .write = [=](const auto& folder) { write(folder / name, 2.0F); },
          .read = [=](const auto& folder) { return read(folder / name); }};
}

std::string text_of(const std::vector<float>& numbers) {
  EXPECT_EQ(numbers.size(), 3 * kWidth);
  EXPECT_EQ(numbers, rows(numbers.front()));
  return std::to_string(numbers.front());
}

TEST(FileFaults, NpyIsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing(
      "a.npy",
      [](const auto& path, float value) {
        NpyWriter writer(path, kWidth);
        writer.append(rows(value));
        writer.finish();
      },
      [](const auto& path) { return text_of(read_npy(path).to_float32()); }));
}

TEST(FileFaults, SafetensorsAreReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing(
      "a.safetensors",
      [](const auto& path, float value) {
        write_safetensors(path, {{"w", TensorData::from_float32({3, kWidth}, rows(value).data())}});
      },
      [](const auto& path) { return text_of(read_safetensors(path).tensors.at("w").to_float32()); }));
}

TEST(FileFaults, CsvIsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing(
      "a.csv",
      [](const auto& path, float value) {
        CsvWriter writer(path, {"number"});
        writer.append({std::to_string(value)});
        writer.finish();
      },
      [](const auto& path) {
        const std::string text = read_file(path);
        EXPECT_TRUE(text.starts_with("number\n") && text.ends_with('\n')) << text;
        return text;
      }));
}

TEST(FileFaults, Hdf5IsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing(
      "a.h5", [](const auto& path, float value) { write_hdf5_features(path, kWidth, rows(value), {}); },
      [](const auto& path) { return text_of(read_hdf5_features(path).numbers); }));
}

TEST(FileFaults, Hdf5OfNamedRowsIsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing(
      "a.h5",
      [](const auto& path, float value) {
        const std::vector<float> row = rows(value);
        write_hdf5_rows(path, {{"CCO", row}, {"CCN", row}});
      },
      [](const auto& path) { return text_of(read_hdf5_rows(path).at("CCN")); }));
}

TEST(FileFaults, Hdf5OnAFullDiskIsAnError) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.h5";
  const std::vector<std::string> keys(3, std::string(5000, 'C'));
  // Small data sets are written when they are closed, so a failure appears late.
  for (std::size_t call = 0; call < 40; ++call) {
    test::FaultyFiles disk;
    disk.arm(test::Fault::full_disk, call);
    bool failed = false;
    try {
      write_hdf5_features(path, kWidth, rows(1), keys, "keys", {{"weights", "seed 7"}});
    } catch (const Error& error) {
      failed = true;
      EXPECT_THAT(error.what(), testing::HasSubstr("Free some space"));
    }
    EXPECT_EQ(failed, disk.struck()) << call;
    if (call == 0) {
      EXPECT_TRUE(failed) << "HDF5 files are not written through file_calls()";
    }
  }
}

}  // namespace
}  // namespace molgauge::io
