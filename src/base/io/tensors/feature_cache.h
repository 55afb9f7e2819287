#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_value.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// The Python project's feature cache: a pickle of {"features": {smiles: array}, "foundation_model",
/// "dataset_name", "drugood_subset"}, or of {smiles: array} alone. It is read as data
/// (base/io/pickle/pickle_reader.h), and nothing is executed.
///
/// Memory: about 2 KiB for each entry, for the structure of the pickle. Rows stay in the file until they are
/// requested.
class FeatureCache {
 public:
  /// Throws InputError naming the file if it is another kind of pickle.
  explicit FeatureCache(const std::filesystem::path& path);
  explicit FeatureCache(std::unique_ptr<RandomAccess> file);

  std::size_t size() const { return entries_.size(); }
  const std::string& smiles(std::size_t entry) const { return *entries_[entry].smiles; }

  /// Returns the row of an entry as float16, float32 or float64, one number for each feature. Extents of 1 in
  /// the array are ignored. Throws InputError naming file and entry if the entry is not a row.
  TensorData row(std::size_t entry) const;

  /// Returns the description in the file, or an empty text if the file has none.
  const std::string& foundation_model() const { return foundation_model_; }

 private:
  struct Entry {
    const std::string* smiles;
    PickleRef array;
  };
  void take_entries(const PickleDict& features);
  void take_description(const PickleDict& outermost);

  std::unique_ptr<RandomAccess> file_;
  PickleDocument document_;
  std::vector<Entry> entries_;
  std::string foundation_model_;
};

}  // namespace molgauge::io
