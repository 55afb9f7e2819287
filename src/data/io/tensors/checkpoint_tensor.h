#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/io/pickle/pickle_value.h"
#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// A tensor as a checkpoint's pickle describes it: a strided view of a storage, counted in elements.
struct TensorView {
  DataType type = DataType::float32;
  std::string storage;  ///< name of the entry that holds the numbers: "0" for data/0
  std::int64_t storage_elements = 0;
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

/// Understands torch._utils._rebuild_tensor_v2 and _rebuild_parameter. Empty when the value is no tensor;
/// throws InputError, its text starting with `what`, when it is one that cannot be read.
std::optional<TensorView> describe_tensor(PickleRef value, const std::string& what);

/// The elements of a view, row-major. Throws InputError unless every one lies in the storage; a view may not
/// have more elements than its storage (so that a small file cannot claim much memory).
TensorData gather(const TensorView& view, const std::vector<std::byte>& storage, const std::string& what);

}  // namespace headroom::io
