#pragma once

#include <cstdint>
#include <vector>

#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_value.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// The description of a NumPy array of floating-point numbers in a pickle.
struct PickledArray {
  DataType type = DataType::float32;  ///< float16, float32 or float64
  std::vector<std::int64_t> shape;
  bool column_major = false;  ///< Fortran order: the first index varies fastest
  PickleRef numbers = nullptr;
};

/// Supports both forms of pickled arrays of NumPy 1 and 2: _reconstruct with a state (protocols 2 to 4), and
/// _frombuffer (protocol 5, with buffers in the pickle). Throws InputError if the value is anything
/// else, or if its numbers have another type or byte order. The error states the reason, but no file.
PickledArray describe_array(PickleRef value);

/// The numbers, row-major. `file`: the source of the pickle. Throws InputError if the number of bytes
/// does not fit the shape. The error states the reason, but no file.
TensorData read_array(const PickledArray& array, const RandomAccess& file);

}  // namespace molgauge::io
