// Measures training steps of an energy head together with the last two layers of Uni-Mol. Weights are random
// and have the published sizes. The molecules are the first MOLECULES records of an .sdf file from `molgauge
// conformers`. Half of them count as in-distribution. Prints a line of JSON. bench/peers/unimol_finetune.py
// runs this program.
//
//     bench_unimol_tuning CONFORMERS.sdf MOLECULES THREADS STEPS keep|again

#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string_view>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/core/text/duration.h"
#include "base/memory/measure/host_heap.h"
#include "base/numerics/torch/operator_threads.h"
#include "conformer_file.h"
#include "molecules/encoders/frozen_layers.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/tuned_layers.h"
#include "molecules/ood/head/head_loss.h"
#include "molecules/ood/run/head_batch.h"
#include "molecules/ood/run/tuned_rows.h"

namespace molgauge {
namespace {

namespace unimol = encoders::unimol;

std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

int run(const char* conformers, std::int64_t wanted, std::size_t threads, int steps, bool keep) {
  memory::tune_heap(1);  // every verb does this too
  const torch::OperatorThreads serial(1);
  bench::Molecules inputs = bench::read_conformers(conformers, chem::Coordinates::heavy);
  if (static_cast<std::int64_t>(inputs.size()) < wanted) {
    fmt::print(stderr, "{}: has {} molecules in three dimensions, not {}\n", conformers, inputs.size(),
               wanted);
    return 1;
  }
  inputs.resize(static_cast<std::size_t>(wanted));
  io::TensorMap tensors = unimol::random_tensors({}, /*seed=*/1);
  const unimol::NetworkShape shape;
  const auto kept = std::make_shared<unimol::FrozenMoleculeCache>(
      shape, unimol::FrozenPart{encoders::frozen_layers(encoders::parse_layers("0-12"), shape.layers)});
  kept->keep_in(std::make_unique<encoders::FrozenActivations>());
  const unimol::TunedLayers encoder(tensors, kept);
  const Stopwatch of_prefix;
  {
    const unimol::FrozenPartEncoder prefix(std::move(tensors), {.weights_sha256 = "random"}, kept);
    for (const auto& molecule : inputs) {
      const encoders::FeaturisedMolecule* const one = molecule.get();
      float number = 0;
      prefix.encode({&one, 1}, {&number, 1});
    }
  }
  const double prefix_seconds = of_prefix.seconds();
  const std::uint64_t before = peak_bytes();

  ood::TrainingOptions options;
  options.finetune_encoder = true;
  std::vector<std::int64_t> all(static_cast<std::size_t>(wanted));
  std::iota(all.begin(), all.end(), 0);
  const auto middle = all.begin() + wanted / 2;
  const ood::TuningMolecules molecules = {{all.begin(), middle}, {middle, all.end()}, {0}, {1}};
  const ood::TunedRows rows(encoder, molecules, "");
  const ood::EnergyHead head(encoder.width(), static_cast<std::int64_t>(options.hidden_dim), options.seed);
  const train::Parameters parameters =
      ood::head_parameters(head, options.learning_rate, options.weight_decay, rows.groups(options));
  train::AdamW optimizer(parameters, {});
  at::Generator random = at::detail::createCPUGenerator(options.seed);
  train::PassPlan plan;
  plan.threads = threads;
  plan.least_rows = ood::TunedRows::kLeastRows;
  plan.keep_activations = keep;
  plan.shards_at_once = keep ? 0 : 1;
  std::string seconds, processor_seconds;
  double loss_value = 0;
  for (int step = 0; step < steps; ++step) {
    const Stopwatch watch;
    const std::clock_t processor = std::clock();
    const ood::DropoutMasks masks = head.draw_masks(wanted, options.dropout, random);
    const auto batch = rows.gather(all, random);
    const ood::LossValue loss =
        ood::head_loss(batch->forward(head, masks, plan), wanted / 2, options.loss, threads);
    batch->backward(ood::energy_gradient(loss, at::kCPU));
    train::clip_gradients(parameters, {.norm = options.grad_clip});
    optimizer.step({});
    seconds += fmt::format("{}{}", seconds.empty() ? "" : ", ", watch.seconds());
    processor_seconds += fmt::format("{}{}", processor_seconds.empty() ? "" : ", ",
                                     static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
    loss_value = loss.total;
  }
  std::size_t tokens = 0, pairs = 0;
  for (const auto& molecule : inputs) {
    tokens += molecule->tokens.size();
    pairs += molecule->distances.size();
  }
  fmt::print(
      "{{\"prefix_seconds\": {}, \"step_seconds\": [{}], \"processor_seconds\": [{}], \"peak_bytes\": {}, "
      "\"peak_before_steps\": {}, "
      "\"tokens\": {}, \"pairs\": {}, \"loss\": {}}}\n",
      prefix_seconds, seconds, processor_seconds, peak_bytes(), before, tokens, pairs, loss_value);
  return 0;
}

}  // namespace
}  // namespace molgauge

int main(int count, char** words) {
  if (count != 6) {
    fmt::print(stderr, "bench_unimol_tuning CONFORMERS.sdf MOLECULES THREADS STEPS keep|again\n");
    return 2;
  }
  return molgauge::run(words[1], std::atoll(words[2]), static_cast<std::size_t>(std::atoll(words[3])),
                       std::atoi(words[4]), std::string_view(words[5]) == "keep");
}
