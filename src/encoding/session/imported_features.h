#pragma once

#include <memory>
#include <string>

#include "data/store/features/feature_store.h"
#include "models/encoders/encoder.h"

namespace headroom::session {

/// Rows from the Python project have their own feature space. Its eigenvectors have other signs, so its
/// features are not comparable with the features of Headroom. The name under which they were imported
/// distinguishes them (options "imported=NAME"). Throws UsageError when the name is not valid: up to 64
/// letters, digits, '.', '_', '-'.
store::FeatureSpace imported_space(const std::string& encoder, const std::string& name, std::size_t width);

/// The value of --features: "native" (computed here), or "imported:NAME".
struct FeatureOrigin {
  std::string imported_name;  ///< empty: native
  bool imported() const { return !imported_name.empty(); }
};
/// Throws UsageError on anything else.
FeatureOrigin parse_feature_origin(const std::string& text);

/// An encoder that represents the imported rows. Throws InputError with the existing names if the store has
/// no rows of this name and encoder.
std::unique_ptr<encoders::Encoder> make_imported_encoder(const store::FeatureStore& features,
                                                         const std::string& encoder, const std::string& name);

}  // namespace headroom::session
