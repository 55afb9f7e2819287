#include "molecules/files/workbook.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <expat.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/csv.h"
#include "base/io/bytes/packed_source.h"
#include "base/io/bytes/zip.h"

namespace molgauge::io {
namespace {

constexpr std::uint64_t kMostUnpacked = std::uint64_t{256} << 20;
constexpr std::size_t kMostColumns = 16384, kMostRows = 1048576;  // limits of Excel

using Attributes = std::map<std::string, std::string>;

/// Receives the elements of an XML file. Names come without the prefix of their namespace.
struct XmlVisitor {
  std::function<void(std::string_view name, const Attributes& attributes)> open;
  std::function<void(std::string_view name)> close = [](std::string_view) {};
  std::function<void(std::string_view text)> text = [](std::string_view) {};
};

/// State of a parser. An exception may not pass through the C code of expat.
struct XmlReading {
  XML_Parser parser;
  const XmlVisitor& visitor;
  std::exception_ptr failure = {};

  template <typename Act>
  void guard(const Act& act) {
    if (failure) {
      return;
    }
    try {
      act();
    } catch (...) {
      failure = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }
};

std::string_view without_prefix(std::string_view name) { return name.substr(name.find(':') + 1); }

void XMLCALL opened(void* data, const XML_Char* name, const XML_Char** attributes) {
  auto& reading = *static_cast<XmlReading*>(data);
  reading.guard([&] {
    Attributes found;
    for (; *attributes != nullptr; attributes += 2) {
      found.emplace(attributes[0], attributes[1]);
    }
    reading.visitor.open(without_prefix(name), found);
  });
}

void XMLCALL closed(void* data, const XML_Char* name) {
  auto& reading = *static_cast<XmlReading*>(data);
  reading.guard([&] { reading.visitor.close(without_prefix(name)); });
}

void XMLCALL told(void* data, const XML_Char* text, int count) {
  auto& reading = *static_cast<XmlReading*>(data);
  reading.guard([&] { reading.visitor.text({text, static_cast<std::size_t>(count)}); });
}

void XMLCALL refuse_document_type(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
  static_cast<XmlReading*>(data)->guard([] { throw InputError("the sheet declares a document type"); });
}

void parse_xml(std::span<const std::byte> content, const XmlVisitor& visitor) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  XmlReading reading{parser.get(), visitor};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), opened, closed);
  XML_SetCharacterDataHandler(parser.get(), told);
  XML_SetStartDoctypeDeclHandler(parser.get(), refuse_document_type);
  const auto status = XML_Parse(parser.get(), reinterpret_cast<const char*>(content.data()),
                                static_cast<int>(content.size()), /*isFinal=*/1);
  if (reading.failure) {
    std::rethrow_exception(reading.failure);
  }
  if (status != XML_STATUS_OK) {
    throw InputError(fmt::format("is damaged: {}", XML_ErrorString(XML_GetErrorCode(parser.get()))));
  }
}

std::string value_of(const Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second;
}

/// The entry of the first sheet, which two files of the workbook name.
std::string entry_of_first_sheet(const ZipArchive& book) {
  std::string relation, target;
  parse_xml(book.read("xl/workbook.xml"), {.open = [&](std::string_view name, const Attributes& attributes) {
              if (name == "sheet" && relation.empty()) {
                for (const auto& [key, value] : attributes) {
                  relation = key.ends_with(":id") ? value : relation;
                }
              }
            }});
  parse_xml(book.read("xl/_rels/workbook.xml.rels"),
            {.open = [&](std::string_view, const Attributes& attributes) {
              if (value_of(attributes, "Id") == relation) {
                target = value_of(attributes, "Target");
              }
            }});
  if (relation.empty() || target.empty()) {
    throw InputError("the workbook has no sheet");
  }
  return target.starts_with('/') ? target.substr(1) : "xl/" + target;
}

/// Texts that cells refer to by number. Phonetic hints (rPh) are not part of a text.
std::vector<std::string> shared_texts(const ZipArchive& book) {
  std::vector<std::string> texts;
  bool is_in_text = false, is_hint = false;
  if (book.contains("xl/sharedStrings.xml")) {
    parse_xml(book.read("xl/sharedStrings.xml"), {.open =
                                                      [&](std::string_view name, const Attributes&) {
                                                        if (name == "si") {
                                                          texts.emplace_back();
                                                        }
                                                        is_hint = is_hint || name == "rPh";
                                                        is_in_text =
                                                            name == "t" && !is_hint && !texts.empty();
                                                      },
                                                  .close =
                                                      [&](std::string_view name) {
                                                        is_hint = is_hint && name != "rPh";
                                                        is_in_text = false;
                                                      },
                                                  .text =
                                                      [&](std::string_view text) {
                                                        if (is_in_text) {
                                                          texts.back().append(text);
                                                        }
                                                      }});
  }
  return texts;
}

/// The column of a cell from 0, such as 27 for "AB12". Returns `next` if the cell has no name.
std::size_t column_of(const std::string& cell, std::size_t next) {
  std::size_t column = 0;
  for (const char letter : cell) {
    if (letter < 'A' || letter > 'Z') {
      break;
    }
    column = 26 * column + static_cast<std::size_t>(letter - 'A' + 1);
    if (column > kMostColumns) {
      throw InputError(fmt::format("the cell {} is outside of a sheet", cell));
    }
  }
  return column == 0 ? next : column - 1;
}

template <typename Number>
std::optional<Number> number_of(const std::string& text) {
  Number number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Excel shows 15 digits of a number.
std::string shown_number(const std::string& text) {
  constexpr int kDigits = 15;
  const auto number = number_of<double>(text);
  return number ? fmt::format("{:.{}g}", *number, kDigits) : text;
}

class SheetText {
 public:
  explicit SheetText(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  XmlVisitor visitor() {
    return {.open = [this](std::string_view name, const Attributes& attributes) { open(name, attributes); },
            .close = [this](std::string_view name) { close(name); },
            .text =
                [this](std::string_view text) {
                  if (is_value_) {
                    value_.append(text);
                  }
                }};
  }
  std::string take() { return std::move(table_); }

 private:
  void open(std::string_view name, const Attributes& attributes) {
    if (name == "row") {
      const auto number = number_of<std::size_t>(value_of(attributes, "r")).value_or(lines_ + 1);
      if (number > kMostRows || number <= lines_) {
        throw InputError(fmt::format("the row {} of the sheet is out of order", number));
      }
      table_.append(number - lines_ - 1, '\n');
      lines_ = number;
      row_.clear();
    } else if (name == "c") {
      column_ = column_of(value_of(attributes, "r"), row_.size());
      type_ = value_of(attributes, "t");
      value_.clear();
    }
    is_value_ = name == "v" || (name == "t" && type_ == "inlineStr");
  }

  void close(std::string_view name) {
    is_value_ = false;
    if (name == "c") {
      row_.resize(std::max(row_.size(), column_ + 1));
      row_[column_] = cell();
    } else if (name == "row") {
      // A spreadsheet leaves out empty cells at the end of a row.
      width_ = width_ == 0 ? row_.size() : width_;
      row_.resize(row_.empty() ? 0 : std::max(row_.size(), width_));
      for (std::size_t i = 0; i < row_.size(); ++i) {
        table_ += (i > 0 ? "," : "") + csv_field(row_[i]);
      }
      table_ += '\n';
    }
  }

  std::string cell() const {
    std::string text = value_;
    if (type_ == "s") {
      const auto number = number_of<std::size_t>(value_);
      if (!number || *number >= texts_.size()) {
        throw InputError("a cell refers to a text that the workbook does not contain");
      }
      text = texts_[*number];
    } else if (type_.empty() || type_ == "n") {
      text = shown_number(value_);
    } else if (type_ == "b") {
      text = value_ == "1" ? "TRUE" : "FALSE";
    }
    for (char& letter : text) {
      letter = letter == '\n' || letter == '\r' ? ' ' : letter;
    }
    return text;
  }

  std::vector<std::string> texts_, row_;
  std::string table_, type_, value_;
  std::size_t lines_ = 0, column_ = 0;
  std::size_t width_ = 0;  ///< number of cells of the first row that is not empty
  bool is_value_ = false;
};

}  // namespace

std::string first_sheet(const std::string& path) {
  try {
    const auto source = open_byte_source(path);
    const ZipArchive book(random_access_in_memory(path, all_bytes(*source, kMostUnpacked)),
                          {.entry_bytes = kMostUnpacked});
    SheetText sheet(shared_texts(book));
    parse_xml(book.read(entry_of_first_sheet(book)), sheet.visitor());
    return sheet.take();
  } catch (const InputError& problem) {
    const std::string text = problem.what();
    throw InputError(text.starts_with(path) ? text : path + ": " + text);
  }
}

}  // namespace molgauge::io
