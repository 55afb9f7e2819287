#include "base/io/tables/workbook_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/utf8.h"
#include "base/io/bytes/zip_writer.h"
#include "base/io/tables/csv_reader.h"

namespace molgauge::io {
namespace {

constexpr std::size_t kMostRows = 1'048'576, kMostColumns = 16'384, kLongestText = 32'000;
constexpr std::string_view kDeclaration = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)";
constexpr std::string_view kMain = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
constexpr std::string_view kRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
constexpr std::string_view kPackage = "http://schemas.openxmlformats.org/package/2006";
constexpr std::string_view kTypes = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// Whether a cell is a number that a spreadsheet keeps as it is. Numbers with leading zeros are identifiers.
bool is_number(std::string_view text) {
  constexpr std::ptrdiff_t kMostDigits = 15;
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.size() > 1 && digits[0] == '0' && digits[1] != '.' && digits[1] != 'e') {
    return false;
  }
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() && std::isfinite(number) &&
         std::count_if(text.begin(), text.end(), [](char one) { return one >= '0' && one <= '9'; }) <=
             kMostDigits;
}

/// Returns a text as XML. Control characters and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text) {
  std::string markup;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const std::string_view letter = text.substr(at, std::max<std::size_t>(length, 1));
    const bool is_control = letter[0] >= 0 && letter[0] < ' ' && letter != "\n" && letter != "\t";
    if (length == 0 || is_control) {
      markup += "\uFFFD";
    } else if (letter == "<" || letter == ">" || letter == "&") {
      markup += letter == "<" ? "&lt;" : letter == ">" ? "&gt;" : "&amp;";
    } else {
      markup += letter;
    }
    at += letter.size();
  }
  return markup;
}

/// Returns the name of a cell, such as "AB12". `column`: counted from 0. `row`: counted from 1.
std::string cell_name(std::size_t column, std::size_t row) {
  std::string letters;
  for (std::size_t left = column + 1; left > 0; left = (left - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (left - 1) % 26));
  }
  return fmt::format("{}{}", letters, row);
}

std::string cell_markup(const std::string& name, const std::string& text) {
  if (text.empty()) {
    return "";
  }
  if (is_number(text)) {
    return fmt::format(R"(<c r="{}"><v>{}</v></c>)", name, text);
  }
  const std::string_view beginning = utf8_beginning(text, kLongestText);
  return fmt::format(R"(<c r="{}" t="inlineStr"><is><t xml:space="preserve">{}{}</t></is></c>)", name,
                     escaped(beginning), beginning.size() < text.size() ? "... (shortened)" : "");
}

/// Calls visit() with the pieces of the sheet.
void for_each_piece(const std::filesystem::path& csv, const std::function<void(std::string_view)>& visit) {
  visit(fmt::format(
      R"({}<worksheet xmlns="{}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" )"
      R"(activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>)",
      kDeclaration, kMain));
  CsvReader reader(csv.string(), ',');
  std::size_t rows = 0;
  while (const auto row = reader.next()) {
    if (++rows > kMostRows || row->fields.size() > kMostColumns) {
      throw InputError(fmt::format(
          "{}: a workbook has at most {} rows and {} columns. Use the CSV file, or send shorter lists",
          csv.string(), kMostRows, kMostColumns));
    }
    std::string markup = fmt::format(R"(<row r="{}">)", rows);
    for (std::size_t i = 0; i < row->fields.size(); ++i) {
      markup += cell_markup(cell_name(i, rows), row->fields[i]);
    }
    visit(markup + "</row>");
  }
  visit("</sheetData></worksheet>");
}

}  // namespace

void write_workbook(const std::filesystem::path& csv, const std::filesystem::path& workbook) {
  ZipWriter archive(workbook);
  const auto add = [&](const char* name, const std::string& text) {
    archive.add(name, std::as_bytes(std::span(text)));
  };
  add("[Content_Types].xml",
      fmt::format(
          R"({}<Types xmlns="{}/content-types"><Default Extension="rels" )"
          R"(ContentType="application/vnd.openxmlformats-package.relationships+xml"/>)"
          R"(<Override PartName="/xl/workbook.xml" ContentType="{}.sheet.main+xml"/>)"
          R"(<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{}.worksheet+xml"/></Types>)",
          kDeclaration, kPackage, kTypes, kTypes));
  const auto relation = [&](const char* type, const char* target) {
    return fmt::format(
        R"({}<Relationships xmlns="{}/relationships"><Relationship Id="rId1" Type="{}/{}" Target="{}"/></Relationships>)",
        kDeclaration, kPackage, kRelations, type, target);
  };
  add("_rels/.rels", relation("officeDocument", "xl/workbook.xml"));
  add("xl/workbook.xml",
      fmt::format(
          R"({}<workbook xmlns="{}" xmlns:r="{}"><sheets><sheet name="Molgauge" sheetId="1" r:id="rId1"/>)"
          R"(</sheets></workbook>)",
          kDeclaration, kMain, kRelations));
  add("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml"));
  std::uint64_t size = 0;
  for_each_piece(csv, [&](std::string_view piece) { size += piece.size(); });
  archive.begin("xl/worksheets/sheet1.xml", size);
  for_each_piece(csv, [&](std::string_view piece) { archive.append(std::as_bytes(std::span(piece))); });
  archive.end();
  archive.finish();
}

}  // namespace molgauge::io
