#include "molecules/encoders/unimol/frozen_part.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/core/error.h"

namespace molgauge::encoders::unimol {
namespace {

constexpr std::string_view kLayerPrefix = "encoder.layers.";
/// The value of all distances and layer outputs of synthetic molecules.
constexpr float kMadeUpNumber = 0.5F;
constexpr std::size_t kMaxKept = std::size_t{1} << 24;

/// Returns the layer of a parameter, or -1 if the parameter does not belong to a layer.
std::int64_t layer_of(std::string_view parameter) {
  if (!parameter.starts_with(kLayerPrefix)) {
    return -1;
  }
  std::int64_t layer = -1;
  std::from_chars(parameter.data() + kLayerPrefix.size(), parameter.data() + parameter.size(), layer);
  return layer;
}

bool is_after_the_layers(std::string_view parameter) {
  return parameter.starts_with("encoder.final_layer_norm.");
}

io::TensorMap those_before_the_boundary(io::TensorMap tensors, const FrozenPart& frozen) {
  std::erase_if(tensors, [&](const auto& tensor) { return !frozen.is_before_the_boundary(tensor.first); });
  return tensors;
}

std::uint64_t numbers_of(const NetworkShape& shape, const FrozenPart& frozen, std::uint64_t tokens) {
  const std::uint64_t pairs = tokens * tokens;
  return frozen.is_anything_frozen() ? tokens * static_cast<std::uint64_t>(shape.width) +
                                           pairs * static_cast<std::uint64_t>(shape.heads)
                                     : tokens + pairs;
}

}  // namespace

bool FrozenPart::is_anything_frozen() const {
  return std::find(is_frozen.begin(), is_frozen.end(), true) != is_frozen.end();
}

std::int64_t FrozenPart::first_trained() const {
  return std::find(is_frozen.begin(), is_frozen.end(), false) - is_frozen.begin();
}

bool FrozenPart::trains(const std::string& parameter) const {
  const std::int64_t layer = layer_of(parameter);
  return layer >= 0 ? !is_frozen.at(static_cast<std::size_t>(layer))
                    : is_after_the_layers(parameter) || !is_anything_frozen();
}

bool FrozenPart::is_before_the_boundary(const std::string& parameter) const {
  const std::int64_t layer = layer_of(parameter);
  return is_anything_frozen() && !is_after_the_layers(parameter) && layer < first_trained();
}

std::int64_t FrozenMoleculeCache::keep(std::span<const float> first, std::span<const float> second,
                                       std::size_t tokens) {
  const std::size_t list = numbers_->append(first, second);
  if (list >= kMaxKept) {
    throw Error("fine-tuning supports at most 16777216 molecules. Use fewer (--train-size)");
  }
  const std::scoped_lock lock(mutex_);
  if (tokens_.size() <= list) {
    tokens_.resize(list + 1);
  }
  tokens_[list] = static_cast<std::uint32_t>(tokens);
  return static_cast<std::int64_t>(list);
}

std::int64_t FrozenMoleculeCache::append(std::span<const float> rows, std::span<const float> pairs,
                                         std::size_t tokens) {
  return keep(rows, pairs, tokens);
}

std::int64_t FrozenMoleculeCache::append(const Inputs& inputs) {
  const std::vector<float> tokens(inputs.tokens.begin(), inputs.tokens.end());
  return keep(tokens, inputs.distances, inputs.tokens.size());
}

void FrozenMoleculeCache::append_made_up(std::size_t tokens) {
  const std::scoped_lock lock(mutex_);
  tokens_.push_back(static_cast<std::uint32_t>(tokens));
}

std::size_t FrozenMoleculeCache::tokens(std::int64_t molecule) const {
  const std::scoped_lock lock(mutex_);
  return tokens_.at(static_cast<std::size_t>(molecule));
}

void FrozenMoleculeCache::read(std::int64_t molecule, float* rows, float* pairs) const {
  const std::size_t count = tokens(molecule), in_rows = count * static_cast<std::size_t>(shape_.width);
  const std::size_t in_pairs = count * count * static_cast<std::size_t>(shape_.heads);
  if (!numbers_) {
    std::fill_n(rows, in_rows, kMadeUpNumber);
    std::fill_n(pairs, in_pairs, kMadeUpNumber);
    return;
  }
  const auto list = static_cast<std::size_t>(molecule);
  numbers_->read(list, 0, {rows, in_rows});
  numbers_->read(list, in_rows, {pairs, in_pairs});
}

Inputs FrozenMoleculeCache::inputs(std::int64_t molecule) const {
  const std::size_t count = tokens(molecule);
  const auto list = static_cast<std::size_t>(molecule);
  Inputs inputs;
  if (!numbers_) {
    inputs.tokens.assign(count, kUnknown);
    inputs.distances.assign(count * count, kMadeUpNumber);
    return inputs;
  }
  std::vector<float> numbers(count);
  numbers_->read(list, 0, numbers);
  for (const float token : numbers) {
    inputs.tokens.push_back(static_cast<std::int64_t>(token));
  }
  inputs.distances.resize(count * count);
  numbers_->read(list, count, inputs.distances);
  return inputs;
}

std::uint64_t FrozenMoleculeCache::bytes_of(const NetworkShape& shape, const FrozenPart& frozen,
                                            std::uint64_t tokens) {
  return numbers_of(shape, frozen, tokens) * sizeof(float);
}

FrozenPartEncoder::FrozenPartEncoder(io::TensorMap tensors, UnimolOrigin origin,
                                     std::shared_ptr<FrozenMoleculeCache> kept, UnimolChoice choice)
    : UnimolEncoder(those_before_the_boundary(std::move(tensors), kept->frozen()), std::move(origin), choice,
                    kept->shape()),
      kept_(std::move(kept)) {}

void FrozenPartEncoder::encode(std::span<const FeaturisedMolecule* const> batch,
                               std::span<float> rows) const {
  const std::vector<const Inputs*> molecules = inputs_of(batch, rows.size(), width());
  if (molecules.empty()) {
    return;
  }
  if (!kept_->frozen().is_anything_frozen()) {
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      rows[i] = molecules[i]->is_made_up ? 0 : static_cast<float>(kept_->append(*molecules[i]));
    }
    return;
  }
  const bool is_measurement = is_made_up(molecules);
  const Batch packed = pack(molecules);
  const Outputs<ops::Floats> kept =
      network().advance(network().begin(packed), packed.molecules, {0, kept_->frozen().first_trained()},
                        is_measurement ? Wanted::memory_of_class_tokens : Wanted::everything);
  if (is_measurement) {
    return;
  }
  std::span<const float> tokens = kept.tokens.numbers(), pairs = kept.pairs.numbers();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::size_t count = molecules[i]->tokens.size();
    const std::size_t in_rows = count * static_cast<std::size_t>(kept_->shape().width);
    const std::size_t in_pairs = count * count * static_cast<std::size_t>(kept_->shape().heads);
    rows[i] = static_cast<float>(kept_->append(tokens.first(in_rows), pairs.first(in_pairs), count));
    tokens = tokens.subspan(in_rows);
    pairs = pairs.subspan(in_pairs);
  }
}

}  // namespace molgauge::encoders::unimol
