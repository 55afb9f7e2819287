#include "molecules/store/tables/table_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>

#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"

namespace molgauge::store {

bool can_name_table(std::string_view word) {
  constexpr std::size_t kLongest = 64;
  return !word.empty() && word.size() <= kLongest &&
         std::all_of(word.begin(), word.end(), [](unsigned char character) {
           return std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-';
         });
}

std::string table_name(std::string_view word, std::string_view origin) {
  constexpr std::size_t kFingerprintBytes = 8;
  const Hash128 hash = hash128(origin);
  return std::string(word) + '-' + to_hexadecimal(std::span(hash).first<kFingerprintBytes>());
}

}  // namespace molgauge::store
