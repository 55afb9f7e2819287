#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/log.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/run/trainer.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    set_log_level(LogLevel::off);
    train_energy_head(data_, options_, run_);
    options_.epochs = 9;
  }

  /// The error message when the last checkpoint is resumed.
  std::string refusal() {
    try {
      train_energy_head(data_, options_, run_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  test::TemporaryFolder folder_;
  std::filesystem::path run_ = folder_ / "run";
  std::filesystem::path last_ = run_ / "checkpoints/last.safetensors";
  TrainingData data_ = test::training_data();
  TrainingOptions options_ = test::small_options();
};

TEST_F(Checkpoint, TruncatedIsRefusedAtAnyLength) {
  const std::string whole = read_file(last_);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    replace_file(last_, whole.substr(0, length));
    EXPECT_THAT(refusal(), AllOf(HasSubstr(last_.string()), HasSubstr("Remove it to continue"))) << length;
  }
}

TEST_F(Checkpoint, GoesOnFromTheOneBeforeWhenTheLastIsRemoved) {
  std::filesystem::remove(last_);
  EXPECT_EQ(refusal(), "no error");
  TrainingOptions whole = options_;
  train_energy_head(data_, whole, folder_ / "whole");
  test::expect_same_training(folder_ / "whole", run_);
}

TEST_F(Checkpoint, ForeignFilesAreRefused) {
  replace_file(last_, read_file(run_ / "best_model.safetensors"));
  EXPECT_THAT(refusal(), AllOf(HasSubstr(last_.string()), HasSubstr("not a training checkpoint")));
}

TEST_F(Checkpoint, DamagedMetadataIsRefused) {
  const io::SafetensorsFile good = io::read_safetensors(last_);
  for (const char* key : {"progress", "python_random"}) {
    auto metadata = good.metadata;
    metadata[key] = "{\"epoch\": -1";
    io::write_safetensors(last_, good.tensors, metadata);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(last_.string()), HasSubstr("Remove it to continue"))) << key;
  }
  auto tensors = good.tensors;
  tensors.erase("optimizer.exp_avg.fc1.weight");
  io::write_safetensors(last_, tensors, good.metadata);
  EXPECT_THAT(refusal(), AllOf(HasSubstr(last_.string()), HasSubstr("optimizer.exp_avg.fc1.weight")));
  tensors = good.tensors;
  tensors["dropout_generator"] = tensors["energy_head.fc1.bias"];
  io::write_safetensors(last_, tensors, good.metadata);
  EXPECT_THAT(refusal(), HasSubstr(last_.string()));
}

/// On a GPU, the state of a generator is a seed and an offset.
TEST_F(Checkpoint, OfAnotherKindOfDeviceIsRefused) {
  io::SafetensorsFile file = io::read_safetensors(last_);
  io::TensorData& generator = file.tensors.at("dropout_generator");
  generator.shape = {16};
  generator.bytes.resize(16);
  io::write_safetensors(last_, file.tensors, file.metadata);
  EXPECT_THAT(refusal(), AllOf(HasSubstr(last_.string()), HasSubstr("another kind of device"),
                               testing::Not(HasSubstr("hidden width"))));
}

TEST_F(Checkpoint, OfOtherOptionsOrDataIsRefused) {
  options_.learning_rate *= 2;
  EXPECT_THAT(refusal(), AllOf(HasSubstr("other options"), HasSubstr("another run folder")));
  options_.learning_rate /= 2;
  data_.val_id = data_.val_id + 1;
  EXPECT_THAT(refusal(), HasSubstr("other data"));
}

/// Flips bits in all parts of the files: header, parameters, moments, counters and generator states.
TEST_F(Checkpoint, AFlippedBitInAnyFileIsRefusedByName) {
  for (const auto& file : {last_, run_ / "best_model.safetensors"}) {
    const std::string whole = read_file(file);
    for (std::size_t i = 0; i < 16; ++i) {
      std::string damaged = whole;
      const std::size_t place = i * (whole.size() - 1) / 15;
      damaged[place] = static_cast<char>(damaged[place] ^ (1 << i % 8));
      std::ofstream(file, std::ios::binary) << damaged;
      EXPECT_THAT(refusal(),
                  AllOf(HasSubstr(file.string()), HasSubstr("is damaged"), HasSubstr("--restart")));
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_EQ(refusal(), "no error");
}

TEST_F(Checkpoint, NeedsItsBestModel) {
  std::filesystem::remove(run_ / "best_model.safetensors");
  EXPECT_THAT(refusal(), HasSubstr("best_model.safetensors: missing"));
}

}  // namespace
}  // namespace molgauge::ood
