#include "base/io/tensors/ragged.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/npz.h"
#include "support/faulty_files.h"

namespace molgauge::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Three arrays with two, zero and one rows.
constexpr std::array<std::int64_t, 4> kOffsets = {0, 2, 2, 3};
const std::vector<float> kNumbers = {1, 2, 3, 4, 5, 6};

Ragged three_arrays() { return {.columns = 2, .offsets = kOffsets, .metadata = {{"weights", "seed 7"}}}; }

/// Gives the rows in parts of this many numbers, or all at once.
FillRows giving(std::size_t numbers_at_once) {
  return [=](const AppendRows& append) {
    for (std::size_t first = 0; first < kNumbers.size(); first += numbers_at_once) {
      append(std::span(kNumbers).subspan(first, numbers_at_once));
    }
  };
}

std::vector<std::int64_t> integers_of(const std::filesystem::path& file, const char* name) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(opened, name, H5P_DEFAULT);
  std::vector<std::int64_t> numbers(H5Dget_storage_size(dataset) / sizeof(std::int64_t));
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  H5Dclose(dataset);
  H5Fclose(opened);
  return numbers;
}

TEST(Ragged, NpzHoldsRowsAndOffsets) {
  const test::TemporaryFolder folder;
  write_ragged_npz(folder / "a.npz", three_arrays(), giving(2));
  const TensorMap arrays = read_npz(folder / "a.npz");
  EXPECT_EQ(arrays.size(), 2U) << "the text is no array of numbers";
  EXPECT_THAT(arrays.at("features").shape, ElementsAre(3, 2));
  EXPECT_EQ(arrays.at("features").to_float32(), kNumbers);
  EXPECT_EQ(arrays.at("offsets").type, DataType::int64);
  EXPECT_THAT(arrays.at("offsets").to_float32(), ElementsAre(0, 2, 2, 3));
  const std::string text = read_file(folder / "a.npz");
  EXPECT_THAT(text, HasSubstr(std::string("s\0\0\0e\0\0\0e\0\0\0d\0\0\0 \0\0\0007\0\0\0", 24)));
  write_ragged_npz(folder / "b.npz", three_arrays(), giving(6));
  EXPECT_EQ(read_file(folder / "b.npz"), text);
}

TEST(Ragged, Hdf5HoldsRowsAndOffsets) {
  const test::TemporaryFolder folder;
  write_ragged_hdf5(folder / "a.h5", three_arrays(), giving(2));
  const Hdf5Features features = read_hdf5_features(folder / "a.h5");
  EXPECT_EQ(features.columns, 2U);
  EXPECT_EQ(features.numbers, kNumbers);
  EXPECT_EQ(features.metadata.at("weights"), "seed 7");
  EXPECT_THAT(integers_of(folder / "a.h5", "offsets"), ElementsAre(0, 2, 2, 3));
  write_ragged_hdf5(folder / "b.h5", three_arrays(), giving(6));
  EXPECT_EQ(read_file(folder / "b.h5"), read_file(folder / "a.h5"));
}

TEST(Ragged, MayHoldNothing) {
  const test::TemporaryFolder folder;
  const std::array<std::int64_t, 2> offsets = {0, 0};
  const Ragged nothing{.columns = 4, .offsets = offsets, .metadata = {}};
  const FillRows no_rows = [](const AppendRows&) {};
  write_ragged_npz(folder / "a.npz", nothing, no_rows);
  EXPECT_THAT(read_npz(folder / "a.npz", "features").shape, ElementsAre(0, 4));
  write_ragged_hdf5(folder / "a.h5", nothing, no_rows);
  EXPECT_EQ(read_hdf5_features(folder / "a.h5").columns, 4U);
}

TEST(Ragged, RefusesAnotherNumberOfRowsAndLeavesNoFile) {
  const test::TemporaryFolder folder;
  const FillRows too_few = [](const AppendRows& append) { append(std::span(kNumbers).first(2)); };
  const FillRows too_many = [](const AppendRows& append) {
    append(kNumbers);
    append(kNumbers);
  };
  for (const FillRows& fill : {too_few, too_many}) {
    EXPECT_THAT([&] { write_ragged_npz(folder / "a.npz", three_arrays(), fill); },
                ThrowsMessage<Error>(HasSubstr("a.npz")));
    EXPECT_THAT([&] { write_ragged_hdf5(folder / "a.h5", three_arrays(), fill); },
                ThrowsMessage<Error>(HasSubstr("a.h5")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FileFaults, RaggedNpzIsReplacedWholeOrNotAtAll) {
  const auto write = [](const std::filesystem::path& path, float value) {
    const std::vector<float> rows(6, value);
    write_ragged_npz(path, three_arrays(), [&](const AppendRows& append) { append(rows); });
  };
  test::expect_survives_every_fault({.prepare = [=](const auto& folder) { write(folder / "a.npz", 1); },
                                     .write = [=](const auto& folder) { write(folder / "a.npz", 2); },
                                     .read =
                                         [](const auto& folder) {
                                           const std::vector<float> numbers =
                                               read_npz(folder / "a.npz", "features").to_float32();
                                           EXPECT_EQ(numbers, std::vector<float>(6, numbers.front()));
                                           return std::to_string(numbers.front());
                                         }});
}

TEST(FileFaults, RaggedHdf5IsReplacedWholeOrNotAtAll) {
  const auto write = [](const std::filesystem::path& path, float value) {
    const std::vector<float> rows(6, value);
    write_ragged_hdf5(path, three_arrays(), [&](const AppendRows& append) { append(rows); });
  };
  test::expect_survives_every_fault({.prepare = [=](const auto& folder) { write(folder / "a.h5", 1); },
                                     .write = [=](const auto& folder) { write(folder / "a.h5", 2); },
                                     .read =
                                         [](const auto& folder) {
                                           const Hdf5Features features = read_hdf5_features(folder / "a.h5");
                                           EXPECT_EQ(features.numbers,
                                                     std::vector<float>(6, features.numbers.front()));
                                           return std::to_string(features.numbers.front());
                                         }});
}

}  // namespace
}  // namespace molgauge::io
