#include "molecules/encoders/placement.h"

namespace molgauge::encoders {

const char* given_option(const PlacementOptions& placement) {
  const bool has_fallback = placement.conformer_fallback != ConformerFallback::by_default;
  const bool has_engine = placement.conformer_engine != ConformerEngine::by_default;
  return placement.max_atoms            ? "--max-atoms"
         : has_fallback                 ? "--conformer-fallback"
         : has_engine                   ? "--conformer-engine"
         : placement.conformer_deadline ? "--conformer-deadline"
                                        : nullptr;
}

}  // namespace molgauge::encoders
