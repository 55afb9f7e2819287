#include "base/io/tensors/feature_cache.h"

#include <algorithm>
#include <utility>

#include "base/core/error.h"
#include "base/io/pickle/pickle_lookup.h"
#include "base/io/pickle/pickle_reader.h"
#include "base/io/tensors/pickled_array.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

constexpr std::size_t kShownCharacters = 80;

std::string text_or_nothing(PickleRef value) {
  const auto* text = value == nullptr ? nullptr : value->as<std::string>();
  return text == nullptr ? "" : *text;
}

}  // namespace

FeatureCache::FeatureCache(const std::filesystem::path& path) : FeatureCache(open_random_access(path)) {}

FeatureCache::FeatureCache(std::unique_ptr<RandomAccess> file)
    : file_(std::move(file)), document_(read_pickle(*file_)) {
  const auto* outermost = document_.root()->as<PickleDict>();
  if (outermost == nullptr) {
    throw InputError(file_->name() + ": is not a feature cache: a dict of SMILES to arrays was expected");
  }
  const PickleRef features = find_entry(outermost->entries, "features");
  if (features == nullptr) {
    take_entries(*outermost);
  } else if (const auto* dict = features->as<PickleDict>()) {
    take_entries(*dict);
    take_description(*outermost);
  } else {
    throw InputError(file_->name() + ": is not a feature cache: its \"features\" are not a dict");
  }
}

void FeatureCache::take_entries(const PickleDict& features) {
  entries_.reserve(features.entries.size());
  for (const auto& [key, value] : features.entries) {
    const auto* smiles = key->as<std::string>();
    if (smiles == nullptr) {
      throw InputError(file_->name() + ": is not a feature cache: entry " +
                       std::to_string(entries_.size() + 1) + " has a key that is not a text");
    }
    entries_.push_back({smiles, value});
  }
  if (entries_.empty()) {
    throw InputError(file_->name() + ": holds no features");
  }
}

void FeatureCache::take_description(const PickleDict& outermost) {
  foundation_model_ = text_or_nothing(find_entry(outermost.entries, "foundation_model"));
}

TensorData FeatureCache::row(std::size_t entry) const {
  const std::string what =
      file_->name() + ": features['" + smiles(entry).substr(0, kShownCharacters) + "']: ";
  try {
    TensorData row = read_array(describe_array(entries_[entry].array), *file_);
    const std::int64_t longest =
        row.shape.empty() ? 1 : *std::max_element(row.shape.begin(), row.shape.end());
    if (row.element_count() != longest) {
      throw InputError("has shape " + format_shape(row.shape) + " where one row is expected");
    }
    row.shape = {longest};
    return row;
  } catch (const InputError& failure) {
    throw InputError(what + failure.what());
  }
}

}  // namespace molgauge::io
