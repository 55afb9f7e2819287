#include "models/encoders/placement.h"

#include "core/error.h"

namespace headroom::encoders {

bool takes_drawings(const std::string& fallback) {
  if (!fallback.empty() && fallback != "2d" && fallback != "fail") {
    throw UsageError("--conformer-fallback " + fallback + ": there are 2d and fail");
  }
  return fallback != "fail";
}

const char* given_option(const PlacementOptions& placement) {
  return placement.max_atoms                     ? "--max-atoms"
         : !placement.conformer_fallback.empty() ? "--conformer-fallback"
         : placement.conformer_deadline          ? "--conformer-deadline"
                                                 : nullptr;
}

}  // namespace headroom::encoders
