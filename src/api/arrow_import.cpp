#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "api/arrow_stream.h"
#include "base/core/error.h"

namespace molgauge::arrow {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Owns a struct of the Arrow interface and releases it at the end of the scope.
template <typename Struct>
struct Released {
  Struct own = {};
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (own.release != nullptr) {
      own.release(&own);
    }
  }
};

/// Rows `offset` to `offset + length` of an array. The offset includes the offset of the parent structure.
struct Rows {
  const ArrowArray& array;
  std::size_t offset = 0, length = 0;
};

const void* buffer(const ArrowArray& array, std::int64_t i) {
  return i < array.n_buffers && array.buffers != nullptr ? array.buffers[i] : nullptr;
}

template <typename Number>
Number number_at(const void* numbers, std::size_t i) {
  Number value;
  std::memcpy(&value, static_cast<const char*>(numbers) + i * sizeof(Number), sizeof(Number));
  return value;
}

bool bit_at(const void* bits, std::size_t i) {
  return (static_cast<const unsigned char*>(bits)[i / 8] >> (i % 8) & 1U) != 0;
}

bool is_valid(const ArrowArray& array, std::size_t i) {
  const void* const bits = buffer(array, 0);
  return bits == nullptr || bit_at(bits, i);
}

[[noreturn]] void refuse(const std::string& name, std::string_view format, std::string_view reason) {
  throw UsageError(
      fmt::format("the column '{}' has the Arrow type '{}': {}. Supported are text, numbers and "
                  "bool. Convert the column to one of them",
                  name, format, reason));
}

void require_buffers(const Rows& rows, std::int64_t count, const std::string& name, std::string_view format) {
  if (rows.array.n_buffers < count) {
    refuse(name, format, fmt::format("its array has {} buffers instead of {}", rows.array.n_buffers, count));
  }
  if (rows.length > 0 && buffer(rows.array, 1) == nullptr) {
    refuse(name, format, "its array has no values");
  }
}

template <typename Offset>
void read_texts(const Rows& rows, const std::string& name, std::string_view format,
                std::vector<std::optional<std::string>>& texts) {
  require_buffers(rows, 3, name, format);
  const auto* const characters = static_cast<const char*>(buffer(rows.array, 2));
  for (std::size_t i = rows.offset; i < rows.offset + rows.length; ++i) {
    if (!is_valid(rows.array, i)) {
      texts.emplace_back();
      continue;
    }
    const auto begin = number_at<Offset>(buffer(rows.array, 1), i);
    const auto end = number_at<Offset>(buffer(rows.array, 1), i + 1);
    if (begin < 0 || end < begin || (end > begin && characters == nullptr)) {
      refuse(name, format, "its offsets are damaged");
    }
    texts.emplace_back(end == begin ? std::string()
                                    : std::string(characters + begin, static_cast<std::size_t>(end - begin)));
  }
}

/// Reads texts of the type utf8_view. Each value has 16 bytes. They contain a short text itself, or the
/// position of a longer text in one of several buffers.
void read_views(const Rows& rows, const std::string& name, std::string_view format,
                std::vector<std::optional<std::string>>& texts) {
  constexpr std::int32_t kInline = 12;
  require_buffers(rows, 3, name, format);
  for (std::size_t i = rows.offset; i < rows.offset + rows.length; ++i) {
    if (!is_valid(rows.array, i)) {
      texts.emplace_back();
      continue;
    }
    const char* const view = static_cast<const char*>(buffer(rows.array, 1)) + 16 * i;
    const auto length = number_at<std::int32_t>(view, 0);
    if (length >= 0 && length <= kInline) {
      texts.emplace_back(std::string(view + 4, static_cast<std::size_t>(length)));
      continue;
    }
    const auto place = number_at<std::int32_t>(view, 2), offset = number_at<std::int32_t>(view, 3);
    // The last buffer contains the lengths of the other buffers.
    if (length < 0 || place < 0 || offset < 0 || place + 3 >= rows.array.n_buffers) {
      refuse(name, format, "its views are damaged");
    }
    texts.emplace_back(std::string(static_cast<const char*>(buffer(rows.array, place + 2)) + offset,
                                   static_cast<std::size_t>(length)));
  }
}

template <typename Number>
void read_numbers(const Rows& rows, std::vector<double>& numbers) {
  for (std::size_t i = rows.offset; i < rows.offset + rows.length; ++i) {
    numbers.push_back(is_valid(rows.array, i)
                          ? static_cast<double>(number_at<Number>(buffer(rows.array, 1), i))
                          : kMissing);
  }
}

/// Appends the numbers of an array. Returns false if the format does not stand for numbers.
bool read_numbers(std::string_view format, const Rows& rows, const std::string& name,
                  std::vector<double>& numbers) {
  constexpr std::string_view kNumbers = "gflLiIsScCb";
  if (format.size() != 1 || kNumbers.find(format[0]) == std::string_view::npos) {
    return false;
  }
  require_buffers(rows, 2, name, format);
  switch (format[0]) {
    case 'g':
      read_numbers<double>(rows, numbers);
      break;
    case 'f':
      read_numbers<float>(rows, numbers);
      break;
    case 'l':
      read_numbers<std::int64_t>(rows, numbers);
      break;
    case 'L':
      read_numbers<std::uint64_t>(rows, numbers);
      break;
    case 'i':
      read_numbers<std::int32_t>(rows, numbers);
      break;
    case 'I':
      read_numbers<std::uint32_t>(rows, numbers);
      break;
    case 's':
      read_numbers<std::int16_t>(rows, numbers);
      break;
    case 'S':
      read_numbers<std::uint16_t>(rows, numbers);
      break;
    case 'c':
      read_numbers<std::int8_t>(rows, numbers);
      break;
    case 'C':
      read_numbers<std::uint8_t>(rows, numbers);
      break;
    default:
      for (std::size_t i = rows.offset; i < rows.offset + rows.length; ++i) {
        numbers.push_back(!is_valid(rows.array, i) ? kMissing : bit_at(buffer(rows.array, 1), i) ? 1 : 0);
      }
  }
  return true;
}

void read_column(const ArrowSchema& schema, const Rows& rows, InputColumn& column);

void read_dictionary(const ArrowSchema& schema, const Rows& rows, InputColumn& column) {
  if (rows.array.dictionary == nullptr) {
    refuse(column.name, schema.format, "its array has no dictionary");
  }
  const ArrowArray& values = *rows.array.dictionary;
  InputColumn distinct{.name = column.name};
  read_column(*schema.dictionary,
              {values, static_cast<std::size_t>(values.offset), static_cast<std::size_t>(values.length)},
              distinct);
  std::vector<double> indices;
  if (!read_numbers(schema.format, rows, column.name, indices)) {
    refuse(column.name, schema.format, "its indices are not integers");
  }
  column.is_text = distinct.is_text;
  const std::size_t count = distinct.is_text ? distinct.texts.size() : distinct.numbers.size();
  for (const double index : indices) {
    const bool is_missing = index != index;
    if (!is_missing && !(index >= 0 && index < static_cast<double>(count))) {
      refuse(column.name, schema.format, "an index lies outside of its dictionary");
    }
    const auto place = is_missing ? 0 : static_cast<std::size_t>(index);
    if (distinct.is_text) {
      column.texts.push_back(is_missing ? std::nullopt : distinct.texts[place]);
    } else {
      column.numbers.push_back(is_missing ? kMissing : distinct.numbers[place]);
    }
  }
}

void read_column(const ArrowSchema& schema, const Rows& rows, InputColumn& column) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    read_dictionary(schema, rows, column);
  } else if (format == "u") {
    column.is_text = true;
    read_texts<std::int32_t>(rows, column.name, format, column.texts);
  } else if (format == "U") {
    column.is_text = true;
    read_texts<std::int64_t>(rows, column.name, format, column.texts);
  } else if (format == "vu") {
    column.is_text = true;
    read_views(rows, column.name, format, column.texts);
  } else if (format == "n") {
    column.is_text = true;
    column.texts.resize(column.texts.size() + rows.length);
  } else if (!read_numbers(format, rows, column.name, column.numbers)) {
    refuse(column.name, format, "this type is not supported");
  }
}

/// Throws UsageError if a part of the schema is missing.
void require_sound(const ArrowSchema& schema) {
  const bool has_children = schema.n_children == 0 || (schema.n_children > 0 && schema.children != nullptr);
  if (schema.format == nullptr || !has_children ||
      std::any_of(schema.children, schema.children + schema.n_children,
                  [](const ArrowSchema* child) { return child == nullptr; })) {
    throw UsageError("the Arrow schema has no format, or lacks a child. Pass a schema from an Arrow library");
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    require_sound(*schema.children[i]);
  }
  if (schema.dictionary != nullptr) {
    require_sound(*schema.dictionary);
  }
}

void require_sound(const ArrowArray& array, std::int64_t children) {
  if ((children > 0 && (array.children == nullptr ||
                        std::any_of(array.children, array.children + std::min(children, array.n_children),
                                    [](const ArrowArray* child) { return child == nullptr; }))) ||
      array.length < 0 || array.offset < 0 || array.n_children != children) {
    throw UsageError(
        "the Arrow array does not match its schema. Pass an array and a schema from the same producer");
  }
}

/// Makes the values of null rows missing. The children of such a row may contain any values.
void clear_null_rows(const ArrowArray& batch, std::size_t offset, std::size_t length, InputColumn& column) {
  const std::size_t first = (column.is_text ? column.texts.size() : column.numbers.size()) - length;
  for (std::size_t i = 0; i < length; ++i) {
    if (is_valid(batch, offset + i)) {
      continue;
    }
    if (column.is_text) {
      column.texts[first + i].reset();
    } else {
      column.numbers[first + i] = kMissing;
    }
  }
}

void read_batch(const ArrowSchema& schema, const ArrowArray& batch, bool is_table, InputTable& table) {
  require_sound(batch, schema.n_children);
  const auto offset = static_cast<std::size_t>(batch.offset), length = static_cast<std::size_t>(batch.length);
  if (!is_table) {
    read_column(schema, {batch, offset, length}, table.columns.front());
  }
  for (std::size_t i = 0; is_table && i < table.columns.size(); ++i) {
    const ArrowSchema& own = *schema.children[i];
    const ArrowArray& array = *batch.children[i];
    require_sound(array, own.n_children);
    if (static_cast<std::size_t>(array.length) < offset + length) {
      throw UsageError("a column of the Arrow array is shorter than its table. Pass a valid array");
    }
    read_column(own, {array, static_cast<std::size_t>(array.offset) + offset, length}, table.columns[i]);
    clear_null_rows(batch, offset, length, table.columns[i]);
  }
  table.rows += length;
}

[[noreturn]] void fail(ArrowArrayStream& stream, int error) {
  const char* const reason = stream.get_last_error(&stream);
  throw Error(fmt::format("the Arrow stream failed with error {}: {}", error,
                          reason == nullptr ? "its producer gives no reason" : reason));
}

}  // namespace

InputTable read_stream(ArrowArrayStream* given) {
  Released<ArrowArrayStream> stream;
  if (given == nullptr || given->release == nullptr) {
    throw UsageError("the Arrow stream of molecules is NULL or was released. Pass a stream that is open");
  }
  std::swap(stream.own, *given);
  Released<ArrowSchema> schema;
  if (const int error = stream.own.get_schema(&stream.own, &schema.own)) {
    fail(stream.own, error);
  }
  require_sound(schema.own);
  InputTable table;
  const bool is_table = std::string_view(schema.own.format) == "+s";
  if (is_table) {
    for (std::int64_t i = 0; i < schema.own.n_children; ++i) {
      const char* const name = schema.own.children[i]->name;
      table.columns.push_back({.name = name == nullptr ? "" : name});
    }
  } else {
    table.columns.emplace_back();
  }
  while (true) {
    Released<ArrowArray> batch;
    if (const int error = stream.own.get_next(&stream.own, &batch.own)) {
      fail(stream.own, error);
    }
    if (batch.own.release == nullptr) {
      break;
    }
    read_batch(schema.own, batch.own, is_table, table);
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    InputColumn& column = table.columns[i];
    const bool is_empty = table.rows == 0;
    const char* const format = is_table ? schema.own.children[i]->format : schema.own.format;
    column.is_text =
        column.is_text || (is_empty && std::string_view("uUvun").find(format) != std::string::npos);
  }
  return table;
}

}  // namespace molgauge::arrow
