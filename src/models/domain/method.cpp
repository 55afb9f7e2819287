#include "models/domain/method.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace headroom::domain {

std::vector<std::string> method_names() {
  return {"combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"};
}

std::string to_string(Method method) { return method_names()[static_cast<std::size_t>(method)]; }

bool reads_environments_alone(Method method) {
  return method == Method::tanimoto || method == Method::rarity || method == Method::coverage;
}

Method parse_method(const std::string& text) {
  const auto names = method_names();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    throw UsageError(fmt::format("--method {}: is none of {}", text, fmt::join(names, ", ")));
  }
  return static_cast<Method>(found - names.begin());
}

}  // namespace headroom::domain
