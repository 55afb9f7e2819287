#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Tables in the memory layout of Apache Arrow (https://arrow.apache.org/docs/format/Columnar.html).
namespace molgauge::arrow {

/// A column of a table, or a whole table. A table is a structure whose children are its columns.
struct Column {
  std::string name;
  std::string format;  ///< format string of the C data interface, such as "g" for float64
  std::int64_t length = 0, null_count = 0;
  /// The buffers that Arrow specifies for the format. The first buffer is the validity bitmap. It is empty if
  /// there are no nulls.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<Column> children;
  /// The distinct values of a dictionary-encoded column (one element). Empty for other columns.
  std::vector<Column> dictionary;
};

/// Makes a float64 column. NaN becomes a null.
Column numbers(std::string name, std::span<const double> values);
/// Makes an int64 column. An optional without a value becomes a null.
Column integers(std::string name, std::span<const std::optional<std::int64_t>> values);
/// Makes a bool column. An optional without a value becomes a null.
Column booleans(std::string name, std::span<const std::optional<bool>> values);
/// Makes a text column, with a copy of the texts. An optional without a value becomes a null. Bytes that are
/// not valid UTF-8 become U+FFFD.
Column text(std::string name, std::span<const std::optional<std::string_view>> values);
/// Makes a dictionary-encoded text column: int32 indices into the list of distinct texts, in the order of
/// their first occurrence. Missing values and invalid UTF-8 are handled as in text().
Column dictionary_text(std::string name, std::span<const std::optional<std::string_view>> values);
/// Makes a column whose rows are vectors of `width` float32 numbers. Row i is null unless is_valid[i] is set.
Column float_rows(std::string name, std::span<const float> values, std::size_t width,
                  const std::vector<bool>& is_valid);
/// Makes a column of lists. List i contains the next lengths[i] vectors of `width` float32 numbers.
Column row_lists(std::string name, std::span<const std::size_t> lengths, std::span<const float> values,
                 std::size_t width);
/// Makes a column of lists. List i contains the next lengths[i] rows of `fields`, as structures.
Column lists(std::string name, std::span<const std::size_t> lengths, std::vector<Column> fields);
/// Makes a structure without nulls. All columns must have `length` rows.
Column structure(std::string name, std::int64_t length, std::vector<Column> columns);

}  // namespace molgauge::arrow
