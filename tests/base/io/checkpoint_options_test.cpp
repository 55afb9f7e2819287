#include "base/io/tensors/checkpoint_options.h"

#include <gmock/gmock.h>

#include "base/io/tensors/checkpoint.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

// The file is a torch.save of the complete state of a training, as the Python project writes it, with a small
// head.
TEST(CheckpointOptions, ReadsANamespaceAsData) {
  const nlohmann::json options = read_checkpoint_options(test::own_data("io/best_model.pth"));
  EXPECT_EQ(options.at("foundation_model"), "minimol");
  EXPECT_EQ(options.at("data_seed"), 7);
  EXPECT_EQ(options.at("dpo_beta"), 0.5);
  EXPECT_EQ(options.at("finetune_encoder"), false);
  EXPECT_TRUE(options.at("data_file").is_null());
  EXPECT_EQ(options.at("test_smiles"), nlohmann::json({"CCO", "C"}));
  EXPECT_FALSE(options.contains("device")) << "an object of another class, which is passed over";
}

TEST(CheckpointOptions, NoneIsAnEmptyObject) {
  EXPECT_TRUE(read_checkpoint_options(test::own_data("io/nested.pth")).empty());
}

TEST(Checkpoint, OfAWholeTrainingTheModelAloneIsTaken) {
  const TensorMap tensors = read_checkpoint(test::own_data("io/best_model.pth"));
  ASSERT_EQ(tensors.size(), 6u);
  EXPECT_EQ(tensors.begin()->first, "energy_head.fc1.bias");
}

}  // namespace
}  // namespace molgauge::io
