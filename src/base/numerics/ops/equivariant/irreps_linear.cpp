#include "base/numerics/ops/equivariant/irreps_linear.h"

#include <algorithm>
#include <cmath>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/dense.h"
#include "base/numerics/ops/equivariant/whole_vectors.h"

namespace molgauge::ops {
namespace {

/// Multiplies the weights between two blocks of the same kind by `scale`, and expands them to a matrix over
/// all components. `weight` is [channels in, channels out]. Returns a pointer to the weights of the next pair
/// of blocks.
const float* expand(const float* weight, float scale, const IrrepBlock& from, const IrrepBlock& to,
                    float* matrix) {
  const std::int64_t components = to.components(), row = padded(to.width());
  for (std::int64_t u = 0; u < from.multiplicity; ++u) {
    for (std::int64_t w = 0; w < to.multiplicity; ++w, ++weight) {
      for (std::int64_t m = 0; m < components; ++m) {
        matrix[(u * components + m) * row + w * components + m] = *weight * scale;
      }
    }
  }
  return weight;
}

}  // namespace

std::int64_t IrrepsLinear::weight_count(const Irreps& in, const Irreps& out) {
  std::int64_t count = 0;
  for (const IrrepBlock& from : in.blocks()) {
    for (const IrrepBlock& to : out.blocks()) {
      count += from.is_same_kind(to) ? from.multiplicity * to.multiplicity : 0;
    }
  }
  return count;
}

IrrepsLinear::IrrepsLinear(const Irreps& in, const Irreps& out, const Floats& weight)
    : in_width_(in.width()), out_width_(out.width()) {
  if (!weight.defined()) {
    return;
  }
  std::int64_t packed = 0;
  for (std::size_t o = 0; o < out.blocks().size(); ++o) {
    has_zeros_ = has_zeros_ || in.channels_of_kind(out.blocks()[o]) == 0;
    for (std::size_t i = 0; i < in.blocks().size(); ++i) {
      const IrrepBlock &from = in.blocks()[i], &to = out.blocks()[o];
      if (from.is_same_kind(to)) {
        products_.push_back({in.offset(i), from.width(), out.offset(o), to.width(), packed});
        packed += from.width() * padded(to.width());
      }
    }
  }
  weights_ = Floats::zeros({packed});
  const float* next = weight.data();
  for (std::size_t i = 0; i < in.blocks().size(); ++i) {
    const IrrepBlock& from = in.blocks()[i];
    const float scale = 1 / std::sqrt(static_cast<float>(in.channels_of_kind(from)));
    for (std::size_t o = 0; o < out.blocks().size(); ++o) {
      const IrrepBlock& to = out.blocks()[o];
      if (from.is_same_kind(to)) {
        const auto own = std::find_if(products_.begin(), products_.end(), [&](const BlockProduct& product) {
          return product.in == in.offset(i) && product.out == out.offset(o);
        });
        next = expand(next, scale, from, to, weights_.data() + own->first_weight);
      }
    }
  }
}

Floats IrrepsLinear::operator()(const Floats& rows) const {
  Floats made{rows.size(0), out_width_};
  if (has_zeros_) {
    std::fill_n(made.data(), made.count(), 0.0F);
  }
  std::int64_t widest = 0;
  for (const BlockProduct& product : products_) {
    widest = std::max(widest, padded(product.out_width));
  }
  Floats block{cpu::kBlockRows, widest};
  for_row_blocks(rows.size(0), [&](std::int64_t first, std::int64_t count) {
    for (std::size_t i = 0; i < products_.size(); ++i) {
      const BlockProduct& product = products_[i];
      const std::int64_t width = padded(product.out_width);
      cpu::kernels().strided_product({.a = rows.data() + first * in_width_ + product.in,
                                      .b = weights_.data() + product.first_weight,
                                      .c = block.data(),
                                      .rows = count,
                                      .terms = product.in_width,
                                      .columns = width,
                                      .a_row = in_width_,
                                      .a_term = 1,
                                      .b_term = width,
                                      .c_row = width,
                                      .add = i > 0 && products_[i - 1].out == product.out});
      cpu::loops().copy_rows({.count = count,
                              .width = product.out_width,
                              .from = block.data(),
                              .from_row = width,
                              .to = made.data() + first * out_width_ + product.out,
                              .to_row = out_width_});
    }
  });
  return made;
}

}  // namespace molgauge::ops
