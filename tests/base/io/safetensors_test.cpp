#include "base/io/tensors/safetensors.h"

#include <gmock/gmock.h>

#include "damage.h"
#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;

TensorMap some_tensors() {
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  TensorMap tensors;
  tensors["weight"] = TensorData::from_float32({2, 3}, numbers.data());
  tensors["bias"] = TensorData::from_float32({1}, numbers.data());
  tensors["mask"] = {DataType::boolean, {3}, test::bytes_of(std::string_view("\1\0\1", 3))};
  tensors["count"] = {DataType::int64, {}, test::bytes_of("12345678")};
  tensors["none"] = {DataType::float16, {0, 4}, {}};
  return tensors;
}

std::string file_of(const std::string& header, const std::string& data) {
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  text[1] = static_cast<char>(header.size() >> 8);
  return text + header + data;
}

SafetensorsFile read_safetensors_of(std::vector<std::byte> bytes) {
  return read_safetensors(*random_access_in_memory("x.safetensors", std::move(bytes)));
}

SafetensorsFile read_text(const std::string& header, const std::string& data) {
  return read_safetensors_of(test::bytes_of(file_of(header, data)));
}

TEST(Safetensors, RoundTripKeepsEverything) {
  const test::TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", some_tensors(), {{"source", "a test"}});
  const SafetensorsFile file = read_safetensors(folder / "a.safetensors");
  EXPECT_EQ(file.metadata.at("source"), "a test");
  const TensorMap expected = some_tensors();
  ASSERT_EQ(file.tensors.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    EXPECT_EQ(file.tensors.at(name).type, tensor.type) << name;
    EXPECT_EQ(file.tensors.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(file.tensors.at(name).bytes, tensor.bytes) << name;
  }
}

TEST(Safetensors, EqualContentGivesEqualBytesAndAnAlignedHeader) {
  const test::TemporaryFolder folder;
  write_safetensors(folder / "a", some_tensors(), {{"k", "v"}});
  write_safetensors(folder / "b", some_tensors(), {{"k", "v"}});
  const auto bytes = test::bytes_of_file(folder / "a");
  EXPECT_EQ(bytes, test::bytes_of_file(folder / "b"));
  EXPECT_EQ(std::to_integer<int>(bytes[0]) % 8, 0);
}

TEST(Safetensors, RefusesTensorsThatDoNotFillTheFile) {
  const std::string first = R"("a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]})";
  EXPECT_NO_THROW(read_text("{" + first + "}", "0123"));
  const auto second = [&](const std::string& offsets) {
    return "{" + first + R"(, "b": {"dtype": "U8", "shape": [4], "data_offsets": )" + offsets + "}}";
  };
  EXPECT_THAT(error_of([&] { read_text(second("[2, 6]"), "012345"); }),
              testing::HasSubstr("tensor b: overlaps"));
  EXPECT_THAT(error_of([&] { read_text(second("[5, 9]"), "012345678"); }),
              testing::HasSubstr("tensor b: leaves a hole"));
  EXPECT_THAT(error_of([&] { read_text("{" + first + "}", "01234"); }), testing::HasSubstr("the file has 5"));
  EXPECT_THAT(error_of([&] { read_text("{" + first + ", " + first + "}", "0123"); }),
              testing::HasSubstr("twice"));
}

TEST(Safetensors, RefusesEntriesThatAreNotAsTheyMustBe) {
  for (const char* header :
       {R"([1])", R"({"a": 1})", R"({"a": {"dtype": "F32", "shape": [1]}})",
        R"({"a": {"dtype": "F8", "shape": [1], "data_offsets": [0, 4]}})",
        R"({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})",
        R"({"a": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}})",
        R"({"a": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 4]}})",
        R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}})",
        R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8]}})",
        R"({"__metadata__": {"k": 1}})", R"({"__metadata__": "text"})", R"({"a": )"}) {
    EXPECT_THROW(read_text(header, "0123"), InputError) << header;
  }
}

TEST(Safetensors, SurvivesDamage) {
  const test::TemporaryFolder folder;
  write_safetensors(folder / "a", some_tensors(), {{"k", "v"}});
  const auto bytes = test::bytes_of_file(folder / "a");
  test::expect_refused_when_truncated(bytes, read_safetensors_of);
  EXPECT_GT(test::expect_survives_bit_flips(bytes, read_safetensors_of), 0u);
}

TEST(Safetensors, WriterRefusesBytesThatDoNotFit) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(write_safetensors(folder / "a", {{"t", {DataType::float32, {2}, {}}}}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

}  // namespace
}  // namespace molgauge::io
