#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/bytes/random_access.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// The header before the numbers of a .npy file.
struct NpyHeader {
  std::string description;  ///< NumPy's name of the type: "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::uint64_t data_offset = 0;  ///< offset of the numbers
};

/// Reads the header of a .npy file. Throws InputError naming the file if it is another kind of file.
NpyHeader read_npy_header(const RandomAccess& file);

/// Reads the Python dictionary of the header. It must contain each of the three keys once, in any order.
/// Throws InputError with a text that starts with `file`.
NpyHeader parse_npy_header(std::string_view text, const std::string& file);

/// Returns the header of a file with a float32 array of the shape [rows, columns]: magic, version 1.0, length
/// and dictionary. It has 128 bytes for any number of rows.
std::string format_npy_header(std::size_t rows, std::size_t columns);
/// Does the same for an array of float16 or float32. Throws std::logic_error for another type.
std::string format_npy_header(std::size_t rows, std::size_t columns, DataType type);
/// The header of a float32 file with one dimension.
std::string format_npy_header(std::size_t count);
/// The header of an int64 file with one dimension.
std::string format_integer_header(std::size_t count);
/// The header of a file with a single text of this number of characters (UCS-4, little-endian).
std::string format_text_header(std::size_t characters);

}  // namespace molgauge::io
