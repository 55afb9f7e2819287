// Measures the pocket encoder on a synthetic batch. `infer` runs inference on arrays. `train` runs training
// steps on LibTorch tensors (forward, cosine loss, backward, clipping, AdamW). Prints a line of JSON.
// bench/peers/pocket.py compares it with e3nn.
//
//     bench_pocket infer|train ROUNDS [PAIRS [POCKETS [cpu|cuda]]]
//
// A batch has POCKETS (8) chains of 100 atoms. Each chain has 198 bonded directed edges, 98 angles and 291
// dihedrals. The batch has PAIRS (12,822) non-bonded directed edges. The encoder has 3 layers, layer norms
// and 512 outputs. "operations" counts the multiplications and additions of a round in matrix products and
// products with harmonics. "peak" is the rate that this CPU reaches, measured in the same run.

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string_view>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/core/text/duration.h"
#include "base/memory/measure/host_heap.h"
#include "base/numerics/ops/equivariant/message_weights.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/train/adamw.h"
#include "base/train/parameters.h"
#include "core_peak.h"
#include "pockets/array_operators.h"
#include "pockets/tensor_operators.h"

namespace molgauge {
namespace {

constexpr std::int64_t kPockets = 8, kAtoms = 100, kTermsOfADihedral = 3, kPairs = 12'822;
constexpr std::int64_t kOutput = 512;

std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

ops::Floats drawn(std::vector<std::int64_t> shape, std::mt19937& random) {
  std::normal_distribution<float> normal;
  ops::Floats array(std::move(shape));
  for (float& number : array.numbers()) {
    number = normal(random);
  }
  return array;
}

pocket::Terms terms_of(const std::vector<std::vector<std::int64_t>>& atoms, std::int64_t attributes,
                       std::mt19937& random) {
  const auto count = static_cast<std::int64_t>(atoms.size());
  const auto places = static_cast<std::int64_t>(atoms.front().size());
  pocket::Terms terms{ops::Integers{places, count}, drawn({count, attributes}, random)};
  for (std::int64_t term = 0; term < count; ++term) {
    for (std::int64_t place = 0; place < places; ++place) {
      terms.atoms.data()[place * count + term] =
          atoms[static_cast<std::size_t>(term)][static_cast<std::size_t>(place)];
    }
  }
  return terms;
}

pocket::Batch made_up_batch(std::int64_t pairs_wanted, std::int64_t pockets) {
  std::mt19937 random(1);
  std::vector<std::vector<std::int64_t>> bonds, angles, dihedrals, pairs;
  for (std::int64_t pocket = 0; pocket < pockets; ++pocket) {
    const std::int64_t first = pocket * kAtoms, last = first + kAtoms;
    for (std::int64_t i = first; i + 1 < last; ++i) {
      bonds.push_back({i, i + 1});
      bonds.push_back({i + 1, i});
      if (i + 2 < last) {
        angles.push_back({i, i + 1, i + 2});
      }
      for (std::int64_t term = 0; i + 3 < last && term < kTermsOfADihedral; ++term) {
        dihedrals.push_back({i, i + 1, i + 2, i + 3});
      }
    }
  }
  while (static_cast<std::int64_t>(pairs.size()) < pairs_wanted) {
    const auto pocket = static_cast<std::int64_t>(random()) % pockets;
    const auto i = static_cast<std::int64_t>(random() % kAtoms),
               j = static_cast<std::int64_t>(random() % kAtoms);
    if (i != j) {
      pairs.push_back({pocket * kAtoms + i, pocket * kAtoms + j});
      pairs.push_back({pocket * kAtoms + j, pocket * kAtoms + i});
    }
  }
  ops::Floats positions = drawn({pockets * kAtoms, 3}, random);
  for (float& coordinate : positions.numbers()) {
    coordinate *= 2;
  }
  return pocket::arrange({.features = drawn({pockets * kAtoms, 3}, random),
                          .positions = positions,
                          .bonds = terms_of(bonds, 2, random),
                          .angles = terms_of(angles, 2, random),
                          .dihedrals = terms_of(dihedrals, 3, random),
                          .pairs = terms_of(pairs, 3, random),
                          .sizes = std::vector<std::int64_t>(static_cast<std::size_t>(pockets), kAtoms)},
                         "made-up pockets");
}

/// Multiplications and additions for messages over `edges` edges into `nodes` nodes. They depend on the order
/// of the products (base/numerics/ops/equivariant/message.h).
double message_operations(const ops::TensorProduct& product, double hidden, double nodes, double edges,
                          bool trains, bool is_first) {
  double by_weights = 0, by_couplings = 0;
  for (const ops::ProductPath& path : product.paths()) {
    const auto in = static_cast<double>(path.in_channels), out = static_cast<double>(path.out_channels);
    const auto in_components = static_cast<double>(product.in().blocks()[path.in].components()),
               out_components = static_cast<double>(product.out().blocks()[path.out].components());
    const auto couplings = static_cast<double>(path.couplings.size());
    const double of_edges = edges * in * out_components, of_nodes = nodes * in * out * out_components;
    if (is_first && path.in > 0) {
      continue;  // the input of the first layer contains only scalars
    }
    if (ops::suits_sources(product, path)) {
      by_weights += edges * out * in_components + nodes * in * out * in_components;
      by_couplings += edges * (2 * couplings + 2 * in_components * out_components * out);
    } else {
      by_weights += of_edges + of_nodes;
      by_couplings += edges * 3 * couplings * in;
    }
    if (trains) {
      by_weights += 3 * of_edges + 2 * of_nodes;
      by_couplings += edges * (3 + 5) * couplings * in;
    }
  }
  return 2 * (hidden + 1) * by_weights + by_couplings;
}

/// Multiplications and additions of a linear layer between irreps.
double linear_operations(const ops::Irreps& in, const ops::Irreps& out, double nodes) {
  double sum = 0;
  for (const ops::IrrepBlock& from : in.blocks()) {
    for (const ops::IrrepBlock& to : out.blocks()) {
      if (from.is_same_kind(to)) {
        sum += static_cast<double>(from.multiplicity * to.multiplicity * to.components());
      }
    }
  }
  return 2 * nodes * sum;
}

/// Multiplications and additions of a round. They include messages, radial networks, and the linear layers of
/// nodes, angles and dihedrals.
double operations_of_a_round(const pocket::EncoderShape& shape, const pocket::Batch& batch, bool trains) {
  const ops::Irreps gated = ops::gated(shape.hidden);
  const ops::TensorProduct product(shape.hidden, 2, gated);
  const double passes = trains ? 3 : 1;  // the backward pass costs as much as two forward passes
  const auto hidden = static_cast<double>(shape.radial_hidden),
             nodes = static_cast<double>(batch.features.size(0)),
             scalars = static_cast<double>(shape.hidden.blocks()[0].multiplicity);
  double sum = 0, of_first = 0, of_others = 0;
  for (const auto* const terms : {&batch.bonds, &batch.pairs}) {
    const auto edges = static_cast<double>(terms->edges.count());
    const double in = static_cast<double>(shape.radial_basis.functions + terms->attributes.width());
    // The backward pass repeats the forward pass of the radial network twice.
    of_first += message_operations(product, hidden, nodes, edges, trains, true);
    of_others += message_operations(product, hidden, nodes, edges, trains, false);
    sum += 2 * edges * hidden * (in + hidden) * (trains ? passes + 2 : 1) +
           passes * (linear_operations(shape.hidden, shape.hidden, nodes) +
                     linear_operations(shape.hidden, gated, nodes));
  }
  for (const auto* const terms : {&batch.angles, &batch.dihedrals}) {
    const auto count = static_cast<double>(terms->attributes.size(0)),
               in = 2 * scalars + static_cast<double>(terms->attributes.width());
    sum += passes * 2 * (count * hidden * (in + hidden + scalars) + nodes * scalars * scalars);
  }
  return of_first + of_others * static_cast<double>(shape.layers - 1) +
         sum * static_cast<double>(shape.layers);
}

/// Returns the multiplications and additions that this CPU reaches in a second.
double measured_peak() {
  constexpr std::int64_t kRounds = 20'000'000;
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t began = std::clock();
    const volatile float result = multiply_and_add(kRounds);
    static_cast<void>(result);
    best = std::max(best, static_cast<double>(kRounds * operations_in_a_round()) * CLOCKS_PER_SEC /
                              static_cast<double>(std::clock() - began));
  }
  return best;
}

int run(bool trains, int rounds, std::int64_t pairs, std::int64_t pockets, c10::Device device) {
  memory::tune_heap(1);  // every verb does this too
  const torch::OperatorThreads serial(1);
  pocket::EncoderShape shape;
  shape.layers = 3;
  shape.layer_norm = true;
  shape.output = kOutput;
  const pocket::Batch batch = made_up_batch(pairs, pockets);
  std::vector<train::Parameter> all;
  const pocket::Encoder<pocket::TensorOperators> encoder(
      shape, [&](const std::string& name, const std::vector<std::int64_t>& sizes) {
        const bool is_matrix = sizes.size() == 2;
        all.push_back({name, (at::randn(sizes) * (is_matrix ? 1 / std::sqrt(sizes[1]) : 0.3)).to(device)});
        all.back().value.requires_grad_(trains);
        return all.back().value;
      });
  std::map<std::string, at::Tensor> by_name;
  for (const train::Parameter& parameter : all) {
    by_name[parameter.name] = parameter.value.detach().cpu();
  }
  const pocket::Encoder<pocket::ArrayOperators> plain(shape, [&](const std::string& name, const auto&) {
    const at::Tensor& own = by_name.at(name);
    return torch::as_array(own.dim() == 0 ? own.view({1}) : own);
  });
  const train::Parameters parameters({{"encoder", all, {}}});
  train::AdamW optimizer(parameters, {});
  const at::Tensor target = at::randn({pockets, kOutput}).to(device);
  const auto arrays = pocket::as_arrays(batch);
  const auto tensors = pocket::as_tensors(batch, device);
  const std::uint64_t before = peak_bytes();
  std::string seconds, processor_seconds;
  double check = 0;
  for (int round = 0; round < rounds; ++round) {
    const Stopwatch watch;
    const std::clock_t processor = std::clock();
    if (trains) {
      const at::Tensor loss = 1 - at::cosine_similarity(encoder.forward(tensors), target).mean();
      loss.backward();
      train::clip_gradients(parameters, {.norm = 1});
      optimizer.step({});
      for (const train::Parameter& parameter : all) {
        at::Tensor value = parameter.value;
        value.mutable_grad().reset();
      }
      check = loss.item<double>();
    } else if (!device.is_cpu()) {
      const c10::InferenceMode no_gradients;
      check = encoder.forward(tensors).sum().item<double>();
    } else {
      check = static_cast<double>(*plain.forward(arrays).data());
    }
    seconds += fmt::format("{}{}", seconds.empty() ? "" : ", ", watch.seconds());
    processor_seconds += fmt::format("{}{}", processor_seconds.empty() ? "" : ", ",
                                     static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
  }
  const std::uint64_t extra = peak_bytes() - before;
  fmt::print(
      "{{\"seconds\": [{}], \"processor_seconds\": [{}], \"extra_bytes\": {}, \"operations\": {:.6g}, "
      "\"peak\": {:.6g}, \"check\": {}}}\n",
      seconds, processor_seconds, extra, operations_of_a_round(shape, batch, trains), measured_peak(), check);
  return 0;
}

}  // namespace
}  // namespace molgauge

int main(int count, char** words) {
  const std::string_view mode = count < 2 ? "" : words[1];
  if (count < 3 || count > 6 || (mode != "infer" && mode != "train")) {
    fmt::print(stderr, "bench_pocket infer|train ROUNDS [PAIRS [POCKETS [cpu|cuda]]]\n");
    return 2;
  }
  return molgauge::run(
      mode == "train", std::atoi(words[2]), count > 3 ? std::atoll(words[3]) : molgauge::kPairs,
      count > 4 ? std::atoll(words[4]) : molgauge::kPockets, c10::Device(count > 5 ? words[5] : "cpu"));
}
