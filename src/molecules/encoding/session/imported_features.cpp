#include "molecules/encoding/session/imported_features.h"

#include <algorithm>
#include <cctype>

#include "base/core/error.h"
#include "molecules/encoders/imported_encoder.h"

namespace molgauge::session {
namespace {

constexpr std::string_view kOptions = "imported=";
constexpr std::string_view kOrigin = "imported:";
constexpr std::size_t kLongestName = 64;

bool fits_a_name(unsigned char character) {
  return std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-';
}

}  // namespace

store::FeatureSpace imported_space(const std::string& encoder, const std::string& name, std::size_t width) {
  if (name.empty() || name.size() > kLongestName || !std::all_of(name.begin(), name.end(), fits_a_name)) {
    throw UsageError("'" + name +
                     "' cannot name imported features: use up to 64 letters, digits, '.', '_', '-'");
  }
  return {encoder, "", std::string(kOptions) + name, width};
}

FeatureOrigin parse_feature_origin(const std::string& text) {
  if (text == "native") {
    return {};
  }
  if (text.starts_with(kOrigin) && text.size() > kOrigin.size()) {
    return {text.substr(kOrigin.size())};
  }
  throw UsageError("--features " + text + ": no such features. Available: native and imported:NAME");
}

std::unique_ptr<encoders::Encoder> make_imported_encoder(const store::FeatureStore& features,
                                                         const std::string& encoder,
                                                         const std::string& name) {
  const store::StoreReport report = features.report();
  std::string known;
  for (const auto& table : report.tables) {
    if (!table.space.options.starts_with(kOptions)) {
      continue;
    }
    if (table.space == imported_space(encoder, name, table.space.width)) {
      return std::make_unique<encoders::ImportedEncoder>(
          encoders::EncoderIdentity{encoder, "", table.space.options}, table.space.width, name);
    }
    known +=
        (known.empty() ? "" : ", ") + table.space.encoder + " " + table.space.options.substr(kOptions.size());
  }
  throw InputError(report.folder.string() + ": contains no features of " + encoder + " imported as '" + name +
                   "'. Available: " + (known.empty() ? "none" : known) +
                   ". Import some with 'molgauge store import'");
}

}  // namespace molgauge::session
