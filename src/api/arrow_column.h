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
namespace headroom::arrow {

/// A column, or a table, which is a structure of columns.
struct Column {
  std::string name;
  std::string format;  ///< format string of the C data interface, such as "g" for float64
  std::int64_t length = 0, null_count = 0;
  /// The buffers that Arrow defines for the format. The first one is the validity bitmap, which is empty if
  /// no value is missing.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<Column> children;
  std::vector<Column>
      dictionary;  ///< the distinct values of a dictionary-encoded column. Empty for other columns
};

/// float64. NaN becomes a null.
Column numbers(std::string name, std::span<const double> values);
/// int64. None becomes a null.
Column integers(std::string name, std::span<const std::optional<std::int64_t>> values);
/// bool. None becomes a null.
Column booleans(std::string name, std::span<const std::optional<bool>> values);
/// Text. None becomes a null. Bytes that are not UTF-8 become U+FFFD. The views are read before the return.
Column text(std::string name, std::span<const std::optional<std::string_view>> values);
/// Text, stored as int32 indices into the list of the distinct texts. These are in the order of their first
/// occurrence. The rules of text() apply.
Column dictionary_text(std::string name, std::span<const std::optional<std::string_view>> values);
/// Rows of `width` float32 numbers. Row i is null unless is_valid(i).
Column float_rows(std::string name, std::span<const float> values, std::size_t width,
                  const std::vector<bool>& is_valid);
/// Lists of rows of `width` float32 numbers. List i takes the next lengths[i] rows.
Column row_lists(std::string name, std::span<const std::size_t> lengths, std::span<const float> values,
                 std::size_t width);
/// Lists of structures. List i takes the next lengths[i] rows of `fields`.
Column lists(std::string name, std::span<const std::size_t> lengths, std::vector<Column> fields);
/// A structure without nulls. All columns have `length` rows.
Column structure(std::string name, std::int64_t length, std::vector<Column> columns);

}  // namespace headroom::arrow
