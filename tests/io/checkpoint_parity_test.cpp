#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>

#include "io/checkpoint.h"
#include "io/npz.h"
#include "io/zip.h"
#include "support/fixtures.h"

namespace headroom::io {
namespace {

double sum_of(const TensorMap& tensors) {
  double sum = 0;
  for (const auto& [name, tensor] : tensors) {
    const auto numbers = tensor.to_float32();
    sum = std::accumulate(numbers.begin(), numbers.end(), sum);
  }
  return sum;
}

TEST(CheckpointParity, HeadsEqualTheArraysSavedBesideThem) {
  REQUIRE_REFERENCE("ood/head.pt");
  const TensorMap arrays = read_npz(test::reference_data("ood/losses.npz"));
  for (const std::string head : {"head", "head_h64"}) {
    const TensorMap tensors = read_checkpoint(test::reference_data("ood/" + head + ".pt"));
    ASSERT_EQ(tensors.size(), 6u);
    for (const auto& [name, tensor] : tensors) {
      const TensorData& expected = arrays.at(head + "." + name);
      EXPECT_EQ(tensor.shape, expected.shape) << name;
      EXPECT_EQ(tensor.bytes, expected.bytes) << name;
    }
  }
}

// Sums as PyTorch 2.11 gives them, in double precision.
struct Expected {
  const char* file;
  std::size_t tensors;
  double sum;
};

TEST(CheckpointParity, SumsEqualPyTorchs) {
  REQUIRE_REFERENCE("ood/classifier_binary1.pt");
  for (const Expected& expected : {
           Expected{"ood/classifier_binary1.pt", 11, 585.690247776},
           Expected{"ood/classifier_two_class.pt", 11, 446.971511108},
           Expected{"ood/classifier_multitask5.pt", 11, 201.943289713},
           Expected{"unimol/small_model.pt", 67, 2226.24622757},
           Expected{"pocket/v2_small_state.pt", 148, 1212.30231011},
           Expected{"pocket/v3_small_state.pt", 162, 1344.31759754},
           Expected{"pocket/v3_small_equivariant_state.pt", 154, 1253.49904039},
       }) {
    const TensorMap tensors = read_checkpoint(test::reference_data(expected.file));
    EXPECT_EQ(tensors.size(), expected.tensors) << expected.file;
    EXPECT_NEAR(sum_of(tensors), expected.sum, 1e-9 * std::abs(expected.sum) + 1e-9) << expected.file;
  }
}

// The weights are in the wheel of the package minimol 1.3.5 on PyPI; $HEADROOM_TEST_WHEEL says where it
// lies.
TEST(CheckpointParity, ReadsMiniMolOutOfItsWheel) {
  const char* wheel = std::getenv("HEADROOM_TEST_WHEEL");
  if (wheel == nullptr) {
    GTEST_SKIP() << "HEADROOM_TEST_WHEEL does not name the wheel of minimol 1.3.5";
  }
  const std::string entry = "minimol/ckpts/minimol_v1/state_dict.pth";
  const ZipArchive archive{std::filesystem::path(wheel)};
  const TensorMap tensors = read_checkpoint(random_access_in_memory(entry, archive.read(entry)));
  EXPECT_EQ(tensors.size(), 344u);
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(tensor.type, DataType::float16) << name;
  }
  EXPECT_NEAR(sum_of(tensors), 169718.17262762785, 1e-6);
}

}  // namespace
}  // namespace headroom::io
