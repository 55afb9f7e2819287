#include "molecules/encoders/unimol/pair_operators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::encoders::unimol {
namespace {

constexpr float kLeastWidth = 1e-5F;
constexpr double kPublishedPi = 3.14159;

/// Applies a layer to a block of rows.
void apply_block(const ops::Dense& layer, const float* x, std::int64_t rows, ops::cpu::DenseScratch& scratch,
                 bool add, float* to) {
  ops::cpu::kernels().dense(layer.packed(), x, rows, scratch.rounded(), scratch.product(), add, to);
}

/// Returns the scratch memory of this thread, large enough for each of the layers.
ops::cpu::DenseScratch& scratch_for(std::initializer_list<const ops::Dense*> layers) {
  std::int64_t widest = 0;
  for (const ops::Dense* const layer : layers) {
    widest = std::max({widest, layer->packed().in, layer->packed().out});
  }
  return ops::cpu::dense_scratch(widest);
}

/// Returns the new index of element d of head h, which is d * heads + h. `number`: its old index h * depth +
/// d.
std::int64_t arranged(std::int64_t number, std::int64_t heads, std::int64_t depth) {
  return number % depth * heads + number / depth;
}

/// Numbers the distinct pairs of a molecule by their position on the axis of the Gaussian functions. Pairs
/// with equal positions have the same number.
class DistinctPlaces {
 public:
  /// Returns the number of a position. Positions are numbered in the order in which they first appear.
  std::size_t number_of(float place) {
    const auto [entry, is_new] = numbers_.emplace(std::bit_cast<std::uint32_t>(place), places_.size());
    if (is_new) {
      places_.push_back(place);
    }
    return entry->second;
  }
  const std::vector<float>& places() const { return places_; }
  void clear() {
    numbers_.clear();
    places_.clear();
  }

 private:
  std::unordered_map<std::uint32_t, std::size_t> numbers_;
  std::vector<float> places_;
};

}  // namespace

GaussianKernels::GaussianKernels(ops::Floats factors, ops::Floats offsets, ops::Floats means,
                                 const ops::Floats& widths)
    : factors_(std::move(factors)), offsets_(std::move(offsets)), means_(std::move(means)) {
  if (!widths.defined()) {
    return;
  }
  reciprocal_widths_ = ops::Floats{widths.count()};
  heights_ = ops::Floats{widths.count()};
  const auto root = static_cast<float>(std::sqrt(2 * kPublishedPi));
  for (std::int64_t k = 0; k < widths.count(); ++k) {
    const float width = std::abs(widths.data()[k]) + kLeastWidth;
    reciprocal_widths_.data()[k] = 1 / width;
    heights_.data()[k] = 1 / (root * width);
  }
}

ops::cpu::GaussianRows GaussianKernels::rows() const {
  return {.means = means_.data(),
          .factors = reciprocal_widths_.data(),
          .heights = heights_.data(),
          .kernels = means_.count()};
}

void RowNorm::apply(const float* x, std::int64_t rows, float* to) const {
  ops::cpu::Layer layer;
  layer.out = width();
  layer.norm_weight = norm_.weight.data();
  layer.norm_bias = norm_.bias.data();
  ops::cpu::kernels().normalise(layer, x, rows, to);
}

ops::Linear PairOperators::arrange_joint(const Linear& linear, std::int64_t heads) {
  if (!linear.weight.defined()) {
    return linear;
  }
  const std::int64_t in = linear.weight.size(1), width = linear.weight.size(0) / 3;
  Linear joint{.weight = Tensor(linear.weight.shape()), .bias = Tensor(linear.bias.shape())};
  for (std::int64_t row = 0; row < 3 * width; ++row) {
    const std::int64_t place = row / width * width + arranged(row % width, heads, width / heads);
    std::copy_n(linear.weight.data() + row * in, in, joint.weight.data() + place * in);
    joint.bias.data()[place] = linear.bias.data()[row];
  }
  return joint;
}

ops::Linear PairOperators::arrange_mixed(const Linear& linear, std::int64_t heads) {
  if (!linear.weight.defined()) {
    return linear;
  }
  const std::int64_t out = linear.weight.size(0), width = linear.weight.size(1);
  Linear mixed{.weight = Tensor(linear.weight.shape()), .bias = linear.bias};
  for (std::int64_t row = 0; row < out; ++row) {
    for (std::int64_t column = 0; column < width; ++column) {
      mixed.weight.data()[row * width + arranged(column, heads, width / heads)] =
          linear.weight.data()[row * width + column];
    }
  }
  return mixed;
}

ops::Floats PairOperators::pair_logits(const Integers& tokens, const Tensor& distances,
                                       const Segments& molecules, const GaussianKernels& kernels,
                                       const Dense& hidden, const Dense& out) {
  const std::int64_t heads = out.packed().out;
  Tensor logits{distances.count(), heads};
  ops::cpu::DenseScratch& scratch = scratch_for({&hidden, &out});
  DistinctPlaces distinct;
  std::vector<std::size_t> numbers;  // numbers of the pairs of a molecule
  std::vector<float> rows;           // logits of the distinct positions
  const float* distance = distances.data();
  float* logit = logits.data();
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    const std::int64_t* const begin = tokens.data() + molecules.first.data()[molecule];
    const std::int64_t* const end = tokens.data() + molecules.first.data()[molecule + 1];
    distinct.clear();
    numbers.clear();
    for (const std::int64_t* i = begin; i < end; ++i) {
      for (const std::int64_t* j = begin; j < end; ++j) {
        numbers.push_back(distinct.number_of(kernels.place(pair_kind(*i, *j), *distance++)));
      }
    }
    const std::vector<float>& places = distinct.places();
    rows.resize(places.size() * static_cast<std::size_t>(heads));
    ops::for_row_blocks(
        static_cast<std::int64_t>(places.size()), [&](std::int64_t first, std::int64_t count) {
          ops::cpu::kernels().gaussian_rows(kernels.rows(), places.data() + first, count, scratch.gathered());
          apply_block(hidden, scratch.gathered(), count, scratch, /*add=*/false, scratch.between());
          apply_block(out, scratch.between(), count, scratch, /*add=*/false, rows.data() + first * heads);
        });
    for (const std::size_t number : numbers) {
      logit = std::copy_n(rows.data() + number * static_cast<std::size_t>(heads), heads, logit);
    }
  }
  return logits;
}

ops::Floats PairOperators::embed(const Tensor& table, const Integers& tokens, const LayerNorm& norm,
                                 const Segments& /*molecules*/, Dropout /*dropout*/) {
  const std::int64_t width = table.width();
  Tensor x{tokens.count(), width};
  for (std::int64_t row = 0; row < tokens.count(); ++row) {
    norm.apply(table.data() + tokens.data()[row] * width, 1, x.data() + row * width);
  }
  return x;
}

ops::Floats PairOperators::normalise(const LayerNorm& norm, const Tensor& x) {
  Tensor y(x.shape());
  norm.apply(x.data(), x.rows(), y.data());
  return y;
}

ops::Floats PairOperators::normalised(const LayerNorm& norm, const Dense& layer, const Tensor& x) {
  const std::int64_t in = layer.packed().in, out = layer.packed().out;
  Tensor y{x.rows(), out};
  ops::cpu::DenseScratch& scratch = scratch_for({&layer});
  ops::for_row_blocks(x.rows(), [&](std::int64_t first, std::int64_t count) {
    norm.apply(x.data() + first * in, count, scratch.gathered());
    apply_block(layer, scratch.gathered(), count, scratch, /*add=*/false, y.data() + first * out);
  });
  return y;
}

ops::Floats PairOperators::attend(const Tensor& joint, Tensor& pairs, const Segments& molecules,
                                  std::int64_t heads, bool first_only, Dropout /*dropout*/) {
  const std::int64_t width = joint.width() / 3, depth = width / heads;
  Tensor out{first_only ? molecules.count() : joint.rows(), width};
  std::vector<float> weights;
  float* logits = pairs.data();
  float* row = out.data();
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    const std::int64_t begin = molecules.first.data()[molecule];
    const std::int64_t tokens = molecules.first.data()[molecule + 1] - begin;
    const std::int64_t queries = first_only ? std::min<std::int64_t>(tokens, 1) : tokens;
    weights.resize(static_cast<std::size_t>(tokens * ops::cpu::kMaxHeadsAtOnce));
    ops::cpu::kernels().pair_attention({.joint = joint.data() + begin * joint.width(),
                                        .logits = logits,
                                        .out = row,
                                        .tokens = tokens,
                                        .heads = heads,
                                        .depth = depth,
                                        .queries = queries,
                                        .scale = 1 / std::sqrt(static_cast<float>(depth))},
                                       weights.data());
    logits += tokens * tokens * heads;
    row += queries * width;
  }
  return out;
}

ops::Floats PairOperators::add_layer(Tensor x, const Dense& layer, const Tensor& input,
                                     const Segments& /*molecules*/, Dropout /*dropout*/) {
  const std::int64_t in = layer.packed().in, out = layer.packed().out;
  ops::cpu::DenseScratch& scratch = scratch_for({&layer});
  ops::for_row_blocks(x.rows(), [&](std::int64_t first, std::int64_t count) {
    apply_block(layer, input.data() + first * in, count, scratch, /*add=*/true, x.data() + first * out);
  });
  return x;
}

ops::Floats PairOperators::feed_forward(Tensor x, const LayerNorm& norm, const Dense& widen,
                                        const Dense& narrow, const Segments& /*molecules*/,
                                        Dropout /*dropout*/) {
  const std::int64_t width = norm.width();
  ops::cpu::DenseScratch& scratch = scratch_for({&widen, &narrow});
  ops::for_row_blocks(x.rows(), [&](std::int64_t first, std::int64_t count) {
    float* const rows = x.data() + first * width;
    norm.apply(rows, count, scratch.gathered());
    apply_block(widen, scratch.gathered(), count, scratch, /*add=*/false, scratch.between());
    apply_block(narrow, scratch.between(), count, scratch, /*add=*/true, rows);
  });
  return x;
}

ops::Floats PairOperators::first_rows(const Tensor& x, const Segments& molecules) {
  Tensor rows{molecules.count(), x.width()};
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    std::copy_n(x.data() + molecules.first.data()[molecule] * x.width(), x.width(),
                rows.data() + molecule * x.width());
  }
  return rows;
}

}  // namespace molgauge::encoders::unimol
