#include "api/arrow_column.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "base/core/text/utf8.h"

namespace molgauge::arrow {
namespace {

using Bytes = std::vector<std::byte>;

template <typename Number>
Bytes bytes_of(std::span<const Number> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

void set_bit(Bytes& bits, std::size_t i) { bits[i / 8] |= std::byte{1} << (i % 8); }

/// Returns the validity bitmap of `count` values, which is empty if there are no nulls. Sets `null_count`.
template <typename IsValid>
Bytes validity(std::size_t count, std::int64_t& null_count, const IsValid& is_valid) {
  Bytes bits((count + 7) / 8);
  null_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_valid(i)) {
      set_bit(bits, i);
    } else {
      ++null_count;
    }
  }
  return null_count == 0 ? Bytes() : bits;
}

template <typename IsValid>
Column column(std::string name, std::string format, std::size_t length, const IsValid& is_valid) {
  Column made;
  made.name = std::move(name);
  made.format = std::move(format);
  made.length = static_cast<std::int64_t>(length);
  made.buffers.push_back(validity(length, made.null_count, is_valid));
  return made;
}

void append(Bytes& bytes, std::string_view text) {
  const auto own = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), own.begin(), own.end());
}

void append_as_utf8(Bytes& bytes, std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t length = utf8_length(text, i); length > 0) {
      i += length;
      continue;
    }
    append(bytes, text.substr(begin, i - begin));
    append(bytes, kReplacement);
    begin = ++i;
  }
  append(bytes, text.substr(begin));
}

}  // namespace

Column numbers(std::string name, std::span<const double> values) {
  Column made =
      column(std::move(name), "g", values.size(), [&](std::size_t i) { return !std::isnan(values[i]); });
  made.buffers.push_back(bytes_of(values));
  return made;
}

Column integers(std::string name, std::span<const std::optional<std::int64_t>> values) {
  Column made =
      column(std::move(name), "l", values.size(), [&](std::size_t i) { return values[i].has_value(); });
  std::vector<std::int64_t> plain;
  plain.reserve(values.size());
  for (const auto& value : values) {
    plain.push_back(value.value_or(0));
  }
  made.buffers.push_back(bytes_of(std::span<const std::int64_t>(plain)));
  return made;
}

Column booleans(std::string name, std::span<const std::optional<bool>> values) {
  Column made =
      column(std::move(name), "b", values.size(), [&](std::size_t i) { return values[i].has_value(); });
  Bytes bits((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].value_or(false)) {
      set_bit(bits, i);
    }
  }
  made.buffers.push_back(std::move(bits));
  return made;
}

Column text(std::string name, std::span<const std::optional<std::string_view>> values) {
  Column made =
      column(std::move(name), "U", values.size(), [&](std::size_t i) { return values[i].has_value(); });
  std::vector<std::int64_t> offsets = {0};
  offsets.reserve(values.size() + 1);
  Bytes characters;
  for (const auto& value : values) {
    append_as_utf8(characters, value.value_or(""));
    offsets.push_back(static_cast<std::int64_t>(characters.size()));
  }
  made.buffers.push_back(bytes_of(std::span<const std::int64_t>(offsets)));
  made.buffers.push_back(std::move(characters));
  return made;
}

Column dictionary_text(std::string name, std::span<const std::optional<std::string_view>> values) {
  Column made =
      column(std::move(name), "i", values.size(), [&](std::size_t i) { return values[i].has_value(); });
  std::unordered_map<std::string_view, std::int32_t> places;
  std::vector<std::optional<std::string_view>> distinct;
  std::vector<std::int32_t> indices;
  indices.reserve(values.size());
  for (const auto& value : values) {
    if (!value) {
      indices.push_back(0);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(*value, static_cast<std::int32_t>(distinct.size()));
    if (is_new) {
      distinct.push_back(value);
    }
    indices.push_back(place->second);
  }
  made.buffers.push_back(bytes_of(std::span<const std::int32_t>(indices)));
  made.dictionary.push_back(text("", distinct));
  return made;
}

Column float_rows(std::string name, std::span<const float> values, std::size_t width,
                  const std::vector<bool>& is_valid) {
  if (values.size() != width * is_valid.size()) {
    throw std::logic_error("rows of another width than their column");
  }
  Column made = column(std::move(name), "+w:" + std::to_string(width), is_valid.size(),
                       [&](std::size_t i) { return is_valid[i]; });
  Column items = column("item", "f", values.size(), [](std::size_t) { return true; });
  items.buffers.push_back(bytes_of(values));
  made.children.push_back(std::move(items));
  return made;
}

namespace {

/// Makes lists of the rows of `items`. List i contains the next lengths[i] rows.
Column lists_of(std::string name, std::span<const std::size_t> lengths, Column items) {
  Column made = column(std::move(name), "+l", lengths.size(), [](std::size_t) { return true; });
  std::vector<std::int32_t> offsets = {0};
  std::size_t end = 0;
  for (const std::size_t length : lengths) {
    end += length;
    if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw std::length_error("a column of lists has more than 2,147,483,647 entries. Pass fewer molecules");
    }
    offsets.push_back(static_cast<std::int32_t>(end));
  }
  made.buffers.push_back(bytes_of(std::span<const std::int32_t>(offsets)));
  if (items.length != static_cast<std::int64_t>(end)) {
    throw std::logic_error("lists of another length than their items");
  }
  made.children.push_back(std::move(items));
  return made;
}

}  // namespace

Column row_lists(std::string name, std::span<const std::size_t> lengths, std::span<const float> values,
                 std::size_t width) {
  const std::size_t rows = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  return lists_of(std::move(name), lengths, float_rows("item", values, width, std::vector<bool>(rows, true)));
}

Column lists(std::string name, std::span<const std::size_t> lengths, std::vector<Column> fields) {
  const std::size_t rows = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  return lists_of(std::move(name), lengths,
                  structure("item", static_cast<std::int64_t>(rows), std::move(fields)));
}

Column structure(std::string name, std::int64_t length, std::vector<Column> columns) {
  for (const Column& own : columns) {
    if (own.length != length) {
      throw std::logic_error("the column " + own.name + " has another length than its table");
    }
  }
  Column made =
      column(std::move(name), "+s", static_cast<std::size_t>(length), [](std::size_t) { return true; });
  made.children = std::move(columns);
  return made;
}

}  // namespace molgauge::arrow
