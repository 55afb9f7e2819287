#pragma once

#include <memory>
#include <string>

#include "data/store/features/feature_store.h"
#include "models/encoders/encoder.h"

namespace headroom::session {

/// The feature space of rows that were imported from the Python project. They are not comparable with
/// features of Headroom, because the eigenvectors have other signs. The options of the space contain the name
/// of the import ("imported=NAME"). Throws UsageError when the name is not valid: up to 64 letters, digits,
/// '.', '_', '-'.
store::FeatureSpace imported_space(const std::string& encoder, const std::string& name, std::size_t width);

/// The value of --features: "native" (computed here), or "imported:NAME".
struct FeatureOrigin {
  std::string imported_name;  ///< empty: native
  bool imported() const { return !imported_name.empty(); }
};
/// Throws UsageError for other texts.
FeatureOrigin parse_feature_origin(const std::string& text);

/// An encoder that represents the imported rows. Throws InputError with the existing names if the store has
/// no rows of this name and encoder.
std::unique_ptr<encoders::Encoder> make_imported_encoder(const store::FeatureStore& features,
                                                         const std::string& encoder, const std::string& name);

}  // namespace headroom::session
