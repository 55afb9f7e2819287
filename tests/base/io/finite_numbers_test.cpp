#include "base/io/tensors/finite_numbers.h"

#include <limits>

#include <gmock/gmock.h>

#include "files.h"

namespace molgauge::io {
namespace {

TEST(FiniteNumbers, TheTensorAndTheElementAtFaultAreNamed) {
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
    const std::vector<float> whole = {1, -2}, damaged = {0, 1, wrong};
    TensorMap tensors;
    tensors["bias"] = TensorData::from_float32({2}, whole.data());
    EXPECT_NO_THROW(require_finite(tensors, "x.safetensors", "Train again"));
    tensors["weight"] = TensorData::from_float32({3}, damaged.data());
    EXPECT_THAT(test::error_of([&] { require_finite(tensors, "x.safetensors", "Train again"); }),
                testing::AllOf(testing::HasSubstr("x.safetensors: tensor 'weight'"),
                               testing::HasSubstr("element 2"), testing::HasSubstr("Train again")));
  }
}

}  // namespace
}  // namespace molgauge::io
