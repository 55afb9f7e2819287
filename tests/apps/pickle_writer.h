#pragma once

#include <map>
#include <string>
#include <vector>

namespace molgauge::test {

/// A feature cache in the pickle format of the Python project: {"features": {smiles: float32 array},
/// "foundation_model": "minimol", ...}, protocol 3.
std::string feature_cache(const std::map<std::string, std::vector<float>>& rows);

}  // namespace molgauge::test
