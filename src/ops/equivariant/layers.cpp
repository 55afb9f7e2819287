#include "ops/equivariant/layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/cpu/instruction_level.h"

namespace headroom::ops {
namespace {

constexpr float kEpsilon = 1e-5F;

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

/// Channels of the kind of `block` in all of `irreps`.
std::int64_t channels_of_kind(const Irreps& irreps, const IrrepBlock& block) {
  std::int64_t channels = 0;
  for (const IrrepBlock& other : irreps.blocks()) {
    channels += other.is_same_kind(block) ? other.multiplicity : 0;
  }
  return channels;
}

void normalise_channel(ChannelNorm kind, std::int64_t components, const float* from, float* to) {
  float mean = 0, squares = 0;
  for (std::int64_t m = 0; kind == ChannelNorm::variance && m < components; ++m) {
    mean += from[m] / static_cast<float>(components);
  }
  for (std::int64_t m = 0; m < components; ++m) {
    squares += (from[m] - mean) * (from[m] - mean);
  }
  const float scale = 1 / std::sqrt(squares / static_cast<float>(components) + kEpsilon);
  for (std::int64_t m = 0; m < components; ++m) {
    to[m] = (from[m] - mean) * scale;
  }
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

Linear IrrepsLinear::expanded() const {
  Linear linear{Floats::zeros({out.width(), in.width()}), Floats::zeros({out.width()})};
  const float* next = weight.data();
  for (std::size_t i = 0; i < in.blocks().size(); ++i) {
    const IrrepBlock& from = in.blocks()[i];
    const float scale = 1 / std::sqrt(static_cast<float>(channels_of_kind(in, from)));
    for (std::size_t o = 0; o < out.blocks().size(); ++o) {
      const IrrepBlock& to = out.blocks()[o];
      if (!from.is_same_kind(to)) {
        continue;
      }
      for (std::int64_t u = 0; u < from.multiplicity; ++u) {
        for (std::int64_t w = 0; w < to.multiplicity; ++w, ++next) {
          for (std::int64_t m = 0; m < to.components(); ++m) {
            const std::int64_t row = out.offset(o) + w * to.components() + m;
            linear.weight.data()[row * in.width() + in.offset(i) + u * to.components() + m] = *next * scale;
          }
        }
      }
    }
  }
  return linear;
}

Irreps gated(const Irreps& out) {
  std::vector<IrrepBlock> blocks = out.blocks();
  for (std::size_t block = 1; block < blocks.size(); ++block) {
    blocks[0].multiplicity += blocks[block].multiplicity;
  }
  return Irreps(std::move(blocks));
}

Floats gate(const Floats& rows, const Irreps& out) {
  const Irreps in = gated(out);
  const std::int64_t scalars = out.blocks().at(0).multiplicity;
  Floats result{rows.size(0), out.width()};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    const float* const from = rows.data() + row * in.width();
    float* const to = result.data() + row * out.width();
    for (std::int64_t s = 0; s < scalars; ++s) {
      to[s] = kSiluScale * from[s] * sigmoid(from[s]);
    }
    const float *factor = from + scalars, *channel = from + in.blocks()[0].multiplicity;
    float* own = to + scalars;
    for (std::size_t block = 1; block < out.blocks().size(); ++block) {
      for (std::int64_t u = 0; u < out.blocks()[block].multiplicity; ++u) {
        const float opened = kSigmoidScale * sigmoid(*factor++);
        for (std::int64_t m = 0; m < out.blocks()[block].components(); ++m) {
          *own++ = opened * *channel++;
        }
      }
    }
  }
  return result;
}

Floats apply(const EquivariantNorm& norm, const Floats& rows, const Irreps& irreps) {
  const std::int64_t scalars = irreps.blocks().at(0).multiplicity;
  Floats first{rows.size(0), scalars};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    std::copy_n(rows.data() + row * irreps.width(), scalars, first.data() + row * scalars);
  }
  first = apply(norm.scalars, first);
  Floats result{rows.size(0), irreps.width()};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    std::copy_n(first.data() + row * scalars, scalars, result.data() + row * irreps.width());
    std::int64_t place = row * irreps.width() + scalars;
    for (std::size_t block = 1; block < irreps.blocks().size(); ++block) {
      const std::int64_t components = irreps.blocks()[block].components();
      for (std::int64_t u = 0; u < irreps.blocks()[block].multiplicity; ++u, place += components) {
        normalise_channel(norm.channels, components, rows.data() + place, result.data() + place);
      }
    }
  }
  return result;
}

Floats invariants(const Floats& rows, const Irreps& irreps) {
  Floats result{rows.size(0), irreps.channels()};
  const float* from = rows.data();
  float* to = result.data();
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    for (const IrrepBlock& block : irreps.blocks()) {
      for (std::int64_t u = 0; u < block.multiplicity; ++u, from += block.components()) {
        float squares = 0;
        for (std::int64_t m = 0; m < block.components(); ++m) {
          squares += from[m] * from[m];
        }
        *to++ = block.degree == 0 ? *from : std::sqrt(squares);
      }
    }
  }
  return result;
}

Floats silu(Floats x) {
  cpu::loops().silu(static_cast<std::size_t>(x.count()), x.data());
  return x;
}

}  // namespace headroom::ops
