#pragma once

#include <memory>
#include <string>

#include "molecules/encoders/encoder.h"
#include "molecules/store/features/feature_store.h"

namespace molgauge::session {

/// The feature space of rows that were imported from the Python project. These rows are not comparable with
/// features of Molgauge, because the signs of the eigenvectors in the input of the encoder differ. The
/// options of the space contain the name of the import ("imported=NAME"). A name has up to 64 letters,
/// digits, '.', '_' and '-'. Throws UsageError if the name is not valid.
store::FeatureSpace imported_space(const std::string& encoder, const std::string& name, std::size_t width);

/// The value of --features: "native" (computed here), or "imported:NAME".
struct FeatureOrigin {
  std::string imported_name;  ///< empty for "native"
  bool imported() const { return !imported_name.empty(); }
};
/// Parses the value of --features. Throws UsageError for other texts.
FeatureOrigin parse_feature_origin(const std::string& text);

/// An encoder that represents the imported rows. If the store has no rows of this name and encoder, throws
/// InputError that lists the existing names.
std::unique_ptr<encoders::Encoder> make_imported_encoder(const store::FeatureStore& features,
                                                         const std::string& encoder, const std::string& name);

}  // namespace molgauge::session
