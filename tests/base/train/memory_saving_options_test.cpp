#include "base/train/memory_saving_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/train/loss_scale.h"

namespace molgauge::train {
namespace {

using testing::HasSubstr;

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MemorySavingOptions, NothingIsForcedByDefault) {
  const MemorySavingOptions memory_saving = parse_memory_saving(TrainRequest());
  EXPECT_EQ(memory_saving.gradient_accumulation, 0U);
  EXPECT_EQ(memory_saving.checkpoint_activations, Checkpointing::automatic);
  EXPECT_EQ(memory_saving.autocast, Autocast::off);
  EXPECT_EQ(memory_saving.optimizer_state, MomentType::fp32);
  EXPECT_NO_THROW(require_effect(memory_saving, 2, false));
}

TEST(MemorySavingOptions, NamesWhatAnOptionTakes) {
  TrainRequest request;
  for (const char* text : {"0", "-1", "2.5", "two", ""}) {
    request.gradient_accumulation = text;
    EXPECT_THAT(refusal([&] { parse_memory_saving(request); }), HasSubstr("Give a whole number from 1"))
        << text;
  }
  request.gradient_accumulation = "0";
  EXPECT_THAT(refusal([&] { parse_memory_saving(request); }), testing::EndsWith(", or auto"));
}

TEST(MemorySavingOptions, RefusesWhatHasNoEffect) {
  TrainRequest request;
  request.gradient_accumulation = "2";
  request.checkpoint_activations = Checkpointing::off;
  EXPECT_THAT(refusal([&] { parse_memory_saving(request); }),
              HasSubstr("no effect with checkpoint-activations off"));

  const auto on_cpu = [](const MemorySavingOptions& memory_saving, std::size_t rows) {
    return refusal([&] { require_effect(memory_saving, rows, false); });
  };
  MemorySavingOptions memory_saving;
  memory_saving.gradient_accumulation = 3;
  EXPECT_THAT(on_cpu(memory_saving, 1024), HasSubstr("has 2 parts"));
  EXPECT_EQ(on_cpu(memory_saving, 2048), "accepted");
  memory_saving = {};
  memory_saving.checkpoint_activations = Checkpointing::on;
  EXPECT_THAT(on_cpu(memory_saving, 1000), HasSubstr("checkpoint-activations on has no effect"));
  EXPECT_EQ(on_cpu(memory_saving, 1024), "accepted");
  memory_saving = {};
  memory_saving.autocast = Autocast::fp16;
  EXPECT_THAT(on_cpu(memory_saving, 1024), HasSubstr("needs a GPU"));
  memory_saving = {};
  memory_saving.empty_cache = EmptyCache::never;
  EXPECT_THAT(on_cpu(memory_saving, 1024), HasSubstr("no effect on the CPU"));
  EXPECT_NO_THROW(require_effect(memory_saving, 1024, true));
}

TEST(LossScale, HalvesAfterAnOverflowAndDoublesAfterTwoThousandSteps) {
  LossScale scale;
  scale.overflowed();
  EXPECT_EQ(scale.factor, 32768);
  for (int step = 0; step < 1999; ++step) {
    scale.stepped();
  }
  EXPECT_EQ(scale.factor, 32768);
  scale.stepped();
  EXPECT_EQ(scale.factor, 65536);
  while (scale.can_shrink()) {
    scale.overflowed();
  }
  EXPECT_EQ(scale.factor, LossScale::kSmallest);
}

}  // namespace
}  // namespace molgauge::train
