#include "pockets/network.h"

namespace molgauge::pocket {

std::int64_t EncoderShape::invariants() const {
  return third && third->enhanced_invariants ? ops::paired_invariant_count(hidden) : hidden.channels();
}

}  // namespace molgauge::pocket
