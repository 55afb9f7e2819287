#include "io/npz.h"

#include <gmock/gmock.h>

#include "files.h"
#include "support/fixtures.h"

namespace headroom::io {
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

}  // namespace
}  // namespace headroom::io
