#include "base/io/tensors/npy.h"

#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/io/tensors/npy_header.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

DataType data_type(const std::string& description, const std::string& file) {
  constexpr std::pair<std::string_view, DataType> kTypes[] = {
      {"<f2", DataType::float16}, {"<f4", DataType::float32}, {"<f8", DataType::float64},
      {"|i1", DataType::int8},    {"|u1", DataType::uint8},   {"<i2", DataType::int16},
      {"<i4", DataType::int32},   {"<i8", DataType::int64},   {"|b1", DataType::boolean},
  };
  for (const auto& [name, type] : kTypes) {
    if (description == name) {
      return type;
    }
  }
  throw InputError(
      file + ": holds elements of type '" + description +
      "', which is not supported. Save it with array.astype(numpy.float32) or another little-endian "
      "number type");
}

}  // namespace

TensorData read_npy(const RandomAccess& file) {
  NpyHeader header = read_npy_header(file);
  if (header.fortran_order && header.shape.size() > 1) {
    throw InputError(file.name() + ": is in Fortran order. Save it with numpy.ascontiguousarray(array)");
  }
  TensorData tensor{data_type(header.description, file.name()), std::move(header.shape), {}};
  const std::uint64_t size = checked_byte_size(tensor.type, tensor.shape, file.name());
  if (file.size() - header.data_offset != size) {
    throw InputError(file.name() + ": the shape " + format_shape(tensor.shape) + " of " +
                     to_string(tensor.type) + " takes " + std::to_string(size) + " bytes, the file has " +
                     std::to_string(file.size() - header.data_offset) + ". It is truncated or damaged");
  }
  tensor.bytes = file.read(header.data_offset, size);
  return tensor;
}

TensorData read_npy(const std::filesystem::path& path) { return read_npy(*open_random_access(path)); }

void write_npy(const std::filesystem::path& path, std::size_t columns, std::span<const float> numbers) {
  NpyWriter writer(path, columns);
  writer.append(numbers);
  writer.finish();
}

NpyWriter::NpyWriter(const std::filesystem::path& path, std::size_t columns)
    : file_(path), columns_(columns) {
  file_.append(format_npy_header(0, columns));
}

void NpyWriter::append(std::span<const float> rows) {
  if (columns_ == 0 || rows.size() % columns_ != 0) {
    throw Error(file_.path().string() + ": " + std::to_string(rows.size()) +
                " numbers are not whole rows of " + std::to_string(columns_));
  }
  file_.append(std::as_bytes(rows));
  rows_ += rows.size() / columns_;
}

void NpyWriter::finish() {
  file_.overwrite(0, format_npy_header(rows_, columns_));
  file_.commit();
}

}  // namespace molgauge::io
