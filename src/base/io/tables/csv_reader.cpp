#include "base/io/tables/csv_reader.h"

namespace molgauge::io {
namespace {

constexpr std::size_t kLongestField = kLongestLine;

}  // namespace

std::optional<std::string_view> CsvReader::next_line() {
  while (const auto line = lines_.next()) {
    if (without_carriage_return(*line).empty()) {
      continue;
    }
    if (!choose_) {
      return line;
    }
    if (const auto chosen = choose_(*line)) {
      separator_ = *chosen;
      choose_ = nullptr;
      return line;
    }
  }
  return std::nullopt;
}

std::optional<CsvRow> CsvReader::next() {
  const std::optional<std::string_view> line = next_line();
  if (!line) {
    return std::nullopt;
  }
  if (lines_.cut()) {
    return unreadable_row(*line);
  }
  CsvRow row{{}, lines_.line(), {}};
  std::string_view rest = *line;
  while (true) {
    if (rest.starts_with('"')) {
      row.fields.push_back(quoted_field(rest, row.line));
    } else {
      const std::size_t end = rest.find(separator_);
      const std::string_view field = rest.substr(0, end);
      rest.remove_prefix(field.size());
      row.fields.emplace_back(rest.empty() ? without_carriage_return(field) : field);
    }
    if (rest.empty()) {
      return row;
    }
    rest.remove_prefix(1);  // the separator
  }
}

CsvRow CsvReader::unreadable_row(std::string_view start) const {
  const std::string reason = too_long(lines_.cut()->bytes, kLongestLine);
  if (lines_.cut()->quotes % 2 != 0) {
    lines_.fail(lines_.line(),
                "the line has " + reason + ", and an odd number of quotes, so the end of its row is unknown");
  }
  return {{std::string(start)}, lines_.line(), "the row has " + reason};
}

// Removes a quoted field from the start of `rest` and returns it. Reads more lines if the field spans several
// lines. Afterwards, `rest` is empty or starts with the separator.
std::string CsvReader::quoted_field(std::string_view& rest, std::size_t row_line) {
  std::string field;
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    field += rest.substr(0, quote);
    if (field.size() > kLongestField) {
      lines_.fail(row_line, "a quoted field has more than 16 MiB. Is a quote missing?");
    }
    if (quote == std::string_view::npos) {
      const auto line = lines_.next();
      if (!line) {
        lines_.fail(row_line, "the row has a quote that is never closed");
      }
      if (lines_.cut()) {
        lines_.fail(row_line, "a quoted field has more than 16 MiB. Is a quote missing?");
      }
      field += '\n';
      rest = *line;
      continue;
    }
    rest.remove_prefix(quote + 1);
    if (rest.starts_with('"')) {
      field += '"';
      rest.remove_prefix(1);
      continue;
    }
    if (rest == "\r") {
      rest = {};
    }
    if (!rest.empty() && rest.front() != separator_) {
      lines_.fail(lines_.line(),
                  "text follows a closing quote. Quotes inside a quoted field are written twice");
    }
    return field;
  }
}

}  // namespace molgauge::io
