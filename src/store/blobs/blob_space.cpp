#include "store/blobs/blob_space.h"

#include <algorithm>
#include <cctype>
#include <span>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/hash.h"
#include "core/hexadecimal.h"
#include "core/json_reader.h"
#include "core/json_text.h"

namespace headroom::store {
namespace {

constexpr std::size_t kLongestKind = 64;
constexpr std::size_t kFingerprintBytes = 8;

bool fits_a_name(unsigned char character) {
  return std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-';
}

}  // namespace

std::string database_name(const BlobSpace& space) {
  if (space.kind.empty() || space.kind.size() > kLongestKind ||
      !std::all_of(space.kind.begin(), space.kind.end(), fits_a_name)) {
    throw UsageError("\"" + space.kind +
                     "\" cannot name a kind of values: use up to 64 letters, digits, '.', '_', '-'");
  }
  const Hash128 hash = hash128("blobs\n" + space.kind + '\n' + space.options);
  return space.kind + '-' + to_hexadecimal(std::span(hash).first<kFingerprintBytes>());
}

std::string to_json(const BlobSpace& space) {
  return json_line(nlohmann::json{{"kind", space.kind}, {"options", space.options}});
}

BlobSpace blob_space_from_json(std::string_view text) {
  try {
    const auto json = parse_json(text);
    return {json.at("kind").get<std::string>(), json.at("options").get<std::string>()};
  } catch (const nlohmann::json::exception& failure) {
    throw InputError("description of a blob space: " + json_problem(failure));
  }
}

}  // namespace headroom::store
