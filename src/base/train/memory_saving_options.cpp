#include "base/train/memory_saving_options.h"

#include <charconv>
#include <string>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/options/settings.h"
#include "base/options/tables.h"
#include "base/train/shards.h"

namespace molgauge::train {
namespace {

std::size_t parse_accumulation(const std::string& text) {
  if (text == "auto") {
    return 0;
  }
  std::size_t parts = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), parts);
  if (problem != std::errc() || end != text.data() + text.size()) {
    throw UsageError("gradient-accumulation must be auto or a number of parts, not '" + text + "'");
  }
  return parts;
}

}  // namespace

MemorySavingOptions parse_memory_saving(const TrainRequest& request) {
  options::require_in_range(options::view(request), "gradient-accumulation");
  const MemorySavingOptions memory_saving{parse_accumulation(request.gradient_accumulation),
                                          request.checkpoint_activations,
                                          request.autocast,
                                          request.optimizer_state,
                                          request.empty_cache,
                                          request.compute.conservative};
  if (memory_saving.gradient_accumulation > 1 && memory_saving.checkpoint_activations == Checkpointing::off) {
    throw UsageError(
        "gradient-accumulation has no effect with checkpoint-activations off, because the loss compares all "
        "rows of a step and the activations of every part are kept until the end. Leave one of them out");
  }
  return memory_saving;
}

void require_effect_on_device(const MemorySavingOptions& memory_saving, bool on_gpu) {
  if (!on_gpu && memory_saving.autocast == Autocast::fp16) {
    throw UsageError("autocast fp16 needs a GPU. On the CPU use bf16");
  }
  if (!on_gpu && memory_saving.empty_cache != EmptyCache::after_out_of_memory) {
    throw UsageError("empty-cache has no effect on the CPU. Leave it out");
  }
}

void require_effect(const MemorySavingOptions& memory_saving, std::size_t rows, bool on_gpu) {
  require_effect_on_device(memory_saving, on_gpu);
  require_effect_on_parts(memory_saving, rows,
                          static_cast<std::size_t>(shard_count(static_cast<std::int64_t>(rows), on_gpu)));
}

void require_effect_on_parts(const MemorySavingOptions& memory_saving, std::size_t rows, std::size_t shards) {
  if (memory_saving.gradient_accumulation > shards) {
    throw UsageError(fmt::format(
        "gradient-accumulation {}: a step of {} rows has {} to work on one after the "
        "other. Choose a smaller number or a larger batch-size",
        memory_saving.gradient_accumulation, rows, shards == 1 ? "1 part" : fmt::format("{} parts", shards)));
  }
  if (memory_saving.checkpoint_activations == Checkpointing::on && shards == 1) {
    throw UsageError(fmt::format(
        "checkpoint-activations on has no effect, because a step of {} rows has only one part. Leave it out",
        rows));
  }
}

}  // namespace molgauge::train
