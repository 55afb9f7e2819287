#include "pipeline/fine_features.h"

#include <fmt/format.h>

namespace headroom::pipeline {
namespace {

constexpr std::size_t kPortion = std::size_t{4} << 20;

/// `kind`: "atoms" or "pairs".
store::BlobSpace space_of(const std::string& kind, const encoders::Encoder& encoder) {
  const store::FeatureSpace rows = feature_space(encoder);
  return {
      .kind = kind,
      .options = fmt::format("encoder={};weights={};{}", rows.encoder, rows.weights_sha256, rows.options)};
}

store::Blob to_blob(std::span<const float> numbers) {
  const auto bytes = std::as_bytes(numbers);
  return {bytes.begin(), bytes.end()};
}

void narrow(std::vector<bool>& found, const std::optional<store::BlobTable>& table,
            std::span<const Hash128> keys) {
  if (!table) {
    return;
  }
  const auto sizes = table->sizes(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    found[i] = found[i] && sizes[i].has_value();
  }
}

}  // namespace

FineTables::FineTables(const store::BlobStore& store, const encoders::Encoder& encoder) {
  if (encoder.fine().atoms) {
    atoms = store.table(space_of("atoms", encoder));
  }
  if (encoder.fine().pairs) {
    pairs = store.table(space_of("pairs", encoder));
  }
}

std::vector<bool> FineTables::find(std::span<const Hash128> keys) const {
  std::vector<bool> found(keys.size(), true);
  narrow(found, atoms, keys);
  narrow(found, pairs, keys);
  return found;
}

std::vector<bool> RowsWithFine::find(std::span<const Hash128> keys) {
  std::vector<bool> found = rows_->find(keys);
  const std::vector<bool> fine = tables_.find(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    found[i] = found[i] && fine[i];
  }
  return found;
}

void FineWriter::add(const Hash128& key, const encoders::FineFeatures& features) {
  keys_.push_back(key);
  atoms_.push_back(to_blob(features.atoms));
  pairs_.push_back(to_blob(features.pairs));
  bytes_ += features.atoms.size_bytes() + features.pairs.size_bytes();
  if (bytes_ >= kPortion) {
    flush();
  }
}

void FineWriter::flush() {
  if (tables_.atoms) {
    tables_.atoms->write(keys_, atoms_);
  }
  if (tables_.pairs) {
    tables_.pairs->write(keys_, pairs_);
  }
  keys_.clear();
  atoms_.clear();
  pairs_.clear();
  bytes_ = 0;
}

std::uint64_t FineWriter::bytes_held(std::size_t writers, std::uint64_t largest) {
  if (largest == 0) {
    return 0;
  }
  // Each writer's portion; of one at a time, the pages of the transaction and a value on its way to them.
  return (writers + 1) * (kPortion + largest) + largest;
}

}  // namespace headroom::pipeline
