#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "base/io/bytes/zip.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/npz.h"
#include "support/fixtures.h"

namespace molgauge::io {
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
    EXPECT_FALSE(tensors.empty());
    for (const auto& [name, tensor] : tensors) {
      const TensorData& expected = arrays.at(head + "." + name);
      EXPECT_EQ(tensor.shape, expected.shape) << name;
      EXPECT_EQ(tensor.bytes, expected.bytes) << name;
    }
  }
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A state dict stores each float32 tensor contiguously in a separate storage. The entries data/N of the
/// archive are therefore the contents of the tensors, and the pickle is not needed.
std::multiset<std::string> storages_of(const std::filesystem::path& path) {
  const ZipArchive archive(path);
  std::multiset<std::string> storages;
  for (const std::string& name : archive.names()) {
    if (name.find("/data/") != std::string::npos) {
      storages.insert(text_of(archive.read(name)));
    }
  }
  return storages;
}

TEST(CheckpointParity, TensorsAreTheStoragesOfTheArchive) {
  for (const char* file : {"unimol/small_model.pt", "pocket/v2_small_state.pt", "pocket/v3_small_state.pt",
                           "pocket/v3_small_equivariant_state.pt"}) {
    REQUIRE_REFERENCE(file);
    const auto path = test::reference_data(file);
    std::multiset<std::string> tensors;
    for (const auto& [name, tensor] : read_checkpoint(path)) {
      EXPECT_EQ(tensor.bytes.size(),
                static_cast<std::size_t>(tensor.element_count()) * element_size(tensor.type))
          << name;
      tensors.insert(text_of(tensor.bytes));
    }
    EXPECT_FALSE(tensors.empty());
    EXPECT_TRUE(tensors == storages_of(path)) << file;
  }
}

TEST(CheckpointParity, ClassifiersEqualTheArraysSavedBesideThem) {
  REQUIRE_REFERENCE("ood/baselines.npz");
  const TensorMap arrays = read_npz(test::reference_data("ood/baselines.npz"));
  for (const std::string variant : {"two_class", "binary1", "multitask5"}) {
    const TensorMap tensors = read_checkpoint(test::reference_data("ood/classifier_" + variant + ".pt"));
    EXPECT_FALSE(tensors.empty());
    for (const auto& [name, tensor] : tensors) {
      const TensorData& expected = arrays.at(variant + ".w." + name);
      EXPECT_EQ(tensor.shape, expected.shape) << name;
      EXPECT_EQ(tensor.bytes, expected.bytes) << name;
    }
  }
}

// The weights are in the wheel of the package minimol 1.3.5 on PyPI. $MOLGAUGE_TEST_WHEEL is its path.
TEST(CheckpointParity, ReadsMiniMolOutOfItsWheel) {
  const char* wheel = std::getenv("MOLGAUGE_TEST_WHEEL");
  if (wheel == nullptr) {
    GTEST_SKIP() << "MOLGAUGE_TEST_WHEEL does not name the wheel of minimol 1.3.5";
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
}  // namespace molgauge::io
