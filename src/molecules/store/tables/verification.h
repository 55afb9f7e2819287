#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge::store {

/// The result of checking every value of a store.
struct Verification {
  std::size_t rows = 0, damaged = 0;
  std::vector<std::string> findings;  ///< one line for each damaged row or table
};

}  // namespace molgauge::store
