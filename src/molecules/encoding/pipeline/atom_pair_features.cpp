#include "molecules/encoding/pipeline/atom_pair_features.h"

#include <utility>

#include <fmt/format.h>

namespace molgauge::pipeline {
namespace {

constexpr std::size_t kPortion = std::size_t{4} << 20;

/// Returns the space of one kind of features. `kind`: "atoms" or "pairs".
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

AtomPairTables::AtomPairTables(const store::BlobStore& store, const encoders::Encoder& encoder) {
  if (encoder.fine().atoms) {
    atoms = store.table(space_of("atoms", encoder));
  }
  if (encoder.fine().pairs) {
    pairs = store.table(space_of("pairs", encoder));
  }
}

std::vector<bool> AtomPairTables::find(std::span<const Hash128> keys) const {
  std::vector<bool> found(keys.size(), true);
  narrow(found, atoms, keys);
  narrow(found, pairs, keys);
  return found;
}

std::vector<bool> RowsWithAtomPairs::find(std::span<const Hash128> keys) {
  std::vector<bool> found = rows_->find(keys);
  const std::vector<bool> fine = tables_.find(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    found[i] = found[i] && fine[i];
  }
  return found;
}

void FineWriter::add(const Hash128& key, const encoders::AtomPairFeatures& features) {
  bool are_many = false;
  {
    const std::lock_guard lock(mutex_);
    // An earlier call may have run out of memory after it added atom features or pair features, but before it
    // added the key. The resizes remove such features.
    waiting_.atoms.resize(waiting_.keys.size());
    waiting_.pairs.resize(waiting_.keys.size());
    waiting_.atoms.push_back(to_blob(features.atoms));
    waiting_.pairs.push_back(to_blob(features.pairs));
    waiting_.keys.push_back(key);
    waiting_.bytes += features.atoms.size_bytes() + features.pairs.size_bytes();
    are_many = waiting_.bytes >= kPortion;
  }
  if (are_many) {
    flush();
  }
}

void FineWriter::flush() {
  const std::lock_guard writing(writing_mutex_);
  write();  // writes features whose last transaction failed
  writing_ = {};
  {
    const std::lock_guard lock(mutex_);
    std::swap(waiting_, writing_);
  }
  write();
  writing_ = {};
}

void FineWriter::write() const {
  const std::size_t count = writing_.keys.size();
  std::vector<store::BlobTable::Values> all;
  if (tables_.atoms) {
    all.push_back({*tables_.atoms, writing_.keys, std::span(writing_.atoms).first(count)});
  }
  if (tables_.pairs) {
    all.push_back({*tables_.pairs, writing_.keys, std::span(writing_.pairs).first(count)});
  }
  store::BlobTable::write_together(all);
}

std::uint64_t FineWriter::bytes_held(std::size_t workers, std::uint64_t largest) {
  if (largest == 0) {
    return 0;
  }
  // The first term counts waiting features, features that are being written, and the pages of their
  // transaction. Each of these three may exceed kPortion by one molecule for every worker. The second term
  // counts the value that is being copied to the pages.
  return 3 * (kPortion + workers * largest) + largest;
}

}  // namespace molgauge::pipeline
