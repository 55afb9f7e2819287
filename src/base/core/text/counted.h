#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace molgauge {

/// A number and its noun: "3 molecules", "1 molecule", "0 batches". `one` is the singular. The plural adds s
/// or es.
std::string counted(std::size_t count, std::string_view one);

}  // namespace molgauge
