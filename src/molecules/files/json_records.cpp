#include "molecules/files/json_records.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/core/text/csv.h"
#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/line_reader.h"

namespace molgauge::io {
namespace {

using nlohmann::ordered_json;

constexpr const char* kExpected = R"(A list such as [{"smiles": "CCO", "name": "ethanol"}] is expected)";

std::string cell(const ordered_json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return csv_field(text);
}

/// Collects records as rows of a table.
class Rows {
 public:
  explicit Rows(std::string file) : file_(std::move(file)) {}

  void add(const ordered_json& record, std::size_t line) {
    if (!record.is_object()) {
      throw InputError(fmt::format("{}:{}: the record is not an object. {}", file_, line, kExpected));
    }
    std::vector<std::string> fields(header_.size());
    for (const auto& [key, value] : record.items()) {
      const auto [place, is_new] = place_.try_emplace(key, header_.size());
      if (is_new) {
        header_.push_back(csv_field(key));
        fields.emplace_back();
      }
      fields[place->second] = cell(value);
    }
    rows_.push_back(std::move(fields));
    lines_.push_back(line);
  }

  JsonRecords take() && {
    if (rows_.empty()) {
      throw InputError(fmt::format("{}: is empty. {}", file_, kExpected));
    }
    JsonRecords records{.table = fmt::format("{}\n", fmt::join(header_, ",")), .lines = std::move(lines_)};
    for (std::vector<std::string>& row : rows_) {
      row.resize(header_.size());
      records.table += fmt::format("{}\n", fmt::join(row, ","));
    }
    return records;
  }

 private:
  std::string file_;
  std::vector<std::string> header_;
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> lines_;
};

ordered_json parsed(std::string_view text, const std::string& where) {
  try {
    return parse_json<ordered_json>(text);
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(fmt::format("{}: {}. {}", where, json_problem(problem), kExpected));
  }
}

}  // namespace

bool is_json_list(const std::string& path) {
  const auto source = open_byte_source(path);
  std::array<char, 64> start{};
  for (std::size_t count = source->read(start); count > 0; count = source->read(start)) {
    const std::string_view text = trimmed(std::string_view(start.data(), count));
    if (!text.empty() && text != "\xef\xbb\xbf") {
      return text.starts_with('[') || text.starts_with("\xef\xbb\xbf[");
    }
  }
  return false;
}

JsonRecords json_records(const std::string& path) {
  Rows rows(path);
  if (is_json_list(path)) {
    const ordered_json list = parsed(read_all(path), path);
    for (std::size_t i = 0; i < list.size(); ++i) {
      rows.add(list[i], i + 1);
    }
    return std::move(rows).take();
  }
  LineReader lines(path);
  while (const auto line = lines.next()) {
    if (!trimmed(*line).empty()) {
      rows.add(parsed(*line, fmt::format("{}:{}", path, lines.line())), lines.line());
    }
  }
  return std::move(rows).take();
}

}  // namespace molgauge::io
