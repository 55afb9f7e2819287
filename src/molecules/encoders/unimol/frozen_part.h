#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "molecules/encoders/frozen_activations.h"
#include "molecules/encoders/unimol/unimol_encoder.h"

namespace molgauge::encoders::unimol {

/// The frozen layers of a network. If a layer is frozen, the embedding and the pair features from distances
/// are frozen as well. The part before the first trained layer is computed only once for each molecule, and
/// the results are cached.
struct FrozenPart {
  std::vector<bool> is_frozen;  ///< element i is layer i; at least one layer is not frozen

  bool is_anything_frozen() const;
  /// The first trained layer.
  std::int64_t first_trained() const;
  /// Whether a parameter is trained.
  bool trains(const std::string& parameter) const;
  /// Whether a parameter is used only before the first trained layer.
  bool is_before_the_boundary(const std::string& parameter) const;
};

/// Cached inputs of the first trained layer: [tokens, width] and [tokens^2, heads] numbers for each molecule.
/// If no layer is frozen, these are the inputs of the network.
///
/// Thread safety: any number of calls at once.
class FrozenMoleculeCache {
 public:
  /// Creates a cache for synthetic molecules, which have constant numbers and take no memory. After a call of
  /// keep_in(), the cache is for real molecules.
  FrozenMoleculeCache(NetworkShape shape, FrozenPart frozen) : shape_(shape), frozen_(std::move(frozen)) {}
  /// Sets the storage of molecules. Call it before the first molecule.
  void keep_in(std::unique_ptr<FrozenActivations> numbers) { numbers_ = std::move(numbers); }

  const NetworkShape& shape() const { return shape_; }
  const FrozenPart& frozen() const { return frozen_; }

  /// Adds a molecule and returns its index. rows [tokens, width], pairs [tokens^2, heads].
  std::int64_t append(std::span<const float> rows, std::span<const float> pairs, std::size_t tokens);
  std::int64_t append(const Inputs& inputs);
  /// Adds a synthetic molecule.
  void append_made_up(std::size_t tokens);

  std::size_t tokens(std::int64_t molecule) const;
  /// Reads the numbers that append() has stored. For synthetic molecules, writes constant numbers to `rows`
  /// and `pairs`.
  void read(std::int64_t molecule, float* rows, float* pairs) const;
  Inputs inputs(std::int64_t molecule) const;

  /// Bytes of a molecule with this many tokens.
  static std::uint64_t bytes_of(const NetworkShape& shape, const FrozenPart& frozen, std::uint64_t tokens);

 private:
  std::int64_t keep(std::span<const float> first, std::span<const float> second, std::size_t tokens);

  NetworkShape shape_;
  FrozenPart frozen_;
  std::unique_ptr<FrozenActivations> numbers_;
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> tokens_;  ///< tokens of each list
};

/// Encodes molecules with the frozen layers on plain arrays and caches the outputs. The row of a molecule is
/// its index in the cache. Rows are float32, which can represent 2^24 indices exactly. Throws Error for more
/// molecules.
class FrozenPartEncoder final : public UnimolEncoder {
 public:
  /// `tensors`: tensors of the whole network. The tensors of the frozen part are freed one by one. `choice`:
  /// must select float32 and no atom or pair features.
  FrozenPartEncoder(io::TensorMap tensors, UnimolOrigin origin, std::shared_ptr<FrozenMoleculeCache> kept,
                    UnimolChoice choice = {});

  std::size_t width() const override { return 1; }
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;

 private:
  std::shared_ptr<FrozenMoleculeCache> kept_;
};

}  // namespace molgauge::encoders::unimol
