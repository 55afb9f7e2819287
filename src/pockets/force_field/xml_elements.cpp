#include "pockets/force_field/xml_elements.h"

#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

#include <expat.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/random_access.h"

namespace molgauge::pocket {
namespace {

constexpr std::size_t kDeepest = 100;
constexpr std::uint64_t kPiece = 1 << 16;

/// The line at which the parser is, from 1. Expat 2.9 replaced the old function.
std::size_t line_of(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}

/// State shared by the callbacks of the parser. Exceptions are stored here, because an exception may not pass
/// through the C code of the parser.
struct Reading {
  XML_Parser parser;
  const std::function<void(const XmlElement&)>& visit;
  std::vector<std::string> open = {};
  std::exception_ptr failure = {};

  void fail(std::exception_ptr reason) {
    failure = std::move(reason);
    XML_StopParser(parser, XML_FALSE);
  }
};

void start(void* data, const XML_Char* name, const XML_Char** attributes) {
  auto& reading = *static_cast<Reading*>(data);
  if (reading.failure) {
    return;
  }
  try {
    if (reading.open.size() >= kDeepest) {
      throw InputError("elements are nested too deeply");
    }
    XmlElement element{.name = name,
                       .parent = reading.open.empty() ? "" : reading.open.back(),
                       .attributes = {},
                       .line = line_of(reading.parser)};
    for (; *attributes != nullptr; attributes += 2) {
      element.attributes.emplace(attributes[0], attributes[1]);
    }
    reading.open.emplace_back(name);
    reading.visit(element);
  } catch (...) {
    reading.fail(std::current_exception());
  }
}

void end(void* data, const XML_Char* /*name*/) {
  auto& reading = *static_cast<Reading*>(data);
  if (!reading.open.empty()) {
    reading.open.pop_back();
  }
}

/// Document types are refused, because definitions of entities can expand a small file to a large text.
void document_type(void* data, const XML_Char* /*name*/, const XML_Char* /*system*/,
                   const XML_Char* /*public_id*/, int /*has_internal_subset*/) {
  static_cast<Reading*>(data)->fail(
      std::make_exception_ptr(InputError("has its own document type, which is not supported")));
}

}  // namespace

void for_each_element(const std::string& file, const std::function<void(const XmlElement&)>& visit) {
  const auto content = io::open_random_access(file);
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), XML_ParserFree);
  if (parser == nullptr) {
    throw std::bad_alloc();
  }
  Reading reading{parser.get(), visit};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), start, end);
  XML_SetStartDoctypeDeclHandler(parser.get(), document_type);
  for (std::uint64_t offset = 0; offset <= content->size(); offset += kPiece) {
    const std::uint64_t left = content->size() - offset;
    const std::vector<std::byte> piece = content->read(offset, std::min(left, kPiece));
    const auto status = XML_Parse(parser.get(), reinterpret_cast<const char*>(piece.data()),
                                  static_cast<int>(piece.size()), left <= kPiece ? XML_TRUE : XML_FALSE);
    const std::size_t line = line_of(parser.get());
    if (reading.failure) {
      try {
        std::rethrow_exception(reading.failure);
      } catch (const InputError& failure) {
        throw InputError(fmt::format("{}:{}: {}", file, line, failure.what()));
      }
    }
    if (status != XML_STATUS_OK) {
      throw InputError(
          fmt::format("{}:{}: no XML: {}", file, line, XML_ErrorString(XML_GetErrorCode(parser.get()))));
    }
    if (left <= kPiece) {
      break;
    }
  }
}

}  // namespace molgauge::pocket
