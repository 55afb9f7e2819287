#include "store/features/feature_space.h"

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

constexpr std::size_t kLongestEncoderName = 64;
constexpr std::size_t kFingerprintBytes = 8;

bool fits_a_name(unsigned char character) {
  return std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-';
}

bool fits_a_row(std::size_t width) { return width >= 1 && width <= kWidestRow; }

std::size_t width_from_json(const nlohmann::json& json) {
  if (!json.is_number_unsigned() || !fits_a_row(json.get<std::size_t>())) {
    throw InputError("description of a feature space: no row is " + json.dump() + " numbers wide");
  }
  return json.get<std::size_t>();
}

}  // namespace

std::string database_name(const FeatureSpace& space) {
  const auto& encoder = space.encoder;
  if (encoder.empty() || encoder.size() > kLongestEncoderName ||
      !std::all_of(encoder.begin(), encoder.end(), fits_a_name)) {
    throw UsageError("\"" + encoder +
                     "\" cannot name an encoder: use up to 64 letters, digits, '.', '_', '-'");
  }
  if (!fits_a_row(space.width)) {
    throw UsageError("the rows of encoder " + encoder + " would be " + std::to_string(space.width) +
                     " numbers wide; 1 to " + std::to_string(kWidestRow) + " are possible");
  }
  const Hash128 hash = hash128(encoder + '\n' + space.weights_sha256 + '\n' + space.options);
  return encoder + '-' + to_hexadecimal(std::span(hash).first<kFingerprintBytes>());
}

std::string to_json(const FeatureSpace& space) {
  return json_line(nlohmann::json{{"encoder", space.encoder},
                                  {"weights_sha256", space.weights_sha256},
                                  {"options", space.options},
                                  {"width", space.width}});
}

FeatureSpace feature_space_from_json(std::string_view text) {
  try {
    const auto json = parse_json(text);
    return {json.at("encoder").get<std::string>(), json.at("weights_sha256").get<std::string>(),
            json.at("options").get<std::string>(), width_from_json(json.at("width"))};
  } catch (const nlohmann::json::exception& failure) {
    throw InputError("description of a feature space: " + json_problem(failure));
  }
}

}  // namespace headroom::store
