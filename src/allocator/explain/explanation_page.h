#pragma once

#include <string>

#include "allocator/explain/explanation.h"

namespace headroom::allocator {

/// The explanation as one HTML file without anything outside it: words, tables and inline SVG with the
/// timeline, the block map of the moment that is explained, and the fragmentation curve.
std::string explanation_page(const ExplainedMemory& explained);

}  // namespace headroom::allocator
