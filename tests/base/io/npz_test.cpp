#include "base/io/tensors/npz.h"

#include <gmock/gmock.h>

#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;

TEST(Npz, ReadsPackedArraysAndLeavesTextOut) {
  const TensorMap arrays = read_npz(test::own_data("io/arrays.npz"));
  ASSERT_EQ(arrays.size(), 3u);
  EXPECT_THAT(arrays.at("floats").to_float32(), testing::ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(arrays.at("integers").to_float32(), testing::ElementsAre(-1, 0x1p40f));
  EXPECT_EQ(arrays.at("zeros").type, DataType::float64);
  EXPECT_THAT(error_of([] { read_npz(test::own_data("io/arrays.npz"), "absent"); }),
              testing::HasSubstr("floats.npy"));
}

TEST(Npz, WritesWhatItReads) {
  const test::TemporaryFolder folder;
  const std::vector<float> scores = {1.5F, -2.0F, 0.25F};
  write_npz(folder / "scores.npz", {{"id_scores", scores}, {"none", {}}});
  const TensorMap arrays = read_npz(folder / "scores.npz");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_THAT(arrays.at("id_scores").shape, testing::ElementsAre(3));
  EXPECT_EQ(arrays.at("id_scores").to_float32(), scores);
  EXPECT_THAT(arrays.at("none").shape, testing::ElementsAre(0));
}

}  // namespace
}  // namespace molgauge::io
