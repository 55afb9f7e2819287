#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/io/bytes/random_access.h"
#include "data/io/pickle/pickle_value.h"
#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// The Python project's feature cache: a pickle of {"features": {smiles: array}, "foundation_model",
/// "dataset_name", "drugood_subset"}, or of {smiles: array} alone. Read as data
/// (data/io/pickle/pickle_reader.h), nothing is executed.
///
/// Memory: some 2 KiB an entry for the pickle's structure; the rows stay in the file until they are asked
/// for.
class FeatureCache {
 public:
  /// Throws InputError naming the file when it is no such pickle.
  explicit FeatureCache(const std::filesystem::path& path);
  explicit FeatureCache(std::unique_ptr<RandomAccess> file);

  std::size_t size() const { return entries_.size(); }
  const std::string& smiles(std::size_t entry) const { return *entries_[entry].smiles; }

  /// The row of an entry: float16, float32 or float64, one number a feature whatever extents of 1 the array
  /// had. Throws InputError naming file and entry when it is none.
  TensorData row(std::size_t entry) const;

  /// The file's own description; empty where it has none.
  const std::string& foundation_model() const { return foundation_model_; }
  const std::string& dataset_name() const { return dataset_name_; }

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
  std::string foundation_model_, dataset_name_;
};

}  // namespace headroom::io
