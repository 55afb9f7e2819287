#include "workloads/pocket_workload.h"

namespace molgauge::workloads {
namespace {

/// Weights of a layer.
constexpr std::size_t kMessage = 0, kUpdate = 1, kPairs = 2, kFromPairs = 3, kWeights = 4;
constexpr std::uint64_t kEdgesAnAtom = 12;

}  // namespace

PocketWorkload::PocketWorkload(const PocketShape& shape)
    : BlockWorkload("pockets", static_cast<std::size_t>(shape.layers), true), shape_(shape) {
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    add_parameter({shape.width, shape.width});
    add_parameter({shape.width, shape.width});
    add_parameter({shape.heads, shape.heads});
    add_parameter({shape.width, shape.heads});
  }
}

std::vector<MemoryContribution> PocketWorkload::resident(const memory::StepSettings& settings) const {
  auto parts = BlockWorkload::resident(settings);
  parts.push_back({"bank of embeddings",
                   shape_.bank_pockets * static_cast<std::uint64_t>(shape_.embedding) * sizeof(float)});
  return parts;
}

void PocketWorkload::remember(std::size_t pockets) {
  for (std::size_t i = 0; i < pockets; ++i) {
    if (bank_.size() == shape_.bank_pockets) {
      bank_.pop_front();
    }
    bank_.push_back(at::zeros({shape_.embedding}));
  }
}

State PocketWorkload::inputs(std::span<const memory::ItemSize> batch) {
  const auto cost = memory::packed_cost(batch);
  const auto atoms = static_cast<std::int64_t>(cost.tokens),
             edges = static_cast<std::int64_t>(kEdgesAnAtom * cost.tokens),
             pairs = static_cast<std::int64_t>(cost.pairs);
  const at::Tensor source = at::arange(edges, at::kLong).remainder_(atoms);
  const at::Tensor first_of_pair = at::arange(pairs, at::kLong).remainder_(atoms);
  return {at::full({atoms, shape_.width}, 0.5, precision()),
          at::full({pairs, shape_.heads}, 0.25, precision()), source, source.flip(0), first_of_pair};
}

State PocketWorkload::block(std::size_t index, const State& state) {
  const std::size_t first = index * kWeights;
  const at::Tensor& x = state[0];
  const at::Tensor message = at::relu(at::linear(x.index_select(0, state[2]), weight(first + kMessage)));
  const at::Tensor arrived = at::zeros_like(x).index_add(0, state[3], message);
  const at::Tensor pairs = state[1] + at::relu(at::linear(state[1], weight(first + kPairs)));
  const at::Tensor pooled = at::zeros({x.size(0), shape_.heads}, x.options()).index_add(0, state[4], pairs);
  const at::Tensor y = x + at::linear(arrived, weight(first + kUpdate)) +
                       at::linear(pooled, weight(first + kFromPairs)).mul(1e-3);
  return {y, pairs, state[2], state[3], state[4]};
}

double PocketWorkload::work(const memory::Cost& cost) const {
  return static_cast<double>(cost.pairs) / 200 + static_cast<double>(kEdgesAnAtom * cost.tokens) / 60;
}

std::vector<memory::ItemSize> pocket_sizes(std::size_t count) {
  std::vector<memory::ItemSize> sizes;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t atoms = 30 + i * 17 % 31;
    if (i % 5 == 3) {
      atoms = 80 + i * 7 % 51;
    }
    if (i % 15 == 14) {
      atoms = 190;
    }
    sizes.push_back({.tokens = atoms, .pairs = atoms * atoms});
  }
  return sizes;
}

}  // namespace molgauge::workloads
