#include "base/io/tensors/npy.h"

#include <gmock/gmock.h>

#include "base/io/tensors/npy_header.h"
#include "damage.h"
#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;

TensorData read_npy_of(std::vector<std::byte> bytes) {
  return read_npy(*random_access_in_memory("x.npy", std::move(bytes)));
}

std::string npy_file(const std::string& dictionary, const std::string& numbers) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dictionary.size());
  text += '\0';
  return text + dictionary + numbers;
}

TEST(Npy, ReadsWhatNumpyWrote) {
  const TensorData tensor = read_npy(test::own_data("io/half.npy"));
  EXPECT_EQ(tensor.type, DataType::float16);
  EXPECT_THAT(tensor.shape, testing::ElementsAre(1, 2));
  EXPECT_THAT(tensor.to_float32(), testing::ElementsAre(1.5f, -2.0f));
}

TEST(Npy, WriterStreamsRowsAndAppearsWhole) {
  const test::TemporaryFolder folder;
  const auto path = folder / "rows.npy";
  const std::vector<float> two_rows = {1, 2, 3, 4, 5, 6}, one_row = {7, 8, 9};
  {
    NpyWriter writer(path, 3);
    writer.append(two_rows);
    writer.append(one_row);
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.finish();
  }
  const TensorData tensor = read_npy(path);
  EXPECT_THAT(tensor.shape, testing::ElementsAre(3, 3));
  EXPECT_THAT(tensor.to_float32(), testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Npy, UnfinishedWriterLeavesTheOldFile) {
  const test::TemporaryFolder folder;
  const auto path = folder / "rows.npy";
  write_npy(path, 1, std::vector<float>{4});
  { NpyWriter(path, 1).append(std::vector<float>{5, 6}); }
  EXPECT_THAT(read_npy(path).to_float32(), testing::ElementsAre(4.0f));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Npy, WriterRefusesPartsOfRowsAndMissingFolders) {
  const test::TemporaryFolder folder;
  NpyWriter writer(folder / "x.npy", 2);
  EXPECT_THROW(writer.append(std::vector<float>{1, 2, 3}), Error);
  EXPECT_THROW(NpyWriter(folder / "absent/x.npy", 2), Error);
}

TEST(Npy, HeaderLengthDoesNotDependOnTheRows) {
  EXPECT_EQ(format_npy_header(0, 512).size(), 128u);
  EXPECT_EQ(format_npy_header(1'000'000'000, 512).size(), 128u);
}

TEST(Npy, RefusesFortranOrderByteOrderAndRecords) {
  const std::string order = "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }";
  EXPECT_THAT(error_of([&] { read_npy_of(test::bytes_of(npy_file(order, "0000"))); }),
              testing::HasSubstr("numpy.ascontiguousarray"));
  const std::string big_endian = "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }";
  EXPECT_THAT(error_of([&] { read_npy_of(test::bytes_of(npy_file(big_endian, "0000"))); }),
              testing::HasSubstr("'>f4'"));
  const std::string record = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }";
  EXPECT_THAT(error_of([&] { read_npy_of(test::bytes_of(npy_file(record, "0000"))); }),
              testing::HasSubstr("records"));
}

TEST(Npy, RefusesHeadersThatNumpyWouldNotWrite) {
  for (const char* header :
       {"", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}"}) {
    EXPECT_THROW(read_npy_of(test::bytes_of(npy_file(header, "0000"))), InputError) << header;
  }
}

TEST(Npy, SurvivesDamage) {
  const auto bytes = test::bytes_of_file(test::own_data("io/half.npy"));
  test::expect_refused_when_truncated(bytes, read_npy_of);
  EXPECT_GT(test::expect_survives_bit_flips(bytes, read_npy_of), 0u);
}

}  // namespace
}  // namespace molgauge::io
