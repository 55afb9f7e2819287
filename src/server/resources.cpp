#include "server/resources.h"

#include <algorithm>
#include <array>
#include <utility>

namespace molgauge::serve {

const Resource* find_resource(std::string_view name) {
  const auto found = std::find_if(resources().begin(), resources().end(),
                                  [&](const Resource& resource) { return resource.name == name; });
  return found == resources().end() ? nullptr : &*found;
}

std::string_view content_type_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTypes{
      {{".html", "text/html; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".json", "application/json"},
       {".svg", "image/svg+xml"}}};
  for (const auto& [end, type] : kTypes) {
    if (name.ends_with(end)) {
      return type;
    }
  }
  return "application/octet-stream";
}

}  // namespace molgauge::serve
