#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/io/pickle/pickle_value.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// A tensor in the pickle of a checkpoint: a view of a storage with strides and an offset, in elements.
struct TensorView {
  DataType type = DataType::float32;
  std::string storage;  ///< name of the entry that holds the numbers: "0" for data/0
  std::int64_t storage_elements = 0;
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

/// Supports the calls torch._utils._rebuild_tensor_v2 and _rebuild_parameter. Returns nothing if the value is
/// not a tensor. If the tensor cannot be read, throws InputError with a text that starts with `what`.
std::optional<TensorView> describe_tensor(PickleRef value, const std::string& what);

/// The elements of a view, row-major. Throws InputError unless all elements lie in the storage. A view may
/// not have more elements than its storage. Otherwise a small file could make Molgauge allocate much memory.
TensorData gather(const TensorView& view, const std::vector<std::byte>& storage, const std::string& what);

}  // namespace molgauge::io
