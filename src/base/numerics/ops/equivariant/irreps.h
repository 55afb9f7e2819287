#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace molgauge::ops {

/// The parity of an irreducible representation of O(3) under inversion of space.
enum class Parity { even, odd };

/// `multiplicity` copies ("channels") of the irreducible representation with degree l and a parity. For
/// example, 16x1o is 16 vectors. Numbers are stored channel by channel, and the 2 l + 1 components of a
/// channel are adjacent.
struct IrrepBlock {
  std::int64_t multiplicity = 0;
  int degree = 0;
  Parity parity = Parity::even;

  std::int64_t components() const { return 2 * degree + 1; }
  std::int64_t width() const { return multiplicity * components(); }
  bool is_same_kind(const IrrepBlock& other) const {
    return degree == other.degree && parity == other.parity;
  }
  bool operator==(const IrrepBlock&) const = default;
};

/// The layout of a row of an equivariant network: consecutive blocks, for example "32x0e + 16x1o + 8x2e".
class Irreps {
 public:
  /// The largest degree that has kernels.
  static constexpr int kMaxDegree = 3;

  Irreps() = default;
  explicit Irreps(std::vector<IrrepBlock> blocks);

  /// Parses text such as "32x0e + 16x1o + 8x2e". A multiplicity of 1 may be omitted. If the text is invalid,
  /// throws UsageError that names the invalid part. Degrees above kMaxDegree and rows of more than a million
  /// numbers are also invalid.
  static Irreps parse(std::string_view text);
  /// Irreps with one spherical harmonic for each degree from 0 to `most`.
  static Irreps harmonics(int most);

  const std::vector<IrrepBlock>& blocks() const { return blocks_; }
  /// The number of elements before block `block`.
  std::int64_t offset(std::size_t block) const { return offsets_[block]; }
  /// The number of elements in a row.
  std::int64_t width() const { return offsets_.back(); }
  /// The number of channels of all blocks.
  std::int64_t channels() const;
  /// The number of channels of all blocks of the same kind as `block`.
  std::int64_t channels_of_kind(const IrrepBlock& block) const;
  std::string to_string() const;
  bool operator==(const Irreps& other) const { return blocks_ == other.blocks_; }

 private:
  std::vector<IrrepBlock> blocks_;
  std::vector<std::int64_t> offsets_ = {0};  ///< offsets of the blocks, and the end of the last block
};

}  // namespace molgauge::ops
